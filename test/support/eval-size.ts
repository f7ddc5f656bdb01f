// How often a test rejects what is true, and how often an interval holds what is true, over many simulated evaluations.

import { clusteredDifference } from '../../src/eval/statistics/clusters.ts'
import { differenceInterval, midPValue } from '../../src/eval/statistics/pairs.ts'
import { drawMembers, uniform } from './eval-simulation.ts'

export interface Performance {
  /** Share of runs that reject although nothing differs. */
  readonly size: number
  readonly coverage: number
}

/** Two arms of equal skill on `n` items. */
export function sizeOnPairs(runs: number, n: number, p: number, rho: number, seed: number): Performance {
  const next = uniform(seed)
  let rejected = 0
  let covered = 0
  for (let run = 0; run < runs; run++) {
    let [first, second] = [0, 0]
    for (let i = 0; i < n; i++) {
      const [a, b] = drawMembers(next, 2, p, rho)
      if (a && !b) first++
      if (!a && b) second++
    }
    if (midPValue({ first, second }) < 0.05) rejected++
    const { low, high } = differenceInterval({ n, first, second })
    if (low <= 0 && high >= 0) covered++
  }
  return { size: rejected / runs, coverage: covered / runs }
}

/** Arms of skills that differ by `gap`: how often the interval holds the true difference. */
export function coverageOfGap(runs: number, n: number, p: number, gap: number, seed: number): number {
  const next = uniform(seed)
  let covered = 0
  for (let run = 0; run < runs; run++) {
    let [first, second] = [0, 0]
    for (let i = 0; i < n; i++) {
      // A shared difficulty makes the arms err alike.
      const hard = next()
      const [a, b] = [
        hard < p - 0.15 || (hard < p + 0.15 && next() < 0.5 + gap / 0.3),
        hard < p - 0.15 || (hard < p + 0.15 && next() < 0.5),
      ]
      if (a && !b) first++
      if (!a && b) second++
    }
    const { low, high } = differenceInterval({ n, first, second })
    if (low <= gap && high >= gap) covered++
  }
  return covered / runs
}

/** Items in clusters that share their luck: the one arm is the better one in a cluster as often as the other. */
export function sizeOnClusters(runs: number, clusters: number, each: number, seed: number): Performance {
  const next = uniform(seed)
  let rejected = 0
  let covered = 0
  for (let run = 0; run < runs; run++) {
    const pairs = Array.from({ length: clusters }, (_, c) => {
      const leaning = (next() - 0.5) * 0.6
      return Array.from({ length: each }, () => ({
        cluster: String(c),
        difference: Number(next() < 0.6 + leaning / 2) - Number(next() < 0.6 - leaning / 2),
      }))
    }).flat()
    const { p, low, high } = clusteredDifference(pairs)
    if (p < 0.05) rejected++
    if (low <= 0 && high >= 0) covered++
  }
  return { size: rejected / runs, coverage: covered / runs }
}
