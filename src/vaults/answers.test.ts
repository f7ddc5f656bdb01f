import { describe, expect, it } from 'vitest'
import { openOffice } from '../../test/support/office.ts'
import { Book } from '../clerk/book.ts'
import { wholeBundle } from '../clerk/extract.ts'
import type { Bundle } from '../ledger/bundle.ts'
import type { Protocol } from '../protocol.ts'
import { examine } from './answers.ts'
import { MemoryVault } from './memory.ts'

const diary: Protocol<number> = {
  id: 'diary/1',
  initial: 0,
  evolve: (count) => count + 1,
  refuse: () => null,
  decide: () => [],
  finished: () => false,
}

/** Enough signatures that threads check them. */
async function longTrace() {
  const vault = new MemoryVault()
  const { office, registrar } = await openOffice(vault)
  const book = new Book(office, diary, office.newTrace())
  const actor = registrar.actor('paula', 'planner')
  await book.append(Array.from({ length: 700 }, (_, n) => ({ type: 'noted', actor, payload: { n } })))
  const trust = { keys: [office.key('registrar').id], checkpoints: [] }
  return { vault, trust, bundle: await wholeBundle(vault, book.trace) }
}

const withSignature = (bundle: Bundle, at: number, signature: Uint8Array): Bundle => ({
  ...bundle,
  main: {
    ...bundle.main,
    events: bundle.main.events.map((carried, i) =>
      i === at ? { ...carried, event: { ...carried.event, signature } } : carried,
    ),
  },
})

describe('examining a long trace', () => {
  it('VER-1 passes what is whole', async () => {
    const { vault, trust, bundle } = await longTrace()
    expect(await examine(bundle, vault, trust, [diary as Protocol])).toMatchObject({
      status: 'pass',
      size: 700,
    })
  })

  it.each([0, 127, 128, 511, 512, 699])(
    'VER-5 finds the one signature of 700 that is not valid: %i',
    async (at) => {
      const { vault, trust, bundle } = await longTrace()
      const other = bundle.main.events[(at + 1) % 700]?.event.signature ?? new Uint8Array()
      const report = await examine(withSignature(bundle, at, other), vault, trust, [diary as Protocol])
      expect(report.failures.map(({ code, event }) => [code, event])).toEqual([
        ['SIG_INVALID', `${bundle.trace}/${at}`],
      ])
    },
  )

  it('VER-5 finds one of inadmissible form, which no thread is trusted to judge', async () => {
    const { vault, trust, bundle } = await longTrace()
    const report = await examine(withSignature(bundle, 600, new Uint8Array(64).fill(0xff)), vault, trust, [
      diary as Protocol,
    ])
    expect(report.failures.map(({ code }) => code)).toEqual(['SIG_INVALID'])
  })
})
