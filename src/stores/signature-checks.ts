// Checks many signatures at once: threads take them in portions while the main thread still reads the bundle. A few
// are checked in place, since a thread takes longer to start than they take to check. Every answer has passed the
// byte prefilter of ledger/signing.ts first; then libsodium may accept, and node:crypto decides what it did not accept.

import { admissible } from '../ledger/signing.ts'
import type { SignatureQuestion } from '../ledger/verify/inquire.ts'
import { equationHolds, libsodium } from './libsodium.ts'
import { holdsThoughNodeRefused } from './low-order-r.ts'
import { checkElsewhere } from './signature-threads.ts'

const PORTION = 256
/** About 60 ms of checking: two threads start in that time. */
const WORTH_THREADS = 512

/** So many are checked sooner than libsodium is loaded. */
const WORTH_LOADING = 200

/** Whether an Ed25519 signature holds by the rule of the ledger. */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return admissible(publicKey, signature) && equationHolds(publicKey, message, signature)
}

interface Waiting {
  readonly index: number
  readonly question: SignatureQuestion
}

export class SignatureBench {
  /** One for each question put so far; false until it is known to be valid. */
  readonly #answers: boolean[] = []
  #waiting: Waiting[] = []
  readonly #portions: Promise<void>[] = []

  put(question: SignatureQuestion): void {
    const index = this.#answers.push(false) - 1
    if (!admissible(question.publicKey, question.signature)) return
    this.#waiting.push({ index, question })
    if (this.#waiting.length >= (this.isElsewhere ? PORTION : WORTH_THREADS)) this.#giveOut()
  }

  /** Whether other threads do the checking. */
  get isElsewhere(): boolean {
    return this.#portions.length > 0
  }

  /** Whether each question put so far is a valid signature, in order. */
  async answers(): Promise<readonly boolean[]> {
    if (this.isElsewhere) this.#giveOut()
    else {
      if (this.#waiting.length >= WORTH_LOADING) libsodium()
      for (const { index, question } of this.#waiting) {
        const { publicKey, message, signature } = question
        this.#answers[index] = equationHolds(publicKey, message, signature)
      }
    }
    await Promise.all(this.#portions)
    return this.#answers
  }

  #giveOut(): void {
    for (let at = 0; at < this.#waiting.length; at += PORTION) {
      const portion = this.#waiting.slice(at, at + PORTION)
      this.#portions.push(this.#checkElsewhere(portion))
    }
    this.#waiting = []
  }

  async #checkElsewhere(portion: readonly Waiting[]): Promise<void> {
    const valid = await checkElsewhere(portion.map(({ question }) => question))
    for (let i = 0; i < portion.length; i++) {
      const { index, question } = portion[i] as Waiting
      this.#answers[index] =
        valid[i] === 1 || holdsThoughNodeRefused(question.publicKey, question.message, question.signature)
    }
  }
}
