// Checks many signatures at once: worker threads take them in portions while the main thread still reads the
// bundle. A few are checked in place, since a thread takes longer to start than they take to check. Every answer
// has passed the byte prefilter of ledger/signing.ts first.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { admissible } from '../ledger/signing.ts'
import type { SignatureQuestion } from '../ledger/verify/inquire.ts'

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')
const PORTION = 128
/** About 60 ms of checking: two threads start in that time. */
const WORTH_THREADS = 512

/** By the key's bytes, since whoever asks reads them anew each time; parsing costs as much as a signature. */
const parsed = new Map<string, KeyObject>()
const MOST_KEYS = 10_000

const spki = (publicKey: Uint8Array): Buffer => Buffer.concat([SPKI_ED25519, publicKey])

function keyObject(publicKey: Uint8Array): KeyObject {
  const name = Buffer.from(publicKey).toString('latin1')
  const known = parsed.get(name)
  if (known) return known
  if (parsed.size >= MOST_KEYS) parsed.clear()
  const key = createPublicKey({ key: spki(publicKey), format: 'der', type: 'spki' })
  parsed.set(name, key)
  return key
}

export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return admissible(publicKey, signature) && verify(null, message, keyObject(publicKey), signature)
}

interface Portion {
  readonly first: number
  readonly items: readonly {
    readonly key: number
    readonly message: Uint8Array
    readonly signature: Uint8Array
  }[]
  /** Keys that this thread has not been told of yet. */
  readonly keys: readonly { readonly id: number; readonly der: Uint8Array }[]
}

/** Runs in the thread, from its own text: it may use nothing from around it. */
function thread(port: import('node:worker_threads').MessagePort, crypto: typeof import('node:crypto')): void {
  const known = new Map<number, KeyObject>()
  port.on('message', ({ first, items, keys }: Portion) => {
    for (const { id, der } of keys) {
      known.set(id, crypto.createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }))
    }
    const valid = items.map(({ key, message, signature }) => {
      const object = known.get(key)
      return object !== undefined && crypto.verify(null, message, object, signature)
    })
    port.postMessage({ first, valid })
  })
}

const SOURCE = `(${thread.toString()})(require('node:worker_threads').parentPort, require('node:crypto'))`

class Hand {
  readonly #worker = new Worker(SOURCE, { eval: true })
  readonly #told = new Set<number>()

  constructor(done: (first: number, valid: readonly boolean[]) => void, failed: (error: Error) => void) {
    this.#worker.on('message', ({ first, valid }) => done(first, valid))
    this.#worker.on('error', failed)
  }

  give(first: number, questions: readonly SignatureQuestion[], ids: Map<Uint8Array, number>): void {
    const keys: { id: number; der: Uint8Array }[] = []
    const items = questions.map(({ publicKey, message, signature }) => {
      const id = ids.get(publicKey) ?? ids.size
      ids.set(publicKey, id)
      if (!this.#told.has(id)) keys.push({ id, der: spki(publicKey) })
      this.#told.add(id)
      return { key: id, message, signature }
    })
    this.#worker.postMessage({ first, items, keys } satisfies Portion)
  }

  close(): Promise<number> {
    return this.#worker.terminate()
  }
}

export class SignatureBench {
  readonly #questions: SignatureQuestion[] = []
  readonly #answers: boolean[] = []
  readonly #hands: Hand[] = []
  readonly #keyIds = new Map<Uint8Array, number>()
  #given = 0
  #answered = 0
  #settle: { resolve: () => void; reject: (error: Error) => void } | null = null
  #failure: Error | null = null

  put(question: SignatureQuestion): void {
    this.#questions.push(question)
    const waiting = this.#questions.length - this.#given
    if (waiting >= (this.#hands.length > 0 ? PORTION : WORTH_THREADS)) this.#giveOut()
  }

  /** Whether other threads do the checking. */
  get isElsewhere(): boolean {
    return this.#hands.length > 0
  }

  /** Whether each question put so far is a valid signature, in order. */
  async answers(): Promise<readonly boolean[]> {
    if (this.#hands.length === 0) {
      return this.#questions.map((q) => verifySignature(q.publicKey, q.message, q.signature))
    }
    this.#giveOut()
    if (this.#failure) throw this.#failure
    if (this.#answered < this.#questions.length) {
      await new Promise<void>((resolve, reject) => {
        this.#settle = { resolve, reject }
      })
    }
    return this.#questions.map((q, i) => this.#answers[i] === true && admissible(q.publicKey, q.signature))
  }

  async close(): Promise<void> {
    await Promise.all(this.#hands.map((hand) => hand.close()))
  }

  #giveOut(): void {
    while (this.#hands.length < availableParallelism()) this.#hands.push(this.#hire())
    while (this.#given < this.#questions.length) {
      const portion = this.#questions.slice(this.#given, this.#given + PORTION)
      const hand = this.#hands[Math.floor(this.#given / PORTION) % this.#hands.length]
      hand?.give(this.#given, portion, this.#keyIds)
      this.#given += portion.length
    }
  }

  #hire(): Hand {
    return new Hand(
      (first, valid) => {
        for (const [i, answer] of valid.entries()) this.#answers[first + i] = answer
        this.#answered += valid.length
        if (this.#answered === this.#questions.length) this.#settle?.resolve()
      },
      (error) => {
        this.#failure = error
        this.#settle?.reject(error)
      },
    )
  }
}
