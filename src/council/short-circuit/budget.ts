// How much of its budget a council has used. A call with an unknown cost counts as unknown, never as zero:
// the sum is then "at least", the cost budget is compared with that sum, and the number of unknown calls is
// shown with it.

import type { Criteria } from '../events.ts'
import type { OpenedCouncil } from '../state.ts'

/** With short-circuiting, a round is skipped for the budget before the budget is exhausted. */
export const BUDGET_SHARE = 0.8

const MICRO = 1e6
/** Sums of costs do not depend on the order in which answers came. */
export const dollars = (usd: number): number => Math.round(usd * MICRO) / MICRO
export const rounded = (value: number): number => Math.round(value * 1e4) / 1e4

/** At most 1; of a budget of nothing, all is used. */
const shareOf = (used: number, limit: number): number => (limit > 0 ? Math.min(1, used / limit) : 1)

export function budgetOf(state: OpenedCouncil): Criteria['budget'] {
  const { cost, minutes } = state.opened.policy.budget
  const spent = dollars(state.cost.known)
  const took = state.thinkingMs / 60_000
  const shares = [
    ...(cost === null ? [] : [shareOf(spent, cost)]),
    ...(minutes === null ? [] : [shareOf(took, minutes)]),
  ]
  return {
    cost_at_least: spent,
    cost_unknown_calls: state.cost.unknown,
    minutes: rounded(took),
    used: shares.length === 0 ? null : rounded(Math.max(...shares)),
  }
}

/** Nothing more may be asked. */
export function isOverBudget(state: OpenedCouncil): boolean {
  const { cost, minutes } = state.opened.policy.budget
  if (cost !== null && dollars(state.cost.known) >= cost && state.cost.calls > 0) return true
  return minutes !== null && state.cost.calls > 0 && state.thinkingMs >= minutes * 60_000
}
