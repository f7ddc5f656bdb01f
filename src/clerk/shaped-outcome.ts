// How traces of the first edition keep outcomes: the reply beside the value that was read from it, or, where
// none could be read, a failure that says so. Later editions keep only the reply, and read it again.

import type { Json } from '../ledger/canonical.ts'
import type { RawReply } from '../ledger/raw-reply.ts'
import type { Failure, Outcome, Reply } from '../models/model.ts'
import { READER_VERSION, readReply } from '../reply/read-reply.ts'
import type { Reading } from '../reply/reading.ts'
import type { ReplyContext, WantedValue } from '../reply/wanted.ts'

export type ShapedOutcome =
  | (Omit<Reply, keyof RawReply> & {
      readonly text: string
      readonly object: Json | null
      readonly repaired: false
    })
  | Omit<Failure, 'raw'>

function unreadableReply(reply: Reply, cause: Failure['cause'], message: string): ShapedOutcome {
  const { usage, cost, latencyMs, transport } = reply
  const fault = { ok: false, type: 'parse_error', cause, message, retryAfterMs: null } as const
  return { ...fault, latencyMs, transport, usage, cost }
}

const rejectionReason = (reading: Exclude<Reading, { readonly outcome: 'kept' }>): string =>
  reading.outcome === 'missing'
    ? `the answer lacks ${reading.missing.join(', ')}`
    : 'the answer is prose, where an object was asked for'

function withValue(reply: Reply, object: Json | null): ShapedOutcome {
  const { usage, cost, latencyMs, transport, model } = reply
  const text = reply.text.toWellFormed()
  return { ok: true, text, object, usage, cost, latencyMs, transport, model, repaired: false }
}

/** With the value that was asked for. */
export function shapedOutcome(wanted: WantedValue, outcome: Outcome, context: ReplyContext): ShapedOutcome {
  if (!outcome.ok) return withoutRaw(outcome)
  const reading = readReply(READER_VERSION, wanted, outcome, context)
  if (reading.outcome === 'kept') return withValue(outcome, reading.value)
  if (reading.outcome === 'refused')
    return unreadableReply(outcome, 'refused', 'the model declined to answer')
  return unreadableReply(outcome, null, rejectionReason(reading))
}

/** Where plain text was asked for. */
export function plainOutcome(outcome: Outcome): ShapedOutcome {
  if (!outcome.ok) return withoutRaw(outcome)
  const { text, finish_reason, refusal, cut } = outcome
  if (refusal !== undefined || finish_reason === 'content_filter')
    return unreadableReply(outcome, 'refused', 'the model declined to answer')
  if (cut === true || finish_reason === 'length')
    return unreadableReply(outcome, null, 'the answer was cut off')
  return text.trim() === '' ? unreadableReply(outcome, null, 'an empty answer') : withValue(outcome, null)
}

function withoutRaw({ raw: _, ...failure }: Failure): ShapedOutcome {
  return failure
}
