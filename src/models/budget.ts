// What has been spent, and whether one more call may be made. Calls with unknown costs are counted, but never
// as zero: such a sum is shown as "at least".

import type { Attempt } from './seat/seat.ts'

/** What a run may cost, in money and time. */
export interface Budget {
  readonly usd: number | null
  readonly minutes: number | null
}

/** What was spent, and how many calls had no known cost. */
export interface Spending {
  readonly usd: number
  /** Calls whose cost is not known. */
  readonly unknown: number
}

/** Which budget is used up. */
export interface Stop {
  readonly limit: 'cost' | 'minutes'
  readonly message: string
}

/** The initial value of spending. */
export const NOTHING_SPENT: Spending = { usd: 0, unknown: 0 }

/** A vendor that refused a request did not charge for it. */
const isUnbilled = ({ failure }: Attempt): boolean =>
  failure !== null &&
  (failure.type === 'auth' || failure.type === 'rate_limit' || failure.cause === 'unavailable')

/** The spending after one more attempt. */
export function spend(spending: Spending, attempt: Attempt): Spending {
  if (attempt.cost !== null) return { ...spending, usd: spending.usd + attempt.cost.usd }
  return isUnbilled(attempt) ? spending : { ...spending, unknown: spending.unknown + 1 }
}

const dollars = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`

/** A spending in words. */
export function spentInWords({ usd, unknown }: Spending): string {
  if (unknown === 0) return dollars(usd)
  const calls = `${unknown} ${unknown === 1 ? 'call' : 'calls'} of unknown cost`
  return usd === 0 ? `unknown (${calls})` : `at least ${dollars(usd)} (and ${calls})`
}

/** Asked before each call; null allows it. */
export function stopBefore(budget: Budget, spending: Spending, elapsedMs: number): Stop | null {
  if (budget.usd !== null && spending.usd >= budget.usd) {
    const message = `the budget of ${dollars(budget.usd)} is used up: ${spentInWords(spending)} spent`
    return { limit: 'cost', message }
  }
  if (budget.minutes !== null && elapsedMs >= budget.minutes * 60_000) {
    return { limit: 'minutes', message: `the ${budget.minutes} minutes of the budget are over` }
  }
  return null
}
