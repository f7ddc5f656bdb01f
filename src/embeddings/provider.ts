// Embeddings of a provider. Texts are cut to what the model can hear and sent in batches that the wire allows; what
// comes back is counted and measured before it becomes a vector. Whether a provider answers twice alike is its own
// affair: a cache makes it so.

import { type Chunk, cutIntoChunks } from './chunks.ts'
import { closedError, type Embedder, silence, toVector, type Vector } from './embedder.ts'
import { type Ask, asker, type ProviderOptions } from './provider-call.ts'
import { failed } from './provider-failure.ts'

const LIMITS = {
  openai: { tokens: 8000, texts: 512, together: 200_000 },
  google: { tokens: 2000, texts: 100, together: 100_000 },
  'openai-compatible': { tokens: 500, texts: 64, together: 16_000 },
} as const
/** More than any tokenizer makes of it, or nearly so. No library's guess: another guess would be another encoder. */
const tokensOf = (word: string): number => Math.ceil(Buffer.byteLength(word) / 3)

interface Part extends Chunk {
  readonly owner: number
}

class ProviderEmbedder implements Embedder {
  readonly encoder: string
  readonly dimension: number
  readonly #ask: Ask
  readonly #closing: AbortController
  readonly #limits: (typeof LIMITS)[ProviderOptions['kind']]
  readonly #tokens: number

  constructor(options: ProviderOptions, dimension: number, ask: Ask, closing: AbortController) {
    const { kind, name = kind, model, maxTokens } = options
    this.#limits = LIMITS[kind]
    this.#tokens = maxTokens ?? this.#limits.tokens
    const cut = maxTokens === undefined ? '' : `@${maxTokens}t`
    this.encoder = `${name}:${model}${cut}:${dimension}`.replace(/\s+/g, '_')
    this.dimension = dimension
    this.#ask = ask
    this.#closing = closing
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]> {
    signal?.throwIfAborted()
    if (this.#closing.signal.aborted) throw closedError(this.encoder)
    const parts = texts.flatMap((text, owner) =>
      cutIntoChunks(text.replace(/\p{Surrogate}/gu, '\ufffd'), this.#tokens, tokensOf).map((part) => ({
        ...part,
        owner,
      })),
    )
    const sums = new Map<number, Float64Array>()
    for (const batch of this.#batchesOf(parts)) {
      const raw = await this.#ask(
        batch.map(({ text }) => text),
        signal,
      )
      for (const [i, { owner, weight }] of batch.entries()) {
        const sum = sums.get(owner) ?? new Float64Array(this.dimension)
        for (const [d, value] of this.#vectorOf(raw, i, batch.length).values.entries()) {
          sum[d] = (sum[d] ?? 0) + weight * value
        }
        sums.set(owner, sum)
      }
    }
    return texts.map((_, owner) => {
      const sum = sums.get(owner)
      return sum ? toVector(this.encoder, sum) : silence(this.encoder)
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  #vectorOf(raw: readonly number[][], i: number, expected: number): Vector {
    const wrong = (what: string) => failed(this.encoder, 'malformed', what)
    if (raw.length !== expected) throw wrong(`${raw.length} vectors came for ${expected} texts`)
    const numbers = raw[i] ?? []
    if (numbers.length !== this.dimension) throw wrong(`a vector of ${numbers.length} numbers came`)
    return toVector(this.encoder, numbers)
  }

  #batchesOf(parts: readonly Part[]): Part[][] {
    const batches: Part[][] = []
    let weight = 0
    for (const part of parts) {
      const last = batches.at(-1)
      weight += part.weight
      if (last && last.length < this.#limits.texts && weight <= this.#limits.together) last.push(part)
      else {
        batches.push([part])
        weight = part.weight
      }
    }
    return batches
  }
}

/** Vectors from a provider’s embedding model. */
export async function openProviderEmbedder(
  options: ProviderOptions,
  signal?: AbortSignal,
): Promise<Embedder> {
  const closing = new AbortController()
  const ask = asker(options, closing.signal)
  const dimension = options.dimension ?? (await ask(['word'], signal))[0]?.length ?? 0
  if (dimension < 1) throw failed(options.model, 'malformed', 'a vector without numbers came')
  return new ProviderEmbedder(options, dimension, ask, closing)
}
