// A sense for tests of what stands around one: a vector counts the words of its text, in slots by their hash. It is
// exact, quick, and remembers what it was asked.
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  closedError,
  dimensionOf,
  type Embedder,
  toVector,
  type Vector,
  zeroVector,
} from '../../src/embeddings/embedder.ts'

/** Three slots a word, so that texts with different words differ. */
export function countWords(text: string, dimension: number): number[] {
  const counts = new Array<number>(dimension).fill(0)
  for (const word of text.toLowerCase().match(/[^\s\p{Cc}\u200b.,!?]+/gu) ?? []) {
    const hash = createHash('sha256').update(word).digest()
    for (const at of [0, 4, 8]) {
      const slot = hash.readUInt32BE(at) % dimension
      counts[slot] = (counts[slot] ?? 0) + 1
    }
  }
  return counts
}

export class WordCountEmbedder implements Embedder {
  readonly encoder: string
  readonly dimension: number
  readonly asked: (readonly string[])[] = []
  #closed = false

  constructor(encoder = 'fake:words:256') {
    this.encoder = encoder
    this.dimension = dimensionOf(encoder)
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]> {
    signal?.throwIfAborted()
    this.asked.push(texts)
    const vectors: Vector[] = []
    for (const [i, text] of texts.entries()) {
      if (i % 8 === 0) await setTimeout(1)
      signal?.throwIfAborted()
      if (this.#closed) throw closedError(this.encoder)
      const counts = countWords(text, this.dimension)
      vectors.push(
        counts.some((count) => count > 0) ? toVector(this.encoder, counts) : zeroVector(this.encoder),
      )
    }
    return vectors
  }

  async close(): Promise<void> {
    this.#closed = true
  }
}
