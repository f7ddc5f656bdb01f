// One asking of one seat, from the prompt to the event that tells of it. Whatever the seat or the world does becomes
// an outcome; only being told to stop by the clerk itself leaves none, and the call is then closed as lost.

import type { Failed, Round } from '../../../council/events.ts'
import type { Read } from '../../../council/replies/normalise.ts'
import type { Json } from '../../../ledger/canonical.ts'
import type { PromptPart } from '../../../ledger/prompt.ts'
import type { JsonSchema, Outcome } from '../../../models/model.ts'
import type { Store } from '../../../stores/store.ts'
import { type AskingRecord, keepRequest, recordAsking } from '../../call-records.ts'
import { type AskableSeat, nobodySits } from '../../seat.ts'
import { turn } from '../../turns.ts'
import type { Stopped } from './round-clock.ts'

export interface Prompted {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema
}

export interface Errand {
  readonly round: Round
  readonly provider: string
  readonly prompt: Prompted
  readonly maxReplyBytes: number
  /** The clerk's own. */
  readonly signal: AbortSignal
  /** The round's. */
  readonly stop: AbortSignal
}

const STOPPED: Readonly<Record<Stopped, string>> = {
  timeout: 'the round was closed before an answer came',
  budget: 'the time budget was used up before an answer came',
  closed: 'the council was closed before an answer came',
}

/** A call that was told to stop because its time was over timed out, whatever the transport says of it. */
const stopped = (outcome: Outcome, why: Stopped): Outcome =>
  outcome.ok || outcome.cause !== 'aborted' ? outcome : { ...outcome, type: 'timeout', message: STOPPED[why] }

export type Told<Answer> =
  | { readonly ok: true; readonly answer: Answer; readonly repaired: boolean; readonly record: AskingRecord }
  | { readonly ok: false; readonly failure: Failed['failure']; readonly record: AskingRecord }

export async function askSeat<Answer>(
  store: Store,
  seat: AskableSeat | undefined,
  errand: Errand,
  read: (object: Json) => Read<Answer>,
): Promise<Told<Answer>> {
  const { round, provider, prompt, signal, stop } = errand
  const limits = { maxOutputTokens: null, maxReplyBytes: errand.maxReplyBytes }
  const both = AbortSignal.any([signal, stop])
  const asking = seat?.ask({ round, ...prompt, limits, signal: both })
  // The questions of all seats are on their way before the first of them is put away.
  const keeping = turn().then(() => keepRequest(store, prompt))
  // Met again where the record is made, unless nothing is recorded any more.
  keeping.catch(() => undefined)
  const asked = asking ? await asking : nobodySits(provider)
  if (signal.aborted) throw signal.reason
  const { attempts, failure } = asked
  const outcome = stop.aborted ? stopped(asked.outcome, stop.reason as Stopped) : asked.outcome
  const record = await recordAsking(store, keeping, outcome, attempts)
  const told = {
    provider,
    round,
    retried: failure?.retried ?? attempts.length > 1,
    fallback_used: failure?.fallback_used ?? new Set(attempts.map(({ transport }) => transport)).size > 1,
  }
  if (outcome.ok) {
    const found = read(outcome.object ?? null)
    if (found.ok) return { ok: true, answer: found.answer, repaired: outcome.repaired, record }
    const misread = { error_type: 'parse_error', cause: null, error_message: found.why } as const
    return { ok: false, failure: { ...told, ...misread }, record }
  }
  const why = { error_type: outcome.type, cause: outcome.cause, error_message: outcome.message }
  return { ok: false, failure: { ...told, ...why }, record }
}
