// The port to an encoder of texts. A sense answers every text with one vector, in order, or fails as a
// whole and says why; it makes one attempt. Its encoder's name is on every vector: change anything that changes the
// numbers (model, weights, how texts are cut) and the name must change with it.

import { WitanError } from '../ledger/errors.ts'

export * from '../ledger/vector.ts'

import type { Vector } from '../ledger/vector.ts'

/** An encoder of texts. */
export interface Embedder {
  /** Names model, version and dimension, for example `openai:text-embedding-3-small:1536`. */
  readonly encoder: string
  readonly dimension: number
  /**
   * One vector per text, in order. A text without words is silence. Rejects with the signal's reason once that is
   * given, and with a SenseError for what the encoder or the world did.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]>
  /** Frees threads and sockets; calls under way fail, and so does every later one. */
  close(): Promise<void>
}

/** What can go wrong with an encoder. */
export type EmbeddingFault =
  | 'auth'
  | 'billing'
  | 'rate_limit'
  | 'timeout'
  | 'network'
  | 'not_found' // no such model there
  | 'refused' // the provider does not take this request
  | 'server' // the provider's own fault
  | 'malformed' // an answer that is none
  | 'crashed' // the encoder on this machine
  | 'closed'

/** A fault of an encoder, and how long to wait where it said so. */
export class EmbeddingError extends WitanError {
  readonly fault: EmbeddingFault
  readonly retryAfterMs: number | null

  constructor(
    fault: EmbeddingFault,
    message: string,
    next: string,
    { retryAfterMs = null, cause }: { readonly retryAfterMs?: number | null; readonly cause?: unknown } = {},
  ) {
    super('SENSE_FAILED', message, next, cause === undefined ? {} : { cause })
    this.fault = fault
    this.retryAfterMs = retryAfterMs
  }
}

/** The fault of a sense that is used after it was closed. */
export const closedError = (encoder: string): EmbeddingError =>
  new EmbeddingError('closed', `${encoder} was closed`, 'Open it again to embed more texts.')
