// One call to one seat, from the prompt to the event with its outcome. Everything that the seat or the
// environment does becomes an outcome; only a stop by the clerk itself leaves none, and the call is then
// closed as lost.

import type { Failed, Round } from '../../../council/events.ts'
import type { PromptPart } from '../../../ledger/prompt.ts'
import type { JsonSchema, Outcome } from '../../../models/model.ts'
import type { Store } from '../../../stores/store.ts'
import { type AskingRecord, keepRequest, recordAsking } from '../../call-records.ts'
import { type AskableSeat, askSeatSafely, emptySeatAnswer, type SeatAsking } from '../../seat.ts'
import { waitForTurn } from '../../take-turns.ts'
import type { StopReason } from './round-clock.ts'

interface SeatPrompt {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema
}

export interface SeatQuestion {
  readonly round: Round
  readonly provider: string
  readonly prompt: SeatPrompt
  readonly maxReplyBytes: number
  /** The clerk's own signal. */
  readonly signal: AbortSignal
  /** The round's. */
  readonly stop: AbortSignal
  readonly leftMs: () => number
  readonly hear?: SeatAsking['hear']
}

const STOP_MESSAGES: Readonly<Record<StopReason, string>> = {
  timeout: 'the round was closed before an answer came',
  budget: 'the time budget was used up before an answer came',
  closed: 'the council was closed before an answer came',
}

/** A call that was stopped because its time was over has timed out, no matter what the transport reports. */
const asTimeout = (outcome: Outcome, why: StopReason): Outcome =>
  outcome.ok || outcome.cause !== 'aborted'
    ? outcome
    : { ...outcome, type: 'timeout', message: STOP_MESSAGES[why] }

/** The result of a call, before anything is read from it. */
export interface SeatOutcome {
  readonly outcome: Outcome
  /** What a failure contains in addition to its reason. */
  readonly tried: Pick<Failed['failure'], 'provider' | 'round' | 'retried' | 'fallback_used'>
  /** Stores request and answers; `value` is kept as the outcome. */
  keep(value?: object): Promise<AskingRecord>
}

export async function askSeat(
  store: Store,
  seat: AskableSeat | undefined,
  question: SeatQuestion,
): Promise<SeatOutcome> {
  const { round, provider, prompt, signal, stop } = question
  const limits = { maxOutputTokens: null, maxReplyBytes: question.maxReplyBytes }
  const both = AbortSignal.any([signal, stop])
  const asking =
    seat &&
    askSeatSafely(seat, {
      round,
      ...prompt,
      limits,
      signal: both,
      leftMs: question.leftMs,
      ...(question.hear && { hear: question.hear }),
    })
  // The prompts of all seats are sent before the first reply is stored.
  const keeping = waitForTurn().then(() => keepRequest(store, prompt))
  // Handled where the record is made, unless nothing is recorded any more.
  keeping.catch(() => undefined)
  const asked = asking ? await asking : emptySeatAnswer(provider)
  if (signal.aborted) throw signal.reason
  const { attempts, failure } = asked
  const outcome = stop.aborted ? asTimeout(asked.outcome, stop.reason as StopReason) : asked.outcome
  const tried = {
    provider,
    round,
    retried: failure?.retried ?? attempts.length > 1,
    fallback_used: failure?.fallback_used ?? new Set(attempts.map(({ transport }) => transport)).size > 1,
  }
  return { outcome, tried, keep: (value) => recordAsking(store, keeping, outcome, attempts, value) }
}
