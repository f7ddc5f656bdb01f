// The events of `council/1`: their names, who may record each, and their payloads. What follows from earlier
// events is recorded all the same where a reader needs it, and refused when it differs from what folding
// gives.

import type { Artifact, End } from '../ledger/event.ts'
import type { AskingFields } from '../ledger/raw-reply.ts'
import { payloadReader } from '../protocol.ts'
import type { ReadingRecord } from '../reply/reading-record.ts'
import type { ContextRecord, Unseen } from './context.ts'
import type { CouncilPolicy } from './policy.ts'
import type { Mode, OpinionAnswer } from './replies/opinion.ts'
import type { ReviewAnswer } from './replies/review.ts'
import type { CouncilFinalReport, Participant, ReportAnswer } from './report/report.ts'
import type { ShortCircuitDecided } from './short-circuit/decision.ts'

export type { ContextFile, ContextRecord, Unseen } from './context.ts'
export type { Criteria, ShortCircuitDecided, ShortCircuitDecision } from './short-circuit/decision.ts'

export const COUNCIL = 'council/1'

export const OPENED = 'council_opened'
export const OPINION_GIVEN = 'opinion_given'
export const OPINION_FAILED = 'opinion_failed'
/** An incomplete answer, whose missing part is asked for once more. */
export const OPINION_INCOMPLETE = 'opinion_incomplete'
/** A seat's joined opinion over all parts of round one, made by rule. Since edition 2. */
export const OPINION_JOINED = 'opinion_joined'
export const AGREEMENT_SCORED = 'agreement_scored'
export const SHORT_CIRCUIT_DECIDED = 'short_circuit_decided'
export const REVIEW_GIVEN = 'review_given'
export const REVIEW_FAILED = 'review_failed'
export const REVIEW_INCOMPLETE = 'review_incomplete'
export const REPORT_GIVEN = 'report_given'
export const REPORT_FAILED = 'report_failed'
export const REPORT_INCOMPLETE = 'report_incomplete'
export const ROUND_CLOSED = 'round_closed'
export const CLOSE_REQUESTED = 'close_requested'
export const REPORT_ASSEMBLED = 'report_assembled'
export const CLOSED = 'council_closed'

/** The convener: opens, forks, and may ask to close early. The agent is the user of the door. */
export const CONVENER = 'convener'
/** A seat acts as the agent of its own name. */
export const PARTICIPANT = 'participant'
export const CHAIR = 'chair'

/** Opinions, reviews, report. */
export type Round = 'R1' | 'R2' | 'R3'

/** How long a model is to think, where a seat states it. */
export const THINKING = ['low', 'medium', 'high'] as const

export interface SeatRecord extends Participant {
  /** The length limit of prompts to it, in characters; absent where there is none. Since edition 2. */
  readonly prompt_chars?: number
  /** The role that it is told to take, in the convener's words; shown to it in R1 and R2. Since edition 2. */
  readonly stance?: string
  /** Settings for its model, where the seat states them. Since edition 2. */
  readonly temperature?: number
  readonly thinking?: (typeof THINKING)[number]
  readonly roles: readonly ('participant' | 'chair')[]
}

/** A requested seat that could not be asked. */
export interface LeftOut {
  readonly seat: string
  readonly provider: string
  readonly model: string | null
  readonly reason: string
}

/** A council that this one follows up. */
export interface Follow extends End {
  readonly trace: string
  /** `trace/seq` of the event that holds its report. */
  readonly event: string
  readonly question: string
  readonly decision: string
  readonly conclusion: string
  readonly summary: string
  readonly points: readonly string[]
  readonly open: readonly string[]
}

export interface CouncilOpened {
  readonly question: string
  readonly mode: Mode
  readonly constraints: readonly string[]
  readonly focus: readonly string[]
  readonly seats: readonly SeatRecord[]
  /** Seats in the order in which they are asked to chair. */
  readonly chairs: readonly string[]
  /** 32 bytes as hex; orders, labels and delimiters follow from it. */
  readonly seed: string
  /** Reviewers are told the author of each opinion. */
  readonly labelled: boolean
  readonly policy: CouncilPolicy
  /** The edition of its rules (`editions.ts`); the first where none is named, and then `prompts` is there instead. */
  readonly edition?: number
  readonly prompts?: 1
  readonly context: ContextRecord
  readonly follow: Follow | null
  /** Requested seats that could not be asked; absent where there were none. Since edition 2. */
  readonly left_out?: readonly LeftOut[]
  /** How many parts round one has, where one prompt would be too long. Since edition 2. */
  readonly portions?: number
  /** Files that no seat is shown completely, for lack of space; absent where there are none. Since edition 2. */
  readonly unseen?: Unseen
  /** A demo: every seat answers from a script, and no model is asked. Since edition 2. */
  readonly scripted?: true
  /** The pack; empty without context. */
  readonly artifacts: readonly Artifact[]
}

/** What a fork may change, in the payload of `trace_forked`, as `amend`. Answers stay. */
export interface Amendment {
  readonly chairs?: readonly string[]
  /** The seats from here on: seats that answered and are not listed keep their answers but are not asked again. */
  readonly seats?: readonly SeatRecord[]
  readonly policy?: CouncilPolicy
  /**
   * Failures of the parent, as `trace/seq`, that are void from here on: the failed seats are asked again. Since edition 2.
   */
  readonly retry?: readonly string[]
}

