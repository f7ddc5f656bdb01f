// The statistics of a verdict against definitions, closed forms and figures that were worked out elsewhere.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusteredDifference, tQuantile95, tTails } from './clusters.ts'
import { comparePairs, rounded, verdictInWords, verdictOf } from './compare.ts'
import { allWrong, crossFitted, errorCorrelation, type Row } from './members.ts'
import { differenceInterval, holmAdjusted, midPValue, shareInterval, smallestEffect } from './pairs.ts'

function choose(n: number, k: number): number {
  let ways = 1n
  for (let i = 0; i < k; i++) ways = (ways * BigInt(n - i)) / BigInt(i + 1)
  return Number(ways)
}

describe('tests on pairs', () => {
  it('COU-X-4 mid-p is the sum of the binomial, with half of what was observed', () => {
    fc.assert(
      fc.property(fc.nat(25), fc.nat(25), (first, second) => {
        const [n, least] = [first + second, Math.min(first, second)]
        const below = Array.from({ length: least }, (_, k) => choose(n, k)).reduce((a, b) => a + b, 0)
        const expected = Math.min(1, (2 * (below + choose(n, least) / 2)) / 2 ** n)
        expect(midPValue({ first, second })).toBeCloseTo(n === 0 ? 1 : expected, 10)
      }),
    )
  })

  it('COU-X-4 intervals stay within possible values, and are whole without data', () => {
    expect(differenceInterval({ n: 0, first: 0, second: 0 })).toEqual({ low: -1, high: 1 })
    expect(differenceInterval({ n: 1, first: 1, second: 0 }).high).toBe(1)
    expect(differenceInterval({ n: 1, first: 0, second: 1 }).low).toBe(-1)
    const [one, other] = [
      differenceInterval({ n: 30, first: 9, second: 2 }),
      differenceInterval({ n: 30, first: 2, second: 9 }),
    ]
    expect([-other.high, -other.low]).toEqual([one.low, one.high])
    expect(shareInterval(5, 5).high).toBe(1)
  })

  it('COU-X-4 the smallest effect solves its own equation, and is at most 1', () => {
    for (const [n, discordance] of [
      [60, 0.2],
      [200, 0.5],
      [1_319, 0.1],
    ] as const) {
      const e = smallestEffect(n, discordance)
      const right =
        1.959963984540054 * Math.sqrt(discordance / n) +
        0.8416212335729143 * Math.sqrt((discordance - e * e) / n)
      expect(e).toBeCloseTo(right, 9)
    }
    expect(smallestEffect(0)).toBe(1)
    expect(smallestEffect(1)).toBe(smallestEffect(1, 0.2))
    expect(smallestEffect(2, 1)).toBe(1)
  })

  it('COU-X-4 Holm adjusts as it is defined: the largest of the steps so far, in the order given', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (values) => {
        const adjusted = holmAdjusted(values)
        for (const [i, p] of values.entries()) {
          // Every one that is no larger had to pass first, each against those that were left.
          const steps = values
            .toSorted((a, b) => a - b)
            .flatMap((one, rank) => (one <= p ? [Math.min(1, one * (values.length - rank))] : []))
          expect(adjusted[i]).toBeLessThanOrEqual(Math.max(...steps) + 1e-12)
          expect(adjusted[i]).toBeGreaterThanOrEqual(p)
          expect(adjusted[i]).toBeLessThanOrEqual(1)
        }
        const inOrder = values.map((p, i) => [p, adjusted[i] ?? 0]).sort(([a = 0], [b = 0]) => a - b)
        for (const [i, [, now = 0]] of inOrder.entries())
          expect(now).toBeGreaterThanOrEqual(inOrder[i - 1]?.[1] ?? 0)
      }),
    )
    expect(holmAdjusted([0.5, 0.9])).toEqual([1, 1])
    expect(holmAdjusted([])).toEqual([])
  })
})

