// Whoever can be asked, as the clerk sees them. `createSeat` of the minds' room makes such seats; so can anyone else.

import type { PromptPart } from '../ledger/prompt.ts'
import type { FailureType, JsonSchema, Outcome } from '../models/model.ts'
import type { Tried } from './call-records.ts'

/** What a seat is asked. */
export interface SeatAsking {
  /** What the asking is for; `R1`, `R2` or `R3` in a council. Time limits may depend on it. */
  readonly round: string
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema | null
  readonly limits: { readonly maxOutputTokens: number | null; readonly maxReplyBytes: number }
  readonly signal: AbortSignal
}

/** What came of asking a seat. */
export interface SeatAsked {
  readonly outcome: Outcome
  readonly attempts: readonly Tried[]
  /** Null when the seat answered. */
  readonly failure: {
    readonly provider: string
    readonly error_type: FailureType
    readonly cause: string | null
    readonly error_message: string
    readonly retried: boolean
    readonly fallback_used: boolean
  } | null
}

/** Someone who can be asked, under the name of a provider. */
export interface AskableSeat {
  readonly provider: string
  ask(asking: SeatAsking): Promise<SeatAsked>
}

/** What is recorded of asking a seat that is not set up on this machine. */
export function nobodySits(provider: string): SeatAsked {
  const message = `no seat of ${provider} is set up here`
  return {
    outcome: {
      ok: false,
      type: 'network',
      cause: 'unavailable',
      message,
      retryAfterMs: null,
      latencyMs: 0,
      transport: 'api',
      usage: { inputTokens: null, outputTokens: null },
    },
    attempts: [],
    failure: {
      provider,
      error_type: 'network',
      cause: 'unavailable',
      error_message: message,
      retried: false,
      fallback_used: false,
    },
  }
}
