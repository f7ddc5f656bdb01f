// The time limit of a round: as its policy says, else as long as its seats may take one after the other;
// never beyond the council's minutes.

import type { Round } from '../../../council/events.ts'
import type { CouncilTimeouts } from '../../../council/policy.ts'
import { portionsOf } from '../../../council/size/parts.ts'
import type { OpenedCouncil } from '../../../council/state.ts'
import { CAP_TIMES } from '../../../models/model.ts'
import type { AskableSeat } from '../../seat.ts'
import type { RoundLimit } from './round-clock.ts'

/** The recorded clock counts whole milliseconds; a stop for the budget must be visibly over it. */
const SLACK_MS = 20

/** For a seat that does not state how long it may take; it may be a vendor's command. */
function capByPolicy(timeouts: CouncilTimeouts, round: Round): number {
  const { each, r1_per_provider: R1, r2_per_provider: R2, r3_chair: R3, cli_per_call } = timeouts
  return (each ?? Math.max({ R1, R2, R3 }[round], cli_per_call)) * CAP_TIMES
}

export function roundLimit(
  { opened, thinkingMs }: OpenedCouncil,
  round: Round,
  seats: ReadonlyMap<string, AskableSeat>,
): RoundLimit {
  const { timeouts, budget } = opened.policy
  const participants = opened.seats.filter(({ roles }) => roles.includes('participant'))
  const askedSeats = round === 'R3' ? opened.chairs : participants.map(({ seat }) => seat)
  const caps = askedSeats.map((seat) => seats.get(seat)?.capMs?.(round) ?? capByPolicy(timeouts, round))
  const roundTimeout = { R1: timeouts.r1_round, R2: timeouts.r2_round, R3: timeouts.r3_round ?? null }[round]
  const times = round === 'R1' ? portionsOf({ opened }) : 1
  const ms = roundTimeout ?? times * caps.reduce((sum, cap) => sum + cap, 0)
  const remainingMs = budget.minutes === null ? null : budget.minutes * 60_000 - thinkingMs + SLACK_MS
  return remainingMs !== null && remainingMs < ms
    ? { ms: Math.max(remainingMs, 0), why: 'budget' }
    : { ms, why: 'timeout' }
}
