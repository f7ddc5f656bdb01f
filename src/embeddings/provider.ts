// One request for embeddings, over the AI SDK, in one attempt: retries belong to the caller that records
// them. The key goes to the configured address only, so a redirect is an error; errors are those that the
// port defines.

import type { EmbeddingModel } from 'ai'
import { type Chunk, cutIntoChunks } from './chunks.ts'
import { closedError, type Embedder, toVector, type Vector, zeroVector } from './embedder.ts'

import { failed, failureOf } from './provider-faults.ts'

/** Which model encodes, at which address, and with which key. */
export interface ProviderOptions {
  readonly kind: 'openai' | 'google' | 'openai-compatible'
  /** As configured; part of the encoder's name. By default the kind. */
  readonly name?: string
  readonly model: string
  /** Null where the server needs none, like local ones. */
  readonly apiKey: string | null
  /** Needed for `openai-compatible`; otherwise by default the vendor's own. */
  readonly baseUrl?: string
  /** Requested from the vendor where the API allows; null uses the model's own, found by embedding one word. */
  readonly dimension: number | null
  /** Longer texts are cut and averaged; by default the vendor's limit. */
  readonly maxTokens?: number
  /** For one request; by default a minute. */
  readonly timeoutMs?: number
  /** A longer reply is cut off and fails. */
  readonly maxReplyBytes?: number
}

/**
 * Ends an endless reply: a server must not fill our memory, nor be read for ever. `fetch` itself may forget the signal when
 * garbage is collected.
 */
function capped(
  body: ReadableStream<Uint8Array>,
  bytes: number,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  let remaining = bytes
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      remaining -= chunk.length
      if (remaining < 0) controller.error(new Error(`the reply is over ${bytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  return body.pipeThrough(counted, signal ? { signal } : {})
}

const guardedFetch =
  (bytes: number): typeof fetch =>
  async (input, init) => {
    const reply = await fetch(input, { ...init, redirect: 'error' })
    return reply.body ? new Response(capped(reply.body, bytes, init?.signal), reply) : reply
  }

async function openModel(options: ProviderOptions): Promise<EmbeddingModel> {
  const { kind, name = kind, model, apiKey, baseUrl, maxReplyBytes = 128 * 1024 * 1024 } = options
  // Without a key of ours the SDK would take one from the environment.
  const shared = {
    apiKey: apiKey ?? '',
    fetch: guardedFetch(maxReplyBytes),
    ...(baseUrl && { baseURL: baseUrl }),
  }
  if (kind === 'openai') return (await import('@ai-sdk/openai')).createOpenAI(shared).embeddingModel(model)
  if (kind === 'google') {
    return (await import('@ai-sdk/google')).createGoogleGenerativeAI(shared).embeddingModel(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const { apiKey: _, ...open } = shared
  const settings = { ...open, name, baseURL: baseUrl ?? '', ...(apiKey !== null && { apiKey }) }
  return createOpenAICompatible(settings).embeddingModel(model)
}

/** The API numbers its answers; the SDK takes them in their order. */
function inOrder(embeddings: readonly number[][], body: unknown): readonly number[][] {
  const { data } = (body ?? {}) as { readonly data?: readonly { readonly index?: unknown }[] }
  if (!Array.isArray(data) || data.length !== embeddings.length) return embeddings
  const places = data.map(({ index }) => index)
  if (new Set(places).size !== places.length || !places.every(Number.isInteger)) return embeddings
  return embeddings.map((_, i) => embeddings[places.indexOf(i)] ?? [])
}

interface Limit {
  readonly signal: AbortSignal
  readonly isLate: () => boolean
  readonly clear: () => void
}

/** Held by its timer: what `AbortSignal.any` makes of a timeout can be lost with Node 20 when garbage is collected. */
function startLimit(ms: number, signals: readonly AbortSignal[]): Limit {
  const controller = new AbortController()
  const abort = () => controller.abort()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    abort()
  }, ms)
  for (const signal of signals) {
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  }
  const clear = () => {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, isLate: () => isLate, clear }
}

type Ask = (texts: readonly string[], signal: AbortSignal | undefined) => Promise<readonly number[][]>

function asker(options: ProviderOptions, closing: AbortSignal): Ask {
  const { kind, name = kind, model, apiKey, dimension, timeoutMs = 60_000 } = options
  const who = `${name} ${model}`
  const providerOptions = dimension !== null && {
    providerOptions: { openai: { dimensions: dimension }, google: { outputDimensionality: dimension } },
  }
  let loading: Promise<EmbeddingModel> | null = null
  return async (texts, signal) => {
    if (kind !== 'openai-compatible' && !apiKey) throw failed(who, 'auth', 'there is no API key')
    const limit = startLimit(timeoutMs, [closing, ...(signal ? [signal] : [])])
    try {
      loading ??= openModel(options)
      const [{ embedMany }, embeddingModel] = await Promise.all([import('ai'), loading])
      const { embeddings, responses } = await embedMany({
        model: embeddingModel,
        values: [...texts],
        maxRetries: 0,
        abortSignal: limit.signal,
        ...(kind !== 'openai-compatible' && providerOptions),
      })
      return inOrder(embeddings, responses?.[0]?.body)
    } catch (error) {
      signal?.throwIfAborted()
      if (closing.aborted) throw closedError(who)
      if (limit.isLate()) throw failed(who, 'timeout', `no answer within ${timeoutMs} ms`)
      throw failureOf(who, apiKey, error)
    } finally {
      limit.clear()
    }
  }
}

// Embeddings of a provider. Texts are cut to the model's limit and sent in batches that the API allows;
// results are counted and checked before they become vectors. A provider may answer twice differently: a
// cache makes it stable.

const LIMITS = {
  openai: { tokens: 8000, texts: 512, together: 200_000 },
  google: { tokens: 2000, texts: 100, together: 100_000 },
  'openai-compatible': { tokens: 500, texts: 64, together: 16_000 },
} as const
/** An upper estimate of the tokens of any tokenizer. Not a library's: another estimate would be another encoder. */
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
      return sum ? toVector(this.encoder, sum) : zeroVector(this.encoder)
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
