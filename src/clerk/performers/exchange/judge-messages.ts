// What the encoder, the scorer and the clustering say about messages. The door chooses how they judge; their
// results are recorded beside the vectors, and the fold only uses the record.

import type { Embedder } from '../../../embeddings/embedder.ts'
import type { Embedded } from '../../../exchange/events.ts'
import { VECTORS } from '../../../exchange/examine.ts'
import type { Message } from '../../../exchange/messages.ts'
import { type ExchangeState, visible } from '../../../exchange/state.ts'
import { concat } from '../../../ledger/bytes.ts'
import { isWitanError } from '../../../ledger/errors.ts'
import { bytesOf, type Vector } from '../../../ledger/vector.ts'
import type { Store } from '../../../stores/store.ts'

export interface EmbeddedMessage {
  readonly message: Message
  readonly vector: Vector
}

/** What is known about the window with the new messages in it. */
interface Judgement {
  /** How clearly each new message by a mind asks for a restart; null for what is not scored. */
  readonly scores: ReadonlyMap<string, number | null>
  readonly assigned: Embedded['assigned']
  readonly clusters: Embedded['clusters']
  readonly alarms: Embedded['alarms']
}

/** `window` holds every message that can be sampled, including the new ones, oldest first. */
export type Judge = (
  state: ExchangeState,
  window: readonly EmbeddedMessage[],
  fresh: readonly EmbeddedMessage[],
) => Promise<Judgement>

/** Why there are no vectors, as text, when the encoder failed. */
export type EmbedMessages = (
  state: ExchangeState,
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<Embedded | string>

export function embedWith({
  store,
  embedder,
  judge,
}: {
  readonly store: Store
  readonly embedder: Embedder
  readonly judge: Judge
}): EmbedMessages {
  return async (state, ids, signal) => {
    const known = new Map([...visible(state), ...state.pending].map((message) => [message.id, message]))
    const messages = [...known.values()]
    let vectors: readonly Vector[]
    try {
      // Earlier embeddings come from the cache of the embedder.
      vectors = await embedder.embed(
        messages.map(({ text }) => text),
        signal,
      )
    } catch (error) {
      if (isWitanError(error, 'SENSE_FAILED')) return error.message
      throw error
    }
    const embedded = messages.map((message, i) => ({ message, vector: vectors[i] as Vector }))
    const byId = new Map(embedded.map((one) => [one.message.id, one]))
    const fresh = ids.flatMap((id) => byId.get(id) ?? [])
    const judgement = await judge(state, embedded, fresh)
    const parts = fresh.map(({ vector }) => bytesOf(vector))
    const { hash, size } = await store.putArtifact(concat(...parts))
    return {
      encoder: embedder.encoder,
      messages: fresh.map(({ message: { id } }) => ({ id, score: judgement.scores.get(id) ?? null })),
      assigned: judgement.assigned,
      clusters: judgement.clusters,
      alarms: judgement.alarms,
      artifacts: [{ hash, size, name: VECTORS, media_type: 'application/octet-stream' }],
    }
  }
}
