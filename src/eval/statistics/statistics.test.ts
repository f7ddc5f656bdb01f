import { describe, expect, it } from 'vitest'
import { clusteredDifference, tQuantile95, tTails } from './clusters.ts'
import { comparePairs, type GradedPair, verdictInWords, verdictOf } from './compare.ts'
import { allWrong, crossFitted, errorCorrelation, type Row } from './members.ts'
import { differenceInterval, holmAdjusted, midPValue, shareInterval, smallestEffect } from './pairs.ts'

const pairs = (both: number, first: number, second: number, neither: number): GradedPair[] =>
  [
    [both, true, true],
    [first, true, false],
    [second, false, true],
    [neither, false, false],
  ].flatMap(([times, a, b]) =>
    Array.from({ length: times as number }, (_, i) => ({
      first: a as boolean,
      second: b as boolean,
      cluster: `${String(a)}${String(b)}${i}`,
    })),
  )

describe('tests on pairs', () => {
  it('COU-X-4 mid-p McNemar agrees with sums of the binomial by hand', () => {
    // 1 against 6 of 7: 2 (P(0) + P(1)/2) = 2 (1 + 3.5) / 128
    expect(midPValue({ first: 6, second: 1 })).toBeCloseTo((2 * (1 + 3.5)) / 128, 12)
    // 0 against 5: 2 · ½ / 32
    expect(midPValue({ first: 0, second: 5 })).toBeCloseTo(1 / 32, 12)
    expect(midPValue({ first: 4, second: 4 })).toBeCloseTo(1, 12)
    expect(midPValue({ first: 0, second: 0 })).toBe(1)
  })

  it('COU-X-4 mid-p is symmetric and stays finite for thousands of pairs', () => {
    expect(midPValue({ first: 12, second: 30 })).toBe(midPValue({ first: 30, second: 12 }))
    const p = midPValue({ first: 5_100, second: 4_900 })
    // The normal approximation: z = 200 / 100.
    expect(p).toBeGreaterThan(0.04)
    expect(p).toBeLessThan(0.05)
  })

  it('COU-X-4 the interval of Agresti and Min agrees with their formula', () => {
    // n 100, 20 against 10: (20.5 - 10.5)/102 ± 1.96 √(31 - 100/102)/102
    const { low, high } = differenceInterval({ n: 100, first: 20, second: 10 })
    expect(low).toBeCloseTo(10 / 102 - (1.959964 * Math.sqrt(31 - 100 / 102)) / 102, 6)
    expect(high).toBeCloseTo(10 / 102 + (1.959964 * Math.sqrt(31 - 100 / 102)) / 102, 6)
  })

  it('Wilson intervals are those of the textbooks and never leave 0 to 1', () => {
    const known = shareInterval(8, 10)
    expect(known.low).toBeCloseTo(0.4902, 3)
    expect(known.high).toBeCloseTo(0.9433, 3)
    expect(shareInterval(0, 5).low).toBe(0)
    expect(shareInterval(5, 5).high).toBeLessThanOrEqual(1)
    expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 })
  })

  it('the smallest effect that a set can show shrinks with its size', () => {
    expect([60, 200, 1_319].map((n) => Math.round(smallestEffect(n) * 1000) / 10)).toEqual([15.9, 8.8, 3.4])
  })

  it('Holm multiplies the smallest by their number, the next by one less, and never reverses an order', () => {
    const adjusted = holmAdjusted([0.04, 0.01, 0.03])
    expect(adjusted[0]).toBeCloseTo(0.06, 12)
    expect(adjusted[1]).toBeCloseTo(0.03, 12)
    expect(adjusted[2]).toBeCloseTo(0.06, 12)
  })
})

describe('clusters', () => {
  it('knows Student’s t: tails and quantiles of the tables', () => {
    for (const [df, t] of [
      [1, 12.706],
      [2, 4.303],
      [5, 2.571],
      [9, 2.262],
      [30, 2.042],
      [100, 1.984],
    ] as const) {
      expect(tQuantile95(df)).toBeCloseTo(t, 2)
      expect(tTails(t, df)).toBeCloseTo(0.05, 3)
    }
  })

  it('COU-X-4 copies of one item do not count as more items', () => {
    const single = [1, 1, 0, -1, 1, 0, 1, 0].map((difference, i) => ({ cluster: `c${i}`, difference }))
    const fivefold = single.flatMap((one) => Array.from({ length: 5 }, () => one))
    const [a, b] = [clusteredDifference(single), clusteredDifference(fivefold)]
    expect(b.difference).toBeCloseTo(a.difference, 12)
    expect(b.low).toBeCloseTo(a.low, 12)
    expect(b.p).toBeCloseTo(a.p, 12)
  })

  it('one cluster alone gives no result', () => {
    expect(clusteredDifference([{ cluster: 'a', difference: 1 }])).toMatchObject({ low: -1, high: 1, p: 1 })
  })
})

describe('members', () => {
  const row = (...grades: readonly boolean[]): Row => new Map(grades.map((grade, i) => [`m${i}`, grade]))
  const names = ['m0', 'm1']

  it('COU-X-4 counts the items that every member got wrong, which no choice among members can correct', () => {
    const rows = [row(true, false), row(false, false), row(true, true), row(false, false)]
    expect(allWrong(rows, names)).toMatchObject({ n: 4, wrong: 2 })
  })

  it('measures that members make similar errors', () => {
    const alike = [row(true, true), row(false, false), row(true, true), row(false, false)]
    const opposed = [row(true, false), row(false, true)]
    expect(errorCorrelation(alike, 'm0', 'm1')).toBe(1)
    expect(errorCorrelation(opposed, 'm0', 'm1')).toBe(-1)
    expect(errorCorrelation([row(true, true), row(true, false)], 'm0', 'm1')).toBeNull()
  })

  it('COU-X-4 no item chooses the member that answers it', () => {
    // m0 is right everywhere but in the first fold, where m1 is right: choosing there by itself would look perfect.
    const rows = Array.from({ length: 40 }, (_, i) => row(i % 10 !== 0, i % 10 === 0))
    const chosen = crossFitted(
      rows,
      names,
      rows.map((_, i) => `c${i}`),
    )
    expect(chosen.every(({ member }) => member === 'm0')).toBe(true)
    expect(chosen.filter(({ grade }) => grade).length).toBe(36)
  })
})

describe('the verdict', () => {
  it('COU-X-4 says better, worse, or which effect is not excluded', () => {
    const better = comparePairs(pairs(40, 30, 5, 25))
    expect(verdictOf(better)).toBe('better')
    expect(verdictInWords('council', 'vote', better)).toMatch(/^council is better than vote by 25\.0 points/)
    const worse = comparePairs(pairs(40, 5, 30, 25))
    expect(verdictInWords('council', 'vote', worse)).toMatch(/^council is worse than vote by 25\.0 points/)
    const none = comparePairs(pairs(40, 10, 8, 42))
    expect(verdictOf(none)).toBe('no difference found')
    expect(verdictInWords('council', 'vote', none)).toMatch(/smaller than \d+\.\d points is not excluded$/)
    expect(verdictInWords('a', 'b', comparePairs([]))).toMatch(/cannot be compared/)
  })

  it('uses the clustered test as soon as two pairs share a cluster', () => {
    const shared = pairs(4, 3, 1, 2).map((pair, i) => ({ ...pair, cluster: `c${i % 5}` }))
    expect(comparePairs(shared)).toMatchObject({ method: 'clusters', clusters: 5, n: 10 })
  })
})
