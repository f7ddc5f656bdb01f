// The majority of round one, before anyone had read anyone, and who left it afterwards. Checks have no vote.

import { type Stance, UNSTATED } from '../replies/opinion.ts'
import { opinionsOf, reviewsOf, seatOf, voicesOf } from '../seat-ids.ts'
import type { OpenedCouncil } from '../state.ts'
import type { Majority, PositionChange } from './report.ts'

export function countStances(stances: readonly Stance[]): { readonly [stance: string]: number } {
  const counts = new Map<string, number>()
  for (const stance of stances.filter((one) => one !== UNSTATED))
    counts.set(stance, (counts.get(stance) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The one stance that more hold than any other; null when there is none. */
export function plurality(counts: { readonly [stance: string]: number }): Stance | null {
  const [first, second] = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return first && first[1] > (second?.[1] ?? 0) ? (first[0] as Stance) : null
}

export function majorityOf(state: OpenedCouncil, decision: Stance): Majority {
  const counts = countStances(voicesOf(state).map(({ stance }) => stance))
  const stance = plurality(counts)
  return { stance, counts, departed: stance !== null && stance !== decision }
}

export function positionChanges(state: OpenedCouncil): readonly PositionChange[] {
  return reviewsOf(state).flatMap(({ seat, changed_position, stance_after, why }) => {
    const own = opinionsOf(state).find((opinion) => opinion.seat === seat)
    return own && changed_position ? [{ seat, before: own.stance, after: stance_after, why }] : []
  })
}

/** Two or more opinions of models, all of one vendor. */
export function isOneVendor(state: OpenedCouncil): boolean {
  const vendors = voicesOf(state).map(({ seat }) => seatOf(state, seat)?.vendor)
  return vendors.length > 1 && new Set(vendors).size === 1
}
