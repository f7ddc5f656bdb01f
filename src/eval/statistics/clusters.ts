// Items that belong together (one paragraph, one repository, one item asked several times) are not
// independent. Their differences are summed by cluster, and the variance between clusters counts.

import type { Interval } from './pairs.ts'
import { Z95 } from './pairs.ts'

/** The difference of one pair: 1, 0 or -1. */
export interface ClusteredDifference {
  readonly cluster: string
  readonly difference: number
}

export interface ClusteredResult extends Interval {
  readonly clusters: number
  readonly difference: number
  readonly p: number
}

/** The 97.5 % point of Student's t, by the expansion of Cornish and Fisher; exact for the four smallest. */
export function tQuantile95(df: number): number {
  if (df < 1) return Number.POSITIVE_INFINITY
  if (df === 1) return 12.706204736174705
  if (df === 2) return 4.302652729749464
  if (df === 3) return 3.182446305284263
  if (df === 4) return 2.7764451051977987
  const z = Z95
  const z2 = z * z
  const z3 = z2 * z
  const z5 = z3 * z2
  const z7 = z5 * z2
  const z9 = z7 * z2
  const g1 = (z3 + z) / 4
  const g2 = (5 * z5 + 16 * z3 + 3 * z) / 96
  const g3 = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384
  const g4 = (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / 92160
  return z + g1 / df + g2 / df ** 2 + g3 / df ** 3 + g4 / df ** 4
}

/** The two-sided p-value of t, by the finite sums for whole degrees of freedom. */
export function tTails(t: number, df: number): number {
  if (df < 1 || Number.isNaN(t)) return 1
  if (!Number.isFinite(t)) return 0
  const size = Math.abs(t)
  const cos2 = df / (df + size * size)
  const sin = size / Math.sqrt(df + size * size)
  const isOdd = df % 2 === 1
  let term = isOdd ? Math.sqrt(cos2) : 1
  let sum = isOdd && df === 1 ? 0 : term
  for (let k = isOdd ? 3 : 2; k <= df - 2; k += 2) {
    term = (term * cos2 * (k - 1)) / k
    sum += term
  }
  const inside = isOdd ? (2 / Math.PI) * (Math.atan(size / Math.sqrt(df)) + sin * sum) : sin * sum
  return Math.min(1, Math.max(0, 1 - inside))
}

/** Needs two clusters; with one, the variance is unknown. */
export function clusteredDifference(pairs: readonly ClusteredDifference[]): ClusteredResult {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { cluster, difference } of pairs) {
    const known = sums.get(cluster) ?? { sum: 0, count: 0 }
    sums.set(cluster, { sum: known.sum + difference, count: known.count + 1 })
  }
  const n = pairs.length
  const groups = sums.size
  const difference = n === 0 ? 0 : pairs.reduce((sum, pair) => sum + pair.difference, 0) / n
  if (groups < 2) return { clusters: groups, difference, low: -1, high: 1, p: 1 }
  let squares = 0
  for (const { sum, count } of sums.values()) squares += (sum - count * difference) ** 2
  const error = Math.sqrt((squares * groups) / (groups - 1)) / n
  if (error === 0) {
    const isNone = difference === 0
    return { clusters: groups, difference, low: isNone ? 0 : difference, high: difference, p: isNone ? 1 : 0 }
  }
  const spread = tQuantile95(groups - 1) * error
  return {
    clusters: groups,
    difference,
    low: Math.max(-1, difference - spread),
    high: Math.min(1, difference + spread),
    p: tTails(difference / error, groups - 1),
  }
}
