// Checks many signatures at once: threads take them in portions while the main thread still reads the bundle. A few
// are checked in place, since a thread takes longer to start than they take to check. Every answer has passed the
// byte prefilter of ledger/signing.ts first.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { admissible } from '../ledger/signing.ts'
import type { SignatureQuestion } from '../ledger/verify/inquire.ts'
import { checkElsewhere } from './signature-threads.ts'

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')
const PORTION = 128
/** About 60 ms of checking: two threads start in that time. */
const WORTH_THREADS = 512

/** By the key's bytes, since whoever asks reads them anew each time; parsing costs as much as a signature. */
const parsed = new Map<string, KeyObject>()
const MOST_KEYS = 10_000

function keyObject(publicKey: Uint8Array): KeyObject {
  const name = Buffer.from(publicKey).toString('latin1')
  const known = parsed.get(name)
  if (known) return known
  if (parsed.size >= MOST_KEYS) parsed.clear()
  const key = createPublicKey({
    key: Buffer.concat([SPKI_ED25519, publicKey]),
    format: 'der',
    type: 'spki',
  })
  parsed.set(name, key)
  return key
}

/** Whether an Ed25519 signature holds by the rule of the ledger. */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return admissible(publicKey, signature) && verify(null, message, keyObject(publicKey), signature)
}

export class SignatureBench {
  /** One for each question put so far; false until it is known to be valid. */
  readonly #answers: boolean[] = []
  #waiting: { readonly index: number; readonly question: SignatureQuestion }[] = []
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
      for (const { index, question } of this.#waiting) {
        const { publicKey, message, signature } = question
        this.#answers[index] = verify(null, message, keyObject(publicKey), signature)
      }
    }
    await Promise.all(this.#portions)
    return this.#answers
  }

  #giveOut(): void {
    for (let at = 0; at < this.#waiting.length; at += PORTION) {
      const portion = this.#waiting.slice(at, at + PORTION)
      const checked = checkElsewhere(portion.map(({ question }) => question)).then((valid) => {
        for (const [i, { index }] of portion.entries()) this.#answers[index] = valid[i] === 1
      })
      this.#portions.push(checked)
    }
    this.#waiting = []
  }
}
