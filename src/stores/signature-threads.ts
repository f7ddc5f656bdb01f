// Threads that check signatures, hired when there is first enough for them to do and kept for the next time: to
// start one takes as long as hundreds of signatures. One without work does not keep the process alive. A portion
// travels as one buffer that changes hands: to copy objects back and forth costs a tenth of the checking.

import type { KeyObject } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { SignatureQuestion } from '../ledger/index.ts'
import { sodiumPath } from './libsodium.ts'

const SIGNATURE_BYTES = 64
/** For each signature the number of its key and where its message ends; then all signatures; then all messages. */
interface Portion {
  readonly job: number
  readonly keys: readonly Uint8Array[]
  readonly table: Uint32Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface Job {
  resolve(valid: Uint8Array): void
  reject(error: Error): void
}

/** As much of libsodium as a thread uses. */
interface Accepting {
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean
}

/** Runs in the thread, from its own text: it may use nothing from around it. */
function thread(
  port: import('node:worker_threads').MessagePort,
  crypto: typeof import('node:crypto'),
  sodium: Accepting | null,
): void {
  const keysByName = new Map<string, KeyObject>()
  const keyOf = (raw: Uint8Array): KeyObject => {
    const name = Buffer.from(raw).toString('latin1')
    const known = keysByName.get(name)
    if (known) return known
    if (keysByName.size >= 10000) keysByName.clear()
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
    const key = crypto.createPublicKey({ key: der, format: 'der', type: 'spki' })
    keysByName.set(name, key)
    return key
  }
  port.on('message', ({ job, keys, table, bytes }: Portion) => {
    const count = table.length / 2
    const valid = new Uint8Array(count)
    let at = count * 64
    for (let i = 0; i < count; i++) {
      const key = keys[table[2 * i] as number]
      const end = table[2 * i + 1] as number
      const message = bytes.subarray(at, end)
      const signature = bytes.subarray(i * 64, i * 64 + 64)
      if (
        key &&
        (sodium?.crypto_sign_verify_detached(signature, message, key) ||
          crypto.verify(null, message, keyOf(key), signature))
      )
        valid[i] = 1
      at = end
    }
    port.postMessage({ job, valid }, [valid.buffer])
  })
}

/** Without a binary for this platform the thread does without. */
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
let sodium = null
try { if (workerData) sodium = require(workerData) } catch {}
;(${thread.toString()})(parentPort, require('node:crypto'), sodium)`
function portionOf(job: number, questions: readonly SignatureQuestion[]): Portion {
  const keys = new Map<Uint8Array, number>()
  const table = new Uint32Array(questions.length * 2)
  const messages = questions.map(({ message }) => message)
  let end = questions.length * SIGNATURE_BYTES
  for (let i = 0; i < questions.length; i++) {
    const { publicKey } = questions[i] as SignatureQuestion
    const key = keys.get(publicKey) ?? keys.size
    if (key === keys.size) keys.set(publicKey, key)
    end += (messages[i] as Uint8Array).length
    table[2 * i] = key
    table[2 * i + 1] = end
  }
  const bytes = new Uint8Array(end)
  for (let i = 0; i < questions.length; i++) {
    const message = messages[i] as Uint8Array
    bytes.set((questions[i] as SignatureQuestion).signature, i * SIGNATURE_BYTES)
    bytes.set(message, (table[2 * i + 1] as number) - message.length)
  }
  return { job, keys: [...keys.keys()], table, bytes }
}

class SignatureThread {
  readonly #worker = new Worker(SOURCE, { eval: true, workerData: sodiumPath() })
  readonly #jobs = new Map<number, Job>()
  #last = 0

  constructor(onEnd: (worker: SignatureThread) => void) {
    this.#worker.unref()
    this.#worker.on('message', ({ job, valid }) => this.#take(job)?.resolve(valid))
    this.#worker.on('error', (error) => {
      onEnd(this)
      for (const job of [...this.#jobs.keys()]) this.#take(job)?.reject(error)
    })
  }

  give(questions: readonly SignatureQuestion[]): Promise<Uint8Array> {
    const portion = portionOf(++this.#last, questions)
    return new Promise((resolve, reject) => {
      this.#jobs.set(portion.job, { resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage(portion, [portion.table.buffer, portion.bytes.buffer])
    })
  }

  #take(job: number): Job | undefined {
    const pending = this.#jobs.get(job)
    this.#jobs.delete(job)
    if (this.#jobs.size === 0) this.#worker.unref()
    return pending
  }
}
let workers: readonly SignatureThread[] = []
let turn = 0
/** For each question 1 when the signature is valid; all have passed the byte prefilter, so all are of 64 bytes. */
export function checkElsewhere(questions: readonly SignatureQuestion[]): Promise<Uint8Array> {
  while (workers.length < availableParallelism()) {
    workers = [
      ...workers,
      new SignatureThread((ended) => {
        workers = workers.filter((worker) => worker !== ended)
      }),
    ]
  }
  const worker = workers[turn++ % workers.length] as SignatureThread
  return worker.give(questions)
}
