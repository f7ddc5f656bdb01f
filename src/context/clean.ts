// The only way by which text gets out: without secrets. Long texts are scanned in their own thread, so that a
// text that is slow to scan blocks nothing else; where no thread is available they are scanned here. No text
// gets out unscanned.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import type { Cleaned } from '../ledger/secrets/remove.ts'
import { cleanTexts, type Uncleaned } from './clean-texts.ts'
import type { Job, Looked } from './cleaning-thread.ts'
import { unpacked } from './packed-removals.ts'

export type { Uncleaned } from './clean-texts.ts'

/** Longer texts take more time to scan than others should wait. */
const LONG = 65_536

/** Compiled, at the same distance from the source and from the built file. */
const THREAD = fileURLToPath(new URL('../../dist/context/cleaning-thread.js', import.meta.url))

interface Waiting {
  resolve(looked: Looked): void
  reject(error: unknown): void
}

class CleaningThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  constructor(worker: Worker, lost: () => void) {
    this.#worker = worker
    this.#worker.unref()
    this.#worker.on('message', (looked: Looked) => this.#take(looked.job)?.resolve(looked))
    const end = (error: unknown): void => {
      lost()
      for (const job of [...this.#waiting.keys()]) this.#take(job)?.reject(error)
    }
    this.#worker.on('error', end)
    this.#worker.on('exit', (code) => end(new Error(`the thread ended with ${code}`)))
  }

  /** It keeps the process alive only while someone waits for it. */
  #take(job: number): Waiting | undefined {
    const waiting = this.#waiting.get(job)
    this.#waiting.delete(job)
    if (this.#waiting.size === 0) this.#worker.unref()
    return waiting
  }

  look(texts: readonly Uncleaned[]): Promise<Looked> {
    const job: Job = { job: ++this.#last, texts }
    return new Promise((resolve, reject) => {
      this.#waiting.set(job.job, { resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage(job)
    })
  }
}

let thread: CleaningThread | null = null

async function cleanInThread(texts: readonly Uncleaned[]): Promise<readonly Cleaned[] | null> {
  if (!existsSync(THREAD)) return null
  try {
    const threads = await import('node:worker_threads')
    // No environment: the thread needs none of the keys in it.
    thread ??= new CleaningThread(new threads.Worker(THREAD, { env: {}, execArgv: [] }), () => {
      thread = null
    })
    return await unpacked(await thread.look(texts))
  } catch {
    // A thread that crashed has scanned nothing: the caller scans itself.
    return null
  }
}

/** Many texts at once, in their order. */
export async function allWithoutSecrets(texts: readonly Uncleaned[]): Promise<readonly Cleaned[]> {
  const size = texts.reduce((sum, { text }) => sum + text.length, 0)
  const cleaned = size > LONG ? await cleanInThread(texts) : null
  return cleaned ?? cleanTexts(texts)
}

/** A text without the secrets in it. */
export async function withoutSecrets(text: string, path?: string): Promise<Cleaned> {
  const [cleaned] = await allWithoutSecrets([path === undefined ? { text } : { text, path }])
  return cleaned ?? { text: '', removed: [] }
}
