import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExchangeRun } from '../../test/support/exchange-run.ts'
import { terms } from '../../test/support/exchange-script.ts'
import { sha256 } from '../stores/digest.ts'
import type { RoundOpened } from './events.ts'
import { draw, turnsUntilShown } from './pool.ts'

const rounds = (run: ExchangeRun): readonly RoundOpened[] =>
  run.events.flatMap(({ type, payload }) =>
    type === 'round_opened' ? [payload as unknown as RoundOpened] : [],
  )

describe('a sample', () => {
  it('is the same for the same seed and purpose, and has no item twice', () => {
    const items = Array.from({ length: 50 }, (_, i) => i)
    fc.assert(
      fc.property(fc.nat(), fc.string(), fc.integer({ min: 0, max: 60 }), (seed, purpose, count) => {
        const drawn = draw(sha256, seed, purpose, items, count)
        expect(drawn).toEqual(draw(sha256, seed, purpose, items, count))
        expect(new Set(drawn).size).toBe(Math.min(count, 50))
      }),
    )
  })

  it('gives every message the same chance', () => {
    const items = Array.from({ length: 10 }, (_, i) => i)
    const hits = new Array<number>(10).fill(0)
    for (let seed = 0; seed < 4000; seed++) {
      for (const item of draw(sha256, seed, 'sample', items, 3)) hits[item] = (hits[item] ?? 0) + 1
    }
    // 1200 expected, with a deviation of about 29.
    for (const count of hits) expect(Math.abs(count - 1200)).toBeLessThan(150)
  })

  it('EXC-POOL-1 is drawn from a window that never grows beyond its terms', () => {
    const run = ExchangeRun.open(terms({ pool: { window: 7, sample: 3 } })).rounds(30)
    expect(run.inner.pool).toHaveLength(7)
    for (const { kind, samples, round } of rounds(run)) {
      if (kind === 'audit') continue
      const fromMinds = samples.flatMap(({ messages }) => messages.filter((id) => !id.includes('p')))
      expect(fromMinds.length).toBeLessThanOrEqual(3)
      // Seven messages of two a round, with an audit in between, are not older than five rounds.
      for (const id of fromMinds) expect(Number(id.split('.')[0])).toBeGreaterThanOrEqual(round - 5)
    }
  })
})

interface Plan {
  readonly minds: readonly string[]
  readonly parallel: boolean
  readonly every: number
  readonly quota: number
  readonly seed: number
  /** How many words are injected before each round. */
  readonly words: readonly number[]
}

const plan: fc.Arbitrary<Plan> = fc.record({
  minds: fc.constantFrom(['a'], ['a', 'b'], ['a', 'b', 'c']),
  parallel: fc.boolean(),
  every: fc.integer({ min: 2, max: 6 }),
  quota: fc.integer({ min: 2, max: 4 }),
  seed: fc.nat({ max: 1000 }),
  words: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 8 }),
})

describe('protocol messages', () => {
  it('reach every mind within the promised number of its turns, and never exceed their quota', () => {
    fc.assert(
      fc.property(plan, ({ minds, parallel, every, quota, seed, words }) => {
        const run = ExchangeRun.open(
          terms({
            pool: { minds, parallel, seed },
            auditor: { mind: 'a', every },
            protocol: { window: 8, sample: quota },
          }),
        )
        /** For each word and mind: how many turns it may still take. */
        const promised = new Map<string, Map<string, number>>()
        const under = run.inner.terms ?? terms()
        const owed = (): boolean => [...promised.values()].some((turns) => turns.size > 0)
        for (let i = 0; i < words.length || (owed() && i < 100); i++) {
          const count = words[i] ?? 0
          for (let k = 0; k < count; k++) {
            const { due } = run.inner
            const waiting = due.filter(({ message }) => message.kind !== 'audit')
            if (waiting.length >= 8) continue
            run.person(
              k === 0 ? 'injected' : 'observer_spoke',
              k === 0 ? { text: 'w' } : { text: 'w', audit: null },
            )
            const id = run.inner.due.at(-1)?.message.id ?? ''
            const turns = minds.map((mind): [string, number] => {
              const ahead = waiting.filter(({ unseen }) => unseen.includes(mind)).length
              return [mind, turnsUntilShown(under, ahead)]
            })
            promised.set(id, new Map(turns))
          }
          run.rounds(i + 1)
          const last = rounds(run).at(-1)
          if (last?.kind !== 'pool') continue
          for (const { mind, messages } of last.samples) {
            const spoken = messages.filter((id) => id.includes('p'))
            expect(spoken.length).toBeLessThanOrEqual(quota)
            for (const [id, turns] of promised) {
              const left = turns.get(mind)
              if (left === undefined) continue
              if (messages.includes(id)) turns.delete(mind)
              else turns.set(mind, left - 1)
              expect(messages.includes(id) || left > 1).toBe(true)
            }
          }
        }
        expect(owed()).toBe(false)
      }),
      { numRuns: 30 },
    )
  })

  it('EXC-AUD-1 show the latest audit to a mind at its next turn', () => {
    const run = ExchangeRun.open(terms({ auditor: { every: 4 } })).rounds(20)
    let audit = ''
    const unseen = new Set<string>()
    for (const event of run.events) {
      if (event.type === 'audit_written') {
        audit = `${event.payload?.round}.p1`
        unseen.add('claude').add('local')
      }
      if (event.type !== 'round_opened' || event.payload?.kind !== 'pool') continue
      for (const { mind, messages } of (event.payload as unknown as RoundOpened).samples) {
        if (unseen.delete(mind)) expect(messages).toContain(audit)
      }
    }
    expect(audit).toBe('20.p1')
  })

  it('are refused if the pool already holds its maximum of unread ones', () => {
    const run = ExchangeRun.open(terms({ protocol: { window: 2 } }))
    run.person('injected', { text: 'one' })
    run.person('injected', { text: 'two' })
    expect(() => run.person('injected', { text: 'three' })).toThrow('let it run first')
    run.rounds(3)
    run.person('injected', { text: 'three' })
  })
})
