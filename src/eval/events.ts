// The events of `eval/1`. An evaluation names each of its councils by trace and head, and records what
// grading and statistics need; what follows from that is recorded and refused when it differs from what
// folding gives.

import type { AskingFields } from '../ledger/raw-reply.ts'
import type { ValueOf } from '../ledger/schema.ts'
import { payloadReader } from '../protocol.ts'
import type { ReadingRecord } from '../reply/reading-record.ts'
import type { Judged } from './grading/grade.ts'
import type * as shapes from './schema.ts'

export const EVAL = 'eval/1'

export const OPENED = 'eval_opened'
export const ITEM_HELD = 'item_held'
export const SAMPLE_GIVEN = 'sample_given'
export const SAMPLE_FAILED = 'sample_failed'
export const JUDGEMENT_GIVEN = 'judgement_given'
export const JUDGEMENT_FAILED = 'judgement_failed'
export const ITEM_GRADED = 'item_graded'
export const CLOSED = 'eval_closed'
/** How a past council turned out: a trace of its own with this one event. */
export const OUTCOME = 'outcome_recorded'

/** The actor that opens an evaluation, and records outcomes. */
export const EVALUATOR = 'evaluator'
/** A seat that is asked again, alone. */
export const SAMPLED = 'participant'
export const GRADER = 'grader'

export type EvalOpened = ValueOf<typeof shapes.OPENING>
export type Held = ValueOf<typeof shapes.HELD>
export type HeldOpinion = Held['opinions'][number]
export type Graded = ValueOf<typeof shapes.GRADED>
export type Grade = Graded['grades'][number]
export type EvalClosed = ValueOf<typeof shapes.CLOSING>
export type OutcomeRecorded = ValueOf<typeof shapes.OUTCOME_SAID>

interface Asked extends AskingFields {
  readonly action: string
  readonly item: number
  readonly rep: number
  readonly seat: string
}

export interface SampleGiven extends Asked {
  readonly n: number
  readonly text: string
}

export interface SampleFailed extends Asked {
  readonly n: number
  readonly error_type: string
  readonly message: string
}

export interface JudgementGiven extends Asked {
  /** Which of the distinct answers, from 0. */
  readonly answer: number
  readonly order: 'first' | 'second'
  readonly reading: ReadingRecord
  readonly verdict: Exclude<Judged, null>
}

export interface JudgementFailed extends Asked {
  readonly answer: number
  readonly order: 'first' | 'second'
  readonly reading: ReadingRecord | null
  readonly error_type: string
  readonly message: string
}

export interface Payloads {
  [OPENED]: EvalOpened
  [ITEM_HELD]: Held
  [SAMPLE_GIVEN]: SampleGiven
  [SAMPLE_FAILED]: SampleFailed
  [JUDGEMENT_GIVEN]: JudgementGiven
  [JUDGEMENT_FAILED]: JudgementFailed
  [ITEM_GRADED]: Graded
  [CLOSED]: EvalClosed
  [OUTCOME]: OutcomeRecorded
}

export const payloadOf = payloadReader<Payloads>()