/** The provider of every seat of a scripted demo. */
export const SCRIPTED_PROVIDER = 'scripted'

/** What may not change about a seat under the same name. */
export const FORKED_SEAT_FIELDS = [
  'provider',
  'vendor',
  'model',
  'embedded',
  'stance',
  'temperature',
  'thinking',
] as const

export const ERROR_TYPES = ['timeout', 'auth', 'rate_limit', 'network', 'parse_error'] as const

/** A seat that gave no answer in a round, and why. */
export interface ProviderFailure {
  readonly provider: string
  readonly round: Round
  readonly error_type: (typeof ERROR_TYPES)[number]
  readonly cause: string | null
  readonly error_message: string
  readonly retried: boolean
  readonly fallback_used: boolean
}

interface Asked extends AskingFields {
  readonly action: string
  readonly seat: string
  /** How the reply was read; null where there was none. Absent in the first edition. */
  readonly reading?: ReadingRecord | null
}

export interface Failed extends Asked {
  readonly failure: ProviderFailure
}

/** Of the first edition only: `repaired`, where the model was asked again unrecorded. */
interface Given extends Asked {
  readonly repaired?: boolean
}

export interface OpinionGiven extends Given {
  readonly opinion: OpinionAnswer
}

export interface ReviewGiven extends Given {
  readonly review: ReviewAnswer
}

export interface ReportGiven extends Given {
  readonly report: ReportAnswer
}

export interface Incomplete extends Asked {
  readonly reading: ReadingRecord
}

export interface OpinionIncomplete extends Incomplete {
  /** The fallback if asking again gives no better answer: an opinion in prose that states no stance. */
  readonly prose: OpinionAnswer | null
}

export interface OpinionJoined {
  readonly action: string
  readonly seat: string
  /** Parts to which there is no answer. */
  readonly missing: readonly number[]
  /** The union of the answers; null where there were none. */
  readonly opinion: OpinionAnswer | null
  /** Why there is none. */
  readonly failure: ProviderFailure | null
}

/** An encoder's similarity of two recommendations, rounded to 1e-4. Empty when it failed. */
export interface AgreementScored {
  readonly action: string
  readonly encoder: string
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly cosine: number }[]
}

/** Time ran out: no more seats are asked in this round, and running calls are stopped. */
export interface RoundClosed {
  readonly round: Round
  readonly reason: 'timeout'
}

/** Someone requested an early end: nothing more is asked. */
export interface CloseRequested {
  readonly reason: string
}

export interface ReportAssembled {
  readonly action: string
  readonly report: CouncilFinalReport
}

/** The usage of one round. */
export interface RoundMetrics {
  readonly round: Round
  readonly start_time: string
  readonly end_time: string
  readonly duration_ms: number
  readonly providers_attempted: number
  readonly providers_succeeded: number
  readonly providers_failed: number
  /** Sums of what is known. */
  readonly total_tokens_in: number
  readonly total_tokens_out: number
  readonly tokens_unknown_calls: number
}

/** The usage of a council: time, calls, tokens and cost. */
export interface CouncilSessionMetrics {
  readonly session_id: string
  readonly mode: Mode
  readonly total_duration_ms: number
  readonly rounds_completed: number
  readonly short_circuit_triggered: boolean
  /** At least this much; null when the cost of no call is known. */
  readonly total_cost_estimate: number | null
  readonly cost_unknown_calls: number
  readonly calls: number
  readonly calls_lost: number
}

export const STATUSES = [
  'reported',
  'degraded',
  'quorum_failed',
  'failed',
  'over_budget',
  'closed_early',
] as const
export type CouncilStatus = (typeof STATUSES)[number]

export interface CouncilClosed {
  readonly action: string
  readonly status: CouncilStatus
  readonly reason: string
  /** `trace/seq` of the event that holds the report; null when there is none. */
  readonly report: string | null
  readonly rounds: readonly RoundMetrics[]
  readonly metrics: CouncilSessionMetrics
}

/** Every type of event of a council with its payload. */
export interface Payloads {
  [OPENED]: CouncilOpened
  [OPINION_GIVEN]: OpinionGiven
  [OPINION_FAILED]: Failed
  [OPINION_INCOMPLETE]: OpinionIncomplete
  [OPINION_JOINED]: OpinionJoined
  [AGREEMENT_SCORED]: AgreementScored
  [SHORT_CIRCUIT_DECIDED]: ShortCircuitDecided
  [REVIEW_GIVEN]: ReviewGiven
  [REVIEW_FAILED]: Failed
  [REVIEW_INCOMPLETE]: Incomplete
  [REPORT_GIVEN]: ReportGiven
  [REPORT_FAILED]: Failed
  [REPORT_INCOMPLETE]: Incomplete
  [ROUND_CLOSED]: RoundClosed
  [CLOSE_REQUESTED]: CloseRequested
  [REPORT_ASSEMBLED]: ReportAssembled
  [CLOSED]: CouncilClosed
}

export const payloadOf = payloadReader<Payloads>()
