// The result of each round, by the names of the specification, as a function of the trace.

import { msBetween } from '../ledger/clock.ts'
import type { Round } from './events.ts'
import type { CouncilOpinion } from './replies/opinion.ts'
import type { CouncilReview } from './replies/review.ts'
import { reportOf } from './report/final-report.ts'
import type { CouncilFinalReport } from './report/report.ts'
import { opinionsOf, reviewsOf, seatOf } from './seat-ids.ts'
import { failuresOf, type SeatFailure } from './stage.ts'
import type { OpenedCouncil } from './state.ts'

/** The result of round one: every opinion, formed independently, and the seats that failed. */
export interface R1Result {
  readonly opinions: readonly CouncilOpinion[]
  readonly failed_providers: readonly SeatFailure[]
  readonly round_duration_ms: number
}

/** The result of round two: every review of the others, and the seats that failed. */
export interface R2Result {
  readonly reviews: readonly CouncilReview[]
  readonly failed_providers: readonly SeatFailure[]
  readonly round_duration_ms: number
}

/** The result of round three: the report and who wrote it. */
export interface R3Result {
  readonly final_report: CouncilFinalReport
  /** `none` when no chair answered. */
  readonly chair_provider: string
  readonly round_duration_ms: number
}

const durationOf = (state: OpenedCouncil, round: Round): number => {
  const span = state.spans[round]
  return span ? msBetween(span.start, span.end) : 0
}

export const r1Result = (state: OpenedCouncil): R1Result => ({
  opinions: opinionsOf(state),
  failed_providers: failuresOf(state, 'R1'),
  round_duration_ms: durationOf(state, 'R1'),
})

export const r2Result = (state: OpenedCouncil): R2Result => ({
  reviews: reviewsOf(state),
  failed_providers: state.spans.R2 ? failuresOf(state, 'R2') : [],
  round_duration_ms: durationOf(state, 'R2'),
})

/** Null without a report. */
export function r3Result(state: OpenedCouncil): R3Result | null {
  const final_report = reportOf(state)
  if (!final_report) return null
  const chair = final_report.chair === null ? null : seatOf(state, final_report.chair)
  return {
    final_report,
    chair_provider: chair?.provider ?? 'none',
    round_duration_ms: durationOf(state, 'R3'),
  }
}

export const r3Failures = (state: OpenedCouncil): readonly SeatFailure[] =>
  state.reports.flatMap(({ seat, outcome }) =>
    outcome.ok || !outcome.failure ? [] : [{ ...outcome.failure, seat }],
  )
