import { describe, expect, it } from 'vitest'
import { editionNumbered } from './editions.ts'
import { refuseNewer } from './refuse-misplaced.ts'
import { refuseRetry, retryableFailures, withoutFailures } from './retry.ts'
import { INITIAL, type OpenedCouncil } from './state.ts'

const took = (seq: number) => ({ event: `T/${seq}` })
const outcome = (ok: boolean, seq: number) => ({
  ok,
  took: took(seq),
  ...(ok ? { answer: {} } : { failure: null }),
})
const state = {
  ...INITIAL,
  opened: { edition: 2 },
  seated: new Set(['a', 'b', 'c']),
  opinions: new Map([
    ['a', outcome(true, 1)],
    ['b', outcome(false, 2)],
    ['c', outcome(true, 3)],
  ]),
  reviews: new Map([
    ['a', outcome(true, 4)],
    ['c', outcome(false, 5)],
  ]),
  reports: [
    { n: 1, seat: 'a', purpose: 'synthesis', outcome: outcome(false, 6) },
    { n: 2, seat: 'c', purpose: 'synthesis', outcome: outcome(false, 7) },
  ],
} as unknown as OpenedCouncil

describe('the events that a fork may make void', () => {
  it('COU-X-7 are failures, of every round, and nothing else', () => {
    expect(retryableFailures(state).map(({ event }) => event)).toEqual(['T/2', 'T/5', 'T/6', 'T/7'])
    expect(refuseRetry(state, ['T/2', 'T/5'])).toBeNull()
    for (const named of [[], ['T/1'], ['T/9'], ['T/2', 'T/2']])
      expect(refuseRetry(state, named)).toMatchObject({ code: 'SCHEMA_INVALID' })
  })

  it('COU-X-7 are the failures of all chairs or of none, because their number decides the next chair', () => {
    expect(refuseRetry(state, ['T/6'])).toMatchObject({ message: 'the failures of chairs are void together' })
    expect(refuseRetry(state, ['T/6', 'T/7'])).toBeNull()
    expect(withoutFailures(state, ['T/6', 'T/7']).reports).toEqual([])
  })

  it('COU-X-7 do not include answers, or failures of other seats', () => {
    const kept = withoutFailures(state, ['T/2'])
    expect([...kept.opinions.keys()]).toEqual(['a', 'c'])
    expect([...kept.reviews.keys()]).toEqual(['a', 'c'])
    expect(withoutFailures(state)).toBe(state)
  })

  it('COU-X-7 do not include incomplete answers of other seats, or decisions before the repeated round', () => {
    const decided = { rounds_skipped: [] }
    const lacking = (round: string, seat: string) => ({ event: `T/${round}${seat}`, round, seat })
    const known = {
      ...state,
      scored: { encoder: 'e', pairs: [] },
      decisions: { R1: decided, R2: decided },
      incomplete: [
        ...[lacking('R1', 'a'), lacking('R1', 'b'), lacking('R2', 'b')],
        ...[lacking('R2', 'c'), lacking('R3', 'c')],
      ],
    } as unknown as OpenedCouncil
    const left = (events: readonly string[]) => {
      const { incomplete, decisions, scored } = withoutFailures(known, events)
      return [incomplete.map(({ event }) => event), decisions, scored !== null]
    }
    expect(left(['T/2'])).toEqual([['T/R1a', 'T/R2b', 'T/R2c'], { R1: null, R2: null }, false])
    expect(left(['T/5'])).toEqual([['T/R1a', 'T/R1b', 'T/R2b'], { R1: decided, R2: null }, true])
    expect(left(['T/6', 'T/7'])).toEqual([
      ['T/R1a', 'T/R1b', 'T/R2b', 'T/R2c'],
      { R1: decided, R2: decided },
      true,
    ])
  })

  it('COU-X-7 COU-P-4 are the parts that a seat did not answer; its answered parts stay', () => {
    const inParts = {
      ...state,
      opened: { edition: 2, portions: 2 },
      parts: new Map([
        ['a/p1', outcome(true, 10)],
        ['a/p2', outcome(false, 11)],
        ['b/p1', outcome(false, 12)],
        ['c/p1', outcome(true, 13)],
        ['c/p2', outcome(true, 14)],
      ]),
    } as unknown as OpenedCouncil
    expect(retryableFailures(inParts).map(({ event, round }) => `${event} ${round}`)).toEqual([
      ...['T/2 R1', 'T/1 R1', 'T/5 R2', 'T/6 R3', 'T/7 R3'],
    ])
    expect([...withoutFailures(inParts, ['T/1']).parts.keys()]).toEqual(['a/p1', 'b/p1', 'c/p1', 'c/p2'])
    expect([...withoutFailures(inParts, ['T/5']).parts.keys()]).toHaveLength(5)
  })

  it('COU-X-7 are failures of chairs only if none reported, and only of chairs that still sit there', () => {
    const reports = [...state.reports, { n: 3, seat: 'a', purpose: 'synthesis', outcome: outcome(true, 8) }]
    const events = (more: object) =>
      retryableFailures({ ...state, ...more } as OpenedCouncil).map(({ event }) => event)
    expect(events({ reports })).toEqual(['T/2', 'T/5'])
    expect(events({ seated: new Set(['a', 'b']) })).toEqual(['T/2', 'T/6'])
  })

  it('COU-X-7 are none in edition 1', () => {
    const said = { retry: ['T/2'] }
    expect(refuseNewer(said, editionNumbered(1))).toMatchObject({ code: 'SCHEMA_INVALID' })
    expect(refuseNewer(said, editionNumbered(2))).toBeNull()
  })
})
