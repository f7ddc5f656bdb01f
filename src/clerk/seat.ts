// A seat that can be asked, as the clerk sees it. `createSeat` in `models` makes such seats; so can any program.

import { isWitanError } from '../ledger/errors.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import type { FailureCause, FailureType, JsonSchema, Outcome } from '../models/model.ts'
import type { Tried } from './call-records.ts'

/** A request to a seat. */
export interface SeatAsking {
  /** The purpose of the request; `R1`, `R2` or `R3` in a council. Time limits may depend on it. */
  readonly round: string
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema | null
  readonly limits: { readonly maxOutputTokens: number | null; readonly maxReplyBytes: number }
  readonly signal: AbortSignal
  /** How long the round still lasts: a pause that a vendor requests is kept within it. */
  readonly leftMs?: () => number
  /** Called with the answer while it is written, for display; null where it begins again. */
  readonly hear?: (words: string | null) => void
}

/** The outcome of asking a seat. */
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

/** A model or person that can be asked, under the name of a provider. */
export interface AskableSeat {
  readonly provider: string
  ask(asking: SeatAsking): Promise<SeatAsked>
  /** How long one call of this round may take in all, where that is known. */
  capMs?(round: string): number
}

/** What is recorded of a seat that gave no outcome: the reason, in its own words if it gave one. */
function withoutOutcome(provider: string, cause: FailureCause | null, message: string): SeatAsked {
  return {
    outcome: {
      ok: false,
      type: 'network',
      cause,
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
      cause,
      error_message: message,
      retried: false,
      fallback_used: false,
    },
  }
}

/** What is recorded for a seat that is not set up on this machine. */
export const emptySeatAnswer = (provider: string): SeatAsked =>
  withoutOutcome(provider, 'unavailable', `no seat of ${provider} is set up here`)

/** The run itself may not continue: its database is unreachable, or others were told to continue it. */
const isOfTheRun = (error: unknown): boolean =>
  isWitanError(error, 'INTERRUPTED') ||
  isWitanError(error, 'VAULT_UNREACHABLE') ||
  isWitanError(error, 'VAULT_BUSY')

/** Asks a seat that may be anyone's: a seat that throws has failed, and ends nothing else. */
export async function askSeatSafely(seat: AskableSeat, asking: SeatAsking): Promise<SeatAsked> {
  try {
    return await seat.ask(asking)
  } catch (error) {
    if (isOfTheRun(error)) throw error
    const words = error instanceof Error ? error.message : String(error)
    return withoutOutcome(seat.provider, null, `the seat of ${seat.provider} threw: ${words}`)
  }
}
