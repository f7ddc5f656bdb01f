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

describe('what a fork may make void', () => {
  it('COU-X-7 are failures, of every round, and nothing else', () => {
    expect(retryableFailures(state).map(({ event }) => event)).toEqual(['T/2', 'T/5', 'T/6', 'T/7'])
    expect(refuseRetry(state, ['T/2', 'T/5'])).toBeNull()
    for (const named of [[], ['T/1'], ['T/9'], ['T/2', 'T/2']])
      expect(refuseRetry(state, named)).toMatchObject({ code: 'SCHEMA_INVALID' })
  })

  it('COU-X-7 are the failures of all chairs or of none: whose turn it is follows from their number', () => {
    expect(refuseRetry(state, ['T/6'])).toMatchObject({ message: 'the failures of chairs are void together' })
    expect(refuseRetry(state, ['T/6', 'T/7'])).toBeNull()
    expect(withoutFailures(state, ['T/6', 'T/7']).reports).toEqual([])
  })

  it('COU-X-7 leaves what was answered, and what other seats failed in', () => {
    const kept = withoutFailures(state, ['T/2'])
    expect([...kept.opinions.keys()]).toEqual(['a', 'c'])
    expect([...kept.reviews.keys()]).toEqual(['a', 'c'])
    expect(withoutFailures(state)).toBe(state)
  })

  it('COU-X-7 is nothing in edition 1', () => {
    const said = { retry: ['T/2'] }
    expect(refuseNewer(said, editionNumbered(1))).toMatchObject({ code: 'SCHEMA_INVALID' })
    expect(refuseNewer(said, editionNumbered(2))).toBeNull()
  })
})
