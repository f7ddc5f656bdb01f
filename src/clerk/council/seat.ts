// Whoever can be asked at a council's table, as the clerk sees them. `createSeat` of the minds' room makes such
// seats; so can anyone else.

import type { PromptPart } from '../../ledger/prompt.ts'
import type { FailureType, JsonSchema, Outcome } from '../../minds/mind.ts'
import type { Tried } from '../recording.ts'

export interface Asking {
  readonly round: string
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema | null
  readonly limits: { readonly maxOutputTokens: number | null; readonly maxReplyBytes: number }
  readonly signal: AbortSignal
}

export interface Asked {
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

export interface CouncilSeat {
  readonly provider: string
  ask(asking: Asking): Promise<Asked>
}
