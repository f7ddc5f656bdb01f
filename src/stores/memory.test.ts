import { expect, it } from 'vitest'
import { describeStoreContract } from '../../test/contracts/stores.ts'
import * as chains from '../../test/support/events.ts'
import { describeSearchContract } from '../../test/support/search-contract.ts'
import { MemoryStore } from './memory.ts'

const { endOf, makeChain, makeTrace } = chains

// Two handles on one store are one and the same here: there is no other process to have the second.
const openFresh = async () => {
  const store = new MemoryStore()
  return { store, reopen: async () => store, dispose: () => store.close() }
}
describeStoreContract('memory', chains, openFresh)
describeSearchContract('memory', chains, openFresh)

it('LED-7 opens one registry when two are opened at once', async () => {
  const store = new MemoryStore()
  const opened = await Promise.allSettled(
    [makeTrace(), makeTrace()].map((trace) => {
      const events = makeChain({ trace, count: 1, protocol: 'registry/1' })
      return store.append(trace, endOf([]), events)
    }),
  )
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})
