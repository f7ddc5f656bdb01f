// Whether one arm is better than another, in words that claim no more than the pairs show.

import { clusteredDifference } from './clusters.ts'
import { differenceInterval, type Interval, midPValue } from './pairs.ts'

/** A pair of grades on one item. */
export interface GradedPair {
  readonly first: boolean
  readonly second: boolean
  readonly cluster: string
}

export interface Comparison extends Interval {
  readonly n: number
  /** Pairs in which only the first, and only the second, was right. */
  readonly only_first: number
  readonly only_second: number
  readonly difference: number
  readonly p: number
  readonly method: 'mcnemar' | 'clusters'
  readonly clusters: number
}

export type Verdict = 'better' | 'worse' | 'no difference found'

const ALPHA = 0.05

/** Rounded as it is recorded; a negative zero is zero. */
export const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0

/** By clusters where any has more than one pair, else by McNemar's test and the interval of Agresti and Min. */
export function comparePairs(pairs: readonly GradedPair[]): Comparison {
  const n = pairs.length
  const first = pairs.filter((pair) => pair.first && !pair.second).length
  const second = pairs.filter((pair) => !pair.first && pair.second).length
  const clusters = new Set(pairs.map(({ cluster }) => cluster)).size
  const counts = { n, only_first: first, only_second: second, clusters }
  const difference = rounded(n === 0 ? 0 : (first - second) / n)
  if (clusters < n) {
    const interval = clusteredDifference(
      pairs.map((pair) => ({ cluster: pair.cluster, difference: Number(pair.first) - Number(pair.second) })),
    )
    const { low, high, p } = interval
    return {
      ...counts,
      difference,
      low: rounded(low),
      high: rounded(high),
      p: rounded(p),
      method: 'clusters',
    }
  }
  const { low, high } = differenceInterval({ n, first, second })
  const p = midPValue({ first, second })
  return { ...counts, difference, low: rounded(low), high: rounded(high), p: rounded(p), method: 'mcnemar' }
}

/** `p` may be one that was adjusted for several tests. */
export function verdictOf({ difference, p }: Pick<Comparison, 'difference' | 'p'>): Verdict {
  if (p >= ALPHA || difference === 0) return 'no difference found'
  return difference > 0 ? 'better' : 'worse'
}

const points = (share: number): string => (Math.round(Math.abs(share) * 1000) / 10).toFixed(1)

/** The verdict as a sentence. "Not found" does not mean "absent": the interval says how much is still possible. */
export function verdictInWords(a: string, b: string, comparison: Comparison): string {
  const { n, difference, low, high, only_first, only_second } = comparison
  if (n === 0) return `${a} and ${b} cannot be compared: no item was graded for both`
  const span = `95 % interval ${signed(low)} to ${signed(high)} points, ${n} pairs`
  switch (verdictOf(comparison)) {
    case 'better':
      return `${a} is better than ${b} by ${points(difference)} points (${span})`
    case 'worse':
      return `${a} is worse than ${b} by ${points(difference)} points (${span})`
    default: {
      const most = Math.max(Math.abs(low), Math.abs(high))
      const discordant = only_first + only_second
      const few = discordant === 0 ? '; no pair differs' : ''
      return `no difference found between ${a} and ${b} (${span}${few}); a difference smaller than ${points(most)} points is not excluded`
    }
  }
}

const signed = (share: number): string => `${share < 0 ? '−' : '+'}${points(share)}`
