// The port to a model: one request shape, one reply shape, and failures that say what really happened. A
// model makes exactly one attempt: retry, fallback and recording belong to the seat above it. Text of a model
// is data.

import type { PromptPart } from '../ledger/prompt.ts'
import type { RawReply } from '../ledger/raw-reply.ts'
import type { JsonSchema } from '../ledger/schema.ts'

/** The way in which a model is reached. */
export type Transport = 'mcp' | 'cli' | 'api' | 'sampling' | 'embedded' | 'replay'

export type { JsonSchema } from '../ledger/schema.ts'

/** A whole call may take this many times its limit on silence. */
export const CAP_TIMES = 5

/** A request to a model. */
export interface Request {
  readonly system: string
  /** Rendered in order as the model's input. */
  readonly parts: readonly PromptPart[]
  /**
   * The shape that the model is asked for, in the vendor's own way; null for plain text. The reply is not checked against it.
   */
  readonly schema: JsonSchema | null
  readonly limits: {
    /** The longest silence; any byte ends it. A whole call may take `CAP_TIMES` as long. */
    readonly timeoutMs: number
    readonly maxOutputTokens: number | null
    /** A longer reply is cut off while reading and fails. */
    readonly maxReplyBytes: number
  }
  readonly signal: AbortSignal
  /** Called with the answer while it is written, piece by piece, for display: only the returned value counts. */
  readonly hear?: (words: string) => void
}

/** Tokens read and written. Null where the vendor did not say: never a guess. */
export interface Usage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

/** A model's answer, as received. The caller reads it, and nothing before it. */
export interface Reply extends RawReply {
  readonly ok: true
  readonly usage: Usage
  /** In US dollars: as the vendor reported it, from usage and prices, or zero if no model was asked; null when unknown. */
  readonly cost: { readonly usd: number; readonly from: 'vendor' | 'prices' | 'free' } | null
  readonly latencyMs: number
  readonly transport: Transport
  /** The model that the vendor says answered. */
  readonly model: string | null
}

/** The types of failure in the specification of councils. */
export type FailureType = 'timeout' | 'auth' | 'rate_limit' | 'network' | 'parse_error'

/** The cause of a failure, finer than its type. */
export type FailureCause =
  | 'billing'
  | 'context_too_long'
  | 'refused'
  | 'model_not_found'
  | 'aborted'
  | 'reply_too_large'
  | 'unavailable' // the transport itself is not there: no executable, no server, no such tool
  | 'server' // the vendor's own fault, 5xx

/** Why there is no answer. */
export interface Failure {
  readonly ok: false
  readonly type: FailureType
  readonly cause: FailureCause | null
  /** The original text of the error, with secrets removed. */
  readonly message: string
  readonly retryAfterMs: number | null
  readonly latencyMs: number
  readonly transport: Transport
  /** The usage before it failed, where known. */
  readonly usage: Usage
  /** What that cost; absent or null when unknown. */
  readonly cost?: Reply['cost']
  /** What the model refused, and will not be sent any more: the same can be asked again at once. */
  readonly adapted?: string
  /** The reply so far, where there is any: it is paid for, and kept. */
  readonly raw?: RawReply
}

/** An answer, or why there is none. */
export type Outcome = Reply | Failure

/** Whether a model can be asked now, and otherwise what is missing. */
export interface Availability {
  readonly ready: boolean
  /** Why not, or what was found, for example a version. */
  readonly detail: string
  /** What to do when it is not ready. */
  readonly next: string | null
  /** The command for that, as short as a line requires; where there is one. */
  readonly type?: string
}

/** A model that can be asked: one request, one answer. Every adapter passes one contract suite. */
export interface Model {
  /** Its name, as configured: `claude`, `openai`, `local`. */
  readonly provider: string
  /** Null lets the transport choose its own default. */
  readonly model: string | null
  readonly transport: Transport
  /** It is known without a check that it cannot be asked: no key, no server named. */
  readonly absent?: true
  available(signal: AbortSignal): Promise<Availability>
  /** Never throws for outside errors; frees its process, socket and files before it resolves. */
  ask(request: Request): Promise<Outcome>
}

// A complete failure from its known parts.

export const UNKNOWN_USAGE: Usage = { inputTokens: null, outputTokens: null }

export function failed(
  fault: Pick<Failure, 'type' | 'cause' | 'message'> &
    Partial<Pick<Failure, 'retryAfterMs' | 'usage' | 'cost' | 'adapted' | 'raw'>>,
  transport: Transport,
  latencyMs: number,
): Failure {
  return { ok: false, retryAfterMs: null, usage: UNKNOWN_USAGE, ...fault, transport, latencyMs }
}
