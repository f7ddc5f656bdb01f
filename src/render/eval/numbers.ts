// Numbers of an evaluation as text, the same on a terminal and on a page.

import type { ArmReport, ComparisonReport } from '../../eval/report.ts'

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

export const points = (share: number): string => {
  const size = (Math.abs(share) * 100).toFixed(1)
  return `${share < 0 ? '−' : '+'}${size}`
}

export const money = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`

/** The cost of one item by this arm; "more than" where some call has no known price. */
export function costOf({ usd, cost_unknown }: Pick<ArmReport, 'usd' | 'cost_unknown'>): string {
  if (usd === null) return 'unknown'
  return cost_unknown > 0 ? `≥ ${money(usd)}` : money(usd)
}

export const pText = (p: number): string => (p < 0.001 ? 'p < .001' : `p ${p.toFixed(3).replace(/^0/, '')}`)

/** Losses first, for readers of a single line. */
export const lossesFirst = (comparisons: readonly ComparisonReport[]): readonly ComparisonReport[] => {
  const rank = { worse: 0, better: 1, 'no difference found': 2 } as const
  return [...comparisons].sort((a, b) => rank[a.verdict] - rank[b.verdict])
}

/** What this many items can show. Without a pair that differs it is unknown. */
export const smallestEffectText = (share: number): string =>
  share === 0
    ? 'The arms never differed, so these items do not say how small a difference they would show.'
    : `With this many items a difference of ${points(share).slice(1)} points would be found in four of five evaluations.`
