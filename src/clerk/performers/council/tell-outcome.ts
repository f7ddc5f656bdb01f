// The event with the outcome of asking a seat, by the edition of its council: in the first, the parsed value
// is kept beside the reply; since then, what follows from the raw reply, with how it was read.

import * as is from '../../../council/events.ts'
import { concludeReply, type ReplyToRead } from '../../../council/replies/conclude.ts'
import { type Read, readOpinion, readReport, readReview } from '../../../council/replies/normalise.ts'
import type { Mode } from '../../../council/replies/opinion.ts'
import { wantedOpinion, wantedReport, wantedReview } from '../../../council/replies/wanted.ts'
import type { Json } from '../../../ledger/canonical.ts'
import { shapedOutcome } from '../../shaped-outcome.ts'
import type { SeatOutcome } from './ask-seat.ts'

/** A type of event and its content in addition to who was asked. */
export interface OutcomeEvent {
  readonly type: string
  readonly payload: object
}

const EVENTS = {
  R1: [is.OPINION_GIVEN, is.OPINION_FAILED, is.OPINION_INCOMPLETE, 'opinion'],
  R2: [is.REVIEW_GIVEN, is.REVIEW_FAILED, is.REVIEW_INCOMPLETE, 'review'],
  R3: [is.REPORT_GIVEN, is.REPORT_FAILED, is.REPORT_INCOMPLETE, 'report'],
} as const

const WANTED = { R1: (mode: Mode) => wantedOpinion(mode), R2: wantedReview, R3: wantedReport } as const

type About = Omit<ReplyToRead, 'raw'>

/** As in the first edition. */
export async function outcomeOfObject(
  { outcome, tried, keep }: SeatOutcome,
  about: About,
): Promise<OutcomeEvent> {
  const { round, mode, prompt, labels } = about
  const [given, failed, , member] = EVENTS[round]
  const shaped = shapedOutcome(WANTED[round](mode), outcome, { prompt, labels: [...labels.keys()] })
  const record = await keep(shaped)
  const fails = (error_type: string, cause: string | null, error_message: string): OutcomeEvent => ({
    type: failed,
    payload: { ...record, failure: { ...tried, error_type, cause, error_message } },
  })
  if (!shaped.ok) return fails(shaped.type, shaped.cause, shaped.message)
  const read: (object: Json | null) => Read<object> = (object) => {
    if (round === 'R1') return readOpinion(mode, object)
    return round === 'R2' ? readReview(mode, object, labels) : readReport(mode, object)
  }
  const result = read(shaped.object)
  if (!result.ok) return fails('parse_error', null, result.why)
  return { type: given, payload: { ...record, [member]: result.answer, repaired: false } }
}

export async function outcomeOfReply(
  { outcome, tried, keep }: SeatOutcome,
  about: About,
): Promise<OutcomeEvent> {
  const [given, failed, incomplete, member] = EVENTS[about.round]
  const record = await keep()
  if (!outcome.ok) {
    const { type: error_type, cause, message: error_message } = outcome
    const failure = { ...tried, error_type, cause, error_message }
    return { type: failed, payload: { ...record, reading: null, failure } }
  }
  const conclusion = concludeReply({ ...about, raw: outcome })
  const { reading } = conclusion
  switch (conclusion.is) {
    case 'given':
      return { type: given, payload: { ...record, reading, [member]: conclusion.answer } }
    case 'incomplete': {
      const prose = about.round === 'R1' ? { prose: conclusion.prose } : {}
      return { type: incomplete, payload: { ...record, reading, ...prose } }
    }
    case 'failed': {
      const fault = { error_type: 'parse_error', cause: conclusion.cause, error_message: conclusion.message }
      return { type: failed, payload: { ...record, reading, failure: { ...tried, ...fault } } }
    }
  }
}
