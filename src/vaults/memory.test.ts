import { expect, it } from 'vitest'
import * as chains from '../../test/support/events.ts'
import { describeVaultContract } from './contract.ts'
import { MemoryVault } from './memory.ts'

const { endOf, makeChain, makeTrace } = chains

// Two handles on one store are one and the same here: there is no other process to have the second.
describeVaultContract('memory', chains, async () => {
  const vault = new MemoryVault()
  return { vault, reopen: async () => vault, dispose: () => vault.close() }
})

it('LED-7 opens one registry when two are opened at once', async () => {
  const vault = new MemoryVault()
  const opened = await Promise.allSettled(
    [makeTrace(), makeTrace()].map((trace) => {
      const events = makeChain({ trace, count: 1, protocol: 'registry/1' })
      return vault.append(trace, endOf([]), events)
    }),
  )
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})
