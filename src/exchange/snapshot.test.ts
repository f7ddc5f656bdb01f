import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { openKit } from '../../test/support/clerk-kit.ts'
import { completeErrand } from '../../test/support/errand-run.ts'
import { ExchangeRun, protocol } from '../../test/support/exchange-run.ts'
import { firstTerms, plainScript, type Script, terms } from '../../test/support/exchange-script.ts'
import { expectSnapshotsHold } from '../../test/support/snapshot.ts'
import { followTrace } from '../clerk/follow.ts'
import { toHex, utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import type { Occurrence } from '../protocol.ts'
import { sha256 } from '../stores/digest.ts'
import type { Carry } from './events.ts'
import { INITIAL } from './state.ts'

const eventsOf = (run: ExchangeRun): readonly Occurrence[] => [...run.prefix, ...run.events]

/** Some fail, some ask for a restart, some say much. */
const mixed = (seed: number): Script => ({
  ...plainScript,
  reply: (round, mind) => {
    const n = [...`${seed} ${round} ${mind}`].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 9973, 7)
    if (n % 7 === 0) return null
    return n % 3 === 0 ? `---\n[RESTART] again ${round}\n---\nand ${n}` : `---\n${mind} ${round}\n---\n${n}`
  },
  score: (text) => (text.startsWith('[RESTART]') ? 1 : -1),
  cluster: (text) => (text.includes('1') ? 'c1' : null),
})

const steps = fc.array(
  fc.oneof(
    fc.record({ rounds: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ inject: fc.string({ minLength: 1, maxLength: 9 }) }),
    fc.record({ pin: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ branch: fc.nat({ max: 6 }), carry: fc.constantFrom<Carry>('window', 'audit', 'none') }),
    fc.record({ window: fc.integer({ min: 3, max: 9 }) }),
    fc.constant({ lose: true } as const),
    fc.constant({ pause: true } as const),
  ),
  { minLength: 3, maxLength: 9 },
)

type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never

/** What the protocol refuses where it stands is left out: only what may be in a trace is folded. */
function tried(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Error && 'refusal' in error)) throw error
  }
}

function walk(run: ExchangeRun, step: Step): ExchangeRun {
  let next = run
  tried(() => {
    if ('rounds' in step) run.rounds(run.inner.closed + step.rounds)
    if ('inject' in step) run.person('injected', { text: step.inject.trim() })
    if ('pin' in step) run.person('pinned', { message: `${step.pin}.1` })
    if ('pause' in step) run.person('paused', { reason: null })
    if ('branch' in step)
      next = run.branch({ round: Math.min(step.branch, run.inner.closed), carry: step.carry })
    if ('window' in step) {
      const under = run.inner.terms ?? terms()
      run.person('terms_amended', {
        terms: { ...under, pool: { ...under.pool, window: step.window } },
        reason: null,
      })
    }
    if ('lose' in step) {
      run.person('continued', { until: run.inner.closed + 1, mode: 'run' })
      run.run((actions) => actions.find(({ call }) => call === 'record'))
      for (const action of run.actions().filter(({ call }) => call === 'ask')) {
        run.start(action)
        run.lose(action)
      }
      run.run()
    }
  })
  return next
}

describe('the state of an exchange', () => {
  it('folded on from a snapshot is the state folded from the beginning, wherever it was kept', () => {
    fc.assert(
      fc.property(
        steps,
        fc.nat({ max: 99 }),
        fc.array(fc.boolean(), { minLength: 7, maxLength: 13 }),
        (way, seed, at) => {
          const under = terms({
            pool: { seed, window: 8, sample: 3 },
            auditor: { every: 3 },
            restart: { policy: 'acknowledge' },
          })
          let run = ExchangeRun.open(under, mixed(seed)).rounds(4)
          for (const step of way) run = walk(run, step)
          const events = eventsOf(run)
          expect(expectSnapshotsHold(protocol, events)).toBeGreaterThan(2)
          expectSnapshotsHold(protocol, events, (i) => at[i % at.length] === true)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('is not saved within a round, and grows only by the ends of rounds', () => {
    const run = ExchangeRun.open(terms({ pool: { window: 10 }, auditor: { every: 7 } }))
    const sizeAt = (round: number): number => {
      run.rounds(round)
      return canonicalize(protocol.snapshot?.take(run.state) ?? null).length
    }
    const [early, late] = [sizeAt(60), sizeAt(160)]
    expect(late - early).toBeLessThan(100 * 20)
    run.person('continued', { until: 161, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    expect(run.inner.round).not.toBeNull()
    expect(protocol.snapshot?.take(run.state)).toBeNull()
  })

  it('has the form that its id names: a change of the state or the fold raises the id and this pin', () => {
    const run = new ExchangeRun(mixed(5), '01KE00000000000000000000ZZ')
    run.person('exchange_opened', {
      terms: firstTerms(),
      encoder: 'test:letters@1:4',
      fence: 'f'.repeat(32),
      seats: [],
    })
    run.rounds(12)
    run.person('injected', { text: 'look here' })
    run.person('pinned', { message: '9.1' })
    run.rounds(20)
    const state = canonicalize(protocol.snapshot?.take(run.state) ?? null)
    expect([protocol.snapshot?.id, toHex(sha256(utf8(state))).slice(0, 16)]).toEqual([
      'exchange-state/6 editions/2 calls/1',
      '72b4bb91addd1741',
    ])
    expect(Object.keys(INITIAL)).toHaveLength(45)
  })
})

describe('the state of any protocol with calls', () => {
  it('folded on from a snapshot is the state folded from the beginning', async () => {
    const { ports, registrar } = await openKit()
    const { trace } = await completeErrand(ports, registrar)
    const events: Occurrence[] = []
    for await (const event of followTrace(ports, trace, { signal: AbortSignal.abort() })) events.push(event)
    expect(expectSnapshotsHold(errand, events)).toBe(events.length)
  })
})
