import { describe, expect, it } from 'vitest'
import { openPorts } from '../../test/support/ports.ts'
import { wholeBundle } from '../clerk/extract.ts'
import { TraceLog } from '../clerk/trace-log.ts'
import type { Bundle } from '../ledger/bundle/bundle.ts'
import type { Protocol } from '../protocol.ts'
import { MemoryStore } from './memory.ts'
import { examine } from './verify-answers.ts'

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
  const store = new MemoryStore()
  const { ports, registrar } = await openPorts(store)
  const log = new TraceLog(ports, diary, ports.newTrace())
  const actor = registrar.actor('paula', 'planner')
  await log.append(Array.from({ length: 700 }, (_, n) => ({ type: 'noted', actor, payload: { n } })))
  const trust = { keys: [ports.key('registrar').id], checkpoints: [] }
  return { store, trust, bundle: await wholeBundle(store, log.trace) }
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
    const { store, trust, bundle } = await longTrace()
    expect(await examine(bundle, store, trust, [diary as Protocol])).toMatchObject({
      status: 'pass',
      size: 700,
    })
  })

  it.each([0, 127, 128, 511, 512, 699])(
    'VER-5 finds the one signature of 700 that is not valid: %i',
    async (at) => {
      const { store, trust, bundle } = await longTrace()
      const other = bundle.main.events[(at + 1) % 700]?.event.signature ?? new Uint8Array()
      const report = await examine(withSignature(bundle, at, other), store, trust, [diary as Protocol])
      expect(report.failures.map(({ code, event }) => [code, event])).toEqual([
        ['SIG_INVALID', `${bundle.trace}/${at}`],
      ])
    },
  )

  it('VER-5 finds one of inadmissible form, which is not left to a thread', async () => {
    const { store, trust, bundle } = await longTrace()
    const report = await examine(withSignature(bundle, 600, new Uint8Array(64).fill(0xff)), store, trust, [
      diary as Protocol,
    ])
    expect(report.failures.map(({ code }) => code)).toEqual(['SIG_INVALID'])
  })
})