describe('clusters', () => {
  it('COU-X-4 tails of t for few degrees of freedom are their closed forms', () => {
    for (const t of [0.3, 1, 2.5, 12]) {
      const [sin, cos2] = [t / Math.sqrt(4 + t * t), 4 / (4 + t * t)]
      expect(tTails(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 12)
      expect(tTails(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 12)
      expect(tTails(t, 3)).toBeCloseTo(
        1 - (2 / Math.PI) * (Math.atan(t / Math.sqrt(3)) + (t * Math.sqrt(3)) / (3 + t * t)),
        12,
      )
      expect(tTails(t, 4)).toBeCloseTo(1 - sin * (1 + cos2 / 2), 12)
      expect(tTails(-t, 7)).toBe(tTails(t, 7))
    }
    expect(tTails(0, 5)).toBe(1)
    expect(tTails(Number.POSITIVE_INFINITY, 5)).toBe(0)
    expect(tTails(Number.NaN, 5)).toBe(1)
    expect(tTails(3, 0)).toBe(1)
  })

  it('COU-X-4 quantiles of t leave five in a hundred outside, for every number of clusters', () => {
    expect(tQuantile95(0)).toBe(Number.POSITIVE_INFINITY)
    for (let df = 1; df <= 60; df++) expect(tTails(tQuantile95(df), df)).toBeCloseTo(0.05, df < 5 ? 9 : 4)
  })

  it('COU-X-4 quantiles of t are kept to the digit, since what follows from them is recorded', () => {
    const kept = [
      [5, 2.570308227150843],
      [6, 2.446804391979526],
      [10, 2.2281308968121536],
    ] as const
    for (const [df, t] of kept) expect(tQuantile95(df)).toBeCloseTo(t, 10)
  })

  it('COU-X-4 one item to a cluster is the t-test of the textbooks', () => {
    // R: t.test(1:5) has the interval 1.036757 to 4.963243 and p = 0.01324.
    const result = clusteredDifference([1, 2, 3, 4, 5].map((d) => ({ cluster: `c${d}`, difference: d / 10 })))
    expect(result).toMatchObject({ clusters: 5 })
    expect(result.difference).toBeCloseTo(0.3, 12)
    expect(result.low).toBeCloseTo(0.1036757, 6)
    expect(result.high).toBeCloseTo(0.4963243, 6)
    expect(result.p).toBeCloseTo(0.01324, 5)
  })

  it('COU-X-4 clusters of several sizes count by their sums', () => {
    const given: readonly (readonly [string, number])[] = [
      ['a', 1],
      ['a', 1],
      ['a', 0],
      ['b', 0],
      ['c', -1],
      ['c', 0],
    ]
    const result = clusteredDifference(given.map(([cluster, difference]) => ({ cluster, difference })))
    // Mean 1/6; residual sums 3/2, −1/6, −4/3; error √(73/18 · 3/2) / 6.
    const error = Math.sqrt((73 / 18) * 1.5) / 6
    const t = 1 / 6 / error
    expect(result.p).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 12)
    expect([result.low, result.high]).toEqual([-1, 1])
    const mirrored = clusteredDifference(
      given.map(([cluster, difference]) => ({ cluster, difference: -difference })),
    )
    expect(mirrored.p).toBeCloseTo(result.p, 12)
  })

  it('COU-X-4 there is no spread if every cluster has the same result', () => {
    const all = (difference: number) =>
      clusteredDifference(['a', 'b', 'c'].map((cluster) => ({ cluster, difference })))
    expect(all(1)).toEqual({ clusters: 3, difference: 1, low: 1, high: 1, p: 0 })
    expect(all(-1)).toEqual({ clusters: 3, difference: -1, low: -1, high: -1, p: 0 })
    expect(all(0)).toEqual({ clusters: 3, difference: 0, low: 0, high: 0, p: 1 })
    expect(clusteredDifference([])).toEqual({ clusters: 0, difference: 0, low: -1, high: 1, p: 1 })
    expect(clusteredDifference([1, 0].map((difference) => ({ cluster: 'a', difference })))).toEqual({
      clusters: 1,
      difference: 0.5,
      low: -1,
      high: 1,
      p: 1,
    })
  })
})

describe('the verdict', () => {
  it('COU-X-4 needs p under 0.05 and a difference', () => {
    expect(verdictOf({ difference: 0.1, p: 0.05 })).toBe('no difference found')
    expect(verdictOf({ difference: 0.1, p: 0.0499 })).toBe('better')
    expect(verdictOf({ difference: -0.1, p: 0.0499 })).toBe('worse')
    expect(verdictOf({ difference: 0, p: 0.0001 })).toBe('no difference found')
  })

  it('COU-X-4 is recorded to four digits, and never as a negative zero', () => {
    expect(rounded(0.123449)).toBe(0.1234)
    expect(rounded(-0.12345678)).toBe(-0.1235)
    expect(Object.is(rounded(-0.00001), 0)).toBe(true)
  })

  it('COU-X-4 says in words which effect was found and which is still possible', () => {
    const compared = { n: 40, only_first: 6, only_second: 6, clusters: 40, method: 'mcnemar' } as const
    expect(verdictInWords('a', 'b', { ...compared, difference: 0, low: -0.12, high: 0.155, p: 1 })).toBe(
      'no difference found between a and b (95 % interval −12.0 to +15.5 points, 40 pairs); a difference smaller than 15.5 points is not excluded',
    )
    const none = { ...compared, only_first: 0, only_second: 0, difference: 0, low: -0.07, high: 0, p: 1 }
    expect(verdictInWords('a', 'b', none)).toBe(
      'no difference found between a and b (95 % interval −7.0 to +0.0 points, 40 pairs; no pair differs); a difference smaller than 7.0 points is not excluded',
    )
    expect(verdictInWords('a', 'b', { ...compared, difference: -0.25, low: -0.4, high: -0.1, p: 0.01 })).toBe(
      'a is worse than b by 25.0 points (95 % interval −40.0 to −10.0 points, 40 pairs)',
    )
  })

  it('COU-X-4 without pairs is no difference', () => {
    expect(comparePairs([])).toEqual({
      n: 0,
      only_first: 0,
      only_second: 0,
      clusters: 0,
      difference: 0,
      low: -1,
      high: 1,
      p: 1,
      method: 'mcnemar',
    })
  })

  it('COU-X-4 by clusters has the numbers of the clustered test, rounded', () => {
    const grades = [
      [1, 0],
      [1, 0],
      [1, 1],
      [0, 0],
      [0, 1],
      [1, 1],
    ] as const
    const pairs = grades.map(([a, b], i) => ({ first: a === 1, second: b === 1, cluster: 'aaabcc'[i] ?? '' }))
    expect(comparePairs(pairs)).toEqual({
      n: 6,
      only_first: 2,
      only_second: 1,
      clusters: 3,
      difference: 0.1667,
      low: -1,
      high: 1,
      p: 0.7244,
      method: 'clusters',
    })
  })
})

describe('members', () => {
  const row = (...grades: readonly (boolean | null)[]): Row =>
    new Map(grades.flatMap((grade, i) => (grade === null ? [] : [[`m${i}`, grade] as const])))
  const names = ['m0', 'm1']

  it('COU-X-4 without a grade on an item are not counted there', () => {
    expect(allWrong([row(false, false), row(false, null), row(null, false)], names)).toMatchObject({
      n: 1,
      wrong: 1,
    })
    const rows = [row(true, true), row(false, false), row(true, null), row(null, false), row(null, true)]
    expect(errorCorrelation(rows, 'm0', 'm1')).toBe(1)
  })

  it('COU-X-4 err alike by the coefficient φ', () => {
    // 30 both right, 20 and 10 one of them, 40 neither: (30·40 − 20·10) / √(50·50·40·60)
    const table = [
      [30, row(true, true)],
      [20, row(true, false)],
      [10, row(false, true)],
      [40, row(false, false)],
    ] as const
    const rows = table.flatMap(([times, one]) => Array.from({ length: times }, () => one))
    expect(errorCorrelation(rows, 'm0', 'm1')).toBeCloseTo(1000 / Math.sqrt(50 * 50 * 40 * 60), 12)
  })

  it('COU-X-4 the best of them is chosen by other items alone: no grade changes who answers its own item', () => {
    const grades = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.nat(14)), {
      minLength: 12,
      maxLength: 30,
    })
    fc.assert(
      fc.property(grades, fc.nat(), (given, at) => {
        const rows = given.map(([a, b]) => row(a, b))
        const clusters = given.map(([, , cluster]) => `c${cluster}`)
        const turned = given.map(([a, b], i) =>
          clusters[i] === clusters[at % given.length] ? row(!a, !b) : row(a, b),
        )
        const [before, after] = [rows, turned].map((one) => crossFitted(one, names, clusters))
        expect(after?.[at % given.length]?.member).toBe(before?.[at % given.length]?.member)
      }),
    )
  })

  it('COU-X-4 items of a cluster share a fold, ten folds in the order in which clusters come', () => {
    // m0 is right on the cluster of item 0 alone, m1 on that of item 10: together they make up the first fold.
    const clusters = Array.from({ length: 24 }, (_, i) => `c${i % 12}`)
    const rows = clusters.map((cluster) => row(cluster === 'c0', cluster === 'c10' || cluster === 'c3'))
    const chosen = crossFitted(rows, names, clusters).map(({ member }) => member)
    // Without c3, fold 3 goes by c0 and c10 alone: they are even, and the first member wins.
    expect(clusters.filter((_, i) => chosen[i] === 'm0')).toEqual(['c3', 'c3'])
  })

  it('COU-X-4 the better one answers, the first if they are equal, and none if there is no member', () => {
    const chosen = (rows: readonly Row[], members = names) =>
      crossFitted(
        rows,
        members,
        rows.map((_, i) => `c${i}`),
      )
    const worse = Array.from({ length: 20 }, (_, i) => row(i % 2 === 0, true))
    expect(chosen(worse).every(({ member, grade }) => member === 'm1' && grade)).toBe(true)
    const equal = Array.from({ length: 20 }, () => row(true, true))
    expect(chosen(equal).every(({ member }) => member === 'm0')).toBe(true)
    // A share counts, not a number: m1 was asked half as often and is always right.
    const rarely = Array.from({ length: 20 }, (_, i) => row(i % 4 !== 0, i % 2 === 0 ? true : null))
    expect(chosen(rarely).map(({ member }) => member)).toEqual(Array.from({ length: 20 }, () => 'm1'))
    expect(chosen(rarely)[1]?.grade).toBeNull()
    expect(chosen([row(true)], [])).toEqual([{ member: '', grade: null }])
  })
})
