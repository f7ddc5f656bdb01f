// The port to an encoder of texts. An embedder answers every text with one vector, in order, or fails
// as a whole and says why; it makes one attempt. Its encoder's name is on every vector: a change of
// anything that changes the numbers (model, weights, how texts are cut) must change the name.

import { WitanError } from '../ledger/errors.ts'

export * from '../ledger/vector.ts'

import type { Vector } from '../ledger/vector.ts'

/** An encoder of texts. */
export interface Embedder {
  /** Names model, version and dimension, for example `openai:text-embedding-3-small:1536`. */
  readonly encoder: string
  readonly dimension: number
  /**
   * One vector for each text, in order. A text without words has no direction. Rejects with the signal's reason
   * once that is aborted, and with a SenseError for faults of the encoder or the environment.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]>
  /** Frees threads and sockets; running calls fail, and so does every later one. */
  close(): Promise<void>
}

/** The kinds of faults of an encoder. */
export type EmbeddingFault =
  | 'auth'
  | 'billing'
  | 'rate_limit'
  | 'timeout'
  | 'network'
  | 'not_found' // no such model there
  | 'refused' // the provider does not accept this request
  | 'server' // the provider's own fault
  | 'malformed' // an invalid answer
  | 'crashed' // the encoder on this machine
  | 'closed'

/** A fault of an encoder, and how long to wait if it said so. */
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

/** The fault of an embedder that is used after it was closed. */
export const closedError = (encoder: string): EmbeddingError =>
  new EmbeddingError('closed', `${encoder} was closed`, 'Open it again to embed more texts.')
