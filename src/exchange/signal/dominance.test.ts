import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answered,
  evaluate,
  hasRestartTag,
  NO_SIGNAL,
  type Scored,
  type SignalState,
  signalRules,
  windowOf,
} from './dominance.ts'
import { signalEvidence } from './signal-levels.ts'

const RULES = signalRules({ rotation: 3 })
const MINDS = ['ash', 'birch', 'cedar']

/** Rounds in which `asking` of `messages` messages ask, by minds in turn. */
const round = (number: number, asking: number, messages: number, mind = MINDS[number % 3]): Scored[] =>
  Array.from({ length: messages }, (_, i) => ({
    id: `m${number}.${i}`,
    round: number,
    mind: mind ?? 'ash',
    counts: i < asking,
    score: i < asking ? 1 + i / 10 : -1,
  }))

/** All states after each round in turn. */
function run(rounds: readonly Scored[][], from: SignalState = NO_SIGNAL): SignalState[] {
  let [state, window]: [SignalState, Scored[]] = [from, []]
  return rounds.map((messages) => {
    window = windowOf([...window, ...messages], RULES)
    state = evaluate(state, window, RULES)
    return state
  })
}

const rounds = (count: number, make: (number: number) => Scored[]): Scored[][] =>
  Array.from({ length: count }, (_, i) => make(i + 1))

describe('dominance', () => {
  it('EXC-INT-1 is the smoothed mean of one vote a round', () => {
    const states = run([round(1, 1, 2), round(2, 3, 3), round(3, 0, 1)])
    expect(states.map(({ share }) => share)).toEqual([0.5, 0.75, 0.5])
    expect(states.map(({ level }) => level)).toEqual([0.25, 0.5, 0.5])
  })

  it('EXC-INT-1 raises when the level holds on two evaluations of enough messages, not before', () => {
    const states = run(rounds(14, (n) => round(n, 2, 2)))
    expect(states.findIndex(({ raised }) => raised)).toBe(10)
    expect(states[8]).toMatchObject({ above: 0, raised: false })
    expect(states[9]).toMatchObject({ above: 1, raised: false })
  })

  it('EXC-INT-1 clears lower than it raises', () => {
    const demand = rounds(12, (n) => round(n, 2, 2))
    const calm = rounds(60, (n) => round(n + 12, 0, 2))
    const states = run([...demand, ...calm])
    const cleared = states.findIndex(({ raised }, i) => i > 12 && !raised)
    expect(states[cleared - 1]?.level).toBeGreaterThan(RULES.clear)
    expect(states[cleared]?.level).toBeLessThanOrEqual(RULES.clear)
    expect(states.slice(cleared).every(({ raised }) => !raised)).toBe(true)
  })

  it('EXC-INT-1 stays quiet for a rotation after an answer, and is raised again if the pool still asks', () => {
    const demand = rounds(14, (n) => round(n, 2, 2))
    const state = answered(run(demand).at(-1) ?? NO_SIGNAL, 14, RULES)
    expect(state).toMatchObject({ raised: false, above: 0, quietUntil: 17 })
    let window = windowOf(demand.flat(), RULES)
    let held = state
    const later = rounds(6, (n) => round(n + 14, 2, 2)).map((messages) => {
      window = windowOf([...window, ...messages], RULES)
      held = evaluate(held, window, RULES)
      return held.raised
    })
    expect(later).toEqual([false, false, false, false, true, true])
  })

  it('EXC-INT-1 is not raised by a flood in one round, wherever it comes and however large it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 6 }),
        (at, size, usual) => {
          const states = run(rounds(40, (n) => (n === at ? round(n, size, size) : round(n, 0, usual))))
          expect(states.some(({ raised }) => raised)).toBe(false)
        },
      ),
    )
  })

  it('EXC-INT-1 treats one model among three as one voice, not as the pool', () => {
    const loud = rounds(60, (n) => round(n, n % 3 === 0 ? 2 : 0, 2))
    expect(run(loud).some(({ raised }) => raised)).toBe(false)
    const two = rounds(60, (n) => round(n, n % 3 === 0 ? 2 : n % 3 === 1 ? 1 : 0, 2))
    expect(run(two).some(({ raised }) => raised)).toBe(true)
  })

  it('EXC-INT-1 calls the model that asked most the loudest, whatever it said last', () => {
    const said = (number: number, mind: string, asks: boolean) => round(number, asks ? 2 : 0, 2, mind)
    const once = (n: number) => (n === 59 ? said(n, 'birch', true) : said(n, MINDS[n % 3] ?? '', false))
    const loud = rounds(60, (n) => (n % 3 === 0 && n < 58 ? said(n, 'ash', true) : once(n)))
    expect(run(loud).some(({ raised }) => raised)).toBe(false)
  })

  it('keeps a window that folds: a window plus later messages equals the window of all messages', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 40 })
    fc.assert(
      fc.property(sizes, (list) => {
        const all = list.map((size, i) => round(i + 1, 0, size))
        const folded = all.reduce<Scored[]>((held, next) => windowOf(held.concat(next), RULES), [])
        expect(folded).toEqual(windowOf(all.flat(), RULES))
      }),
    )
  })

  it('counts the tag only at the beginning of a message', () => {
    expect(['[RESTART] now', ' [RESTART]', 'a [RESTART]', '[restart]', 'RESTART'].map(hasRestartTag)).toEqual(
      [...[true, true, false, false, false]],
    )
  })
})

it('EXC-INT-1 shows the evidence: series, rounds, the plainest messages, and their clusters', () => {
  const messages = [...round(1, 2, 3), ...round(2, 1, 1)]
  const states = run([round(1, 2, 3), round(2, 1, 1)])
  const clusters = [
    { id: 'k1', label: 'begin anew', members: ['m1.0', 'm2.0', 'm1.2'] },
    { id: 'k2', label: 'weather', members: ['m9.9'] },
  ]
  const evidence = signalEvidence(states, messages, clusters)
  expect(evidence.series.map(({ round: at, raised }) => [at, raised])).toEqual([
    [1, false],
    [2, false],
  ])
  expect(evidence.rounds).toEqual([
    { round: 1, asking: 2, messages: 3 },
    { round: 2, asking: 1, messages: 1 },
  ])
  expect(evidence.top.map(({ id }) => id)).toEqual(['m1.1', 'm1.0', 'm2.0'])
  expect(evidence.clusters).toEqual([
    { id: 'k1', label: 'begin anew', asking: 2, messages: 3, share: 0.6667 },
  ])
})
