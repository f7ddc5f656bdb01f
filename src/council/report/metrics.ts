// The usage of a council, counted from its trace: the metrics of each round and of the session, by the names of the
// specification.

import { msBetween } from '../../ledger/clock.ts'
import type { CouncilSessionMetrics, Round, RoundMetrics } from '../events.ts'
import { dollars } from '../short-circuit/budget.ts'
import { isInParts, partsOf } from '../size/parts.ts'
import { lastReport, opinionCount, opinionQuorum } from '../stage.ts'
import type { CallRecord, OpenedCouncil } from '../state.ts'
import { roundsCompleted } from './final-report.ts'

interface EndedCall {
  readonly seat: string
  readonly ok: boolean
  readonly took: CallRecord
}

function endedIn(state: OpenedCouncil, round: Round): readonly EndedCall[] {
  if (round === 'R3')
    return state.reports.map(({ seat, outcome }) => ({ seat, ok: outcome.ok, took: outcome.took }))
  if (round === 'R1' && isInParts(state))
    return state.seats.flatMap(({ seat }) =>
      partsOf(state, seat).map(({ outcome: { ok, took } }) => ({ seat, ok, took })),
    )
  const listed = round === 'R1' ? state.opinions : state.reviews
  return [...listed].map(([seat, { ok, took }]) => ({ seat, ok, took }))
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

export function roundMetrics(state: OpenedCouncil): readonly RoundMetrics[] {
  return (['R1', 'R2', 'R3'] as const).flatMap((round) => {
    const span = state.spans[round]
    if (!span) return []
    const ended = endedIn(state, round)
    // The usage of an incomplete answer counts, no matter what came after it; one without a completion is among the
    // ended.
    const standing = new Set(ended.map(({ took }) => took.event))
    const earlier = state.incomplete.filter((each) => each.round === round && !standing.has(each.event))
    const tooks = [...earlier, ...ended].map(({ took }) => took)
    const succeeded = new Set(ended.flatMap(({ seat, ok }) => (ok ? [seat] : [])))
    return [
      {
        round,
        start_time: span.start,
        end_time: span.end,
        duration_ms: msBetween(span.start, span.end),
        providers_attempted: span.asked.length,
        providers_succeeded: succeeded.size,
        providers_failed: span.asked.filter((seat) => !succeeded.has(seat)).length,
        total_tokens_in: sum(tooks.map(({ input_tokens }) => input_tokens)),
        total_tokens_out: sum(tooks.map(({ output_tokens }) => output_tokens)),
        tokens_unknown_calls: tooks.filter(
          ({ input_tokens, output_tokens }) => input_tokens === null || output_tokens === null,
        ).length,
      },
    ]
  })
}

export function sessionMetrics(state: OpenedCouncil): CouncilSessionMetrics {
  const { known, unknown, calls, lost } = state.cost
  const isKnown = calls + lost > unknown
  return {
    session_id: state.trace,
    mode: state.opened.mode,
    total_duration_ms: msBetween(state.began, state.at),
    rounds_completed:
      opinionCount(state) < opinionQuorum(state)
        ? 0
        : roundsCompleted(state, lastReport(state) !== null).length,
    short_circuit_triggered: [state.decisions.R1, state.decisions.R2].some(
      (each) => each?.triggered === true,
    ),
    total_cost_estimate: isKnown ? dollars(known) : null,
    cost_unknown_calls: unknown,
    calls: calls + lost,
    calls_lost: lost,
  }
}
