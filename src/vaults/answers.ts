// Answers the verifier's questions with Node: signatures on the thread pool, artifacts as streams. It only reads.

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { toHex } from '../ledger/bytes.ts'
import { admissible } from '../ledger/signing.ts'
import type { ArtifactAnswer, SignatureQuestion } from '../ledger/verify/inquire.ts'
import type { ArtifactSource } from './bundle-file.ts'

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

/** Public keys parsed once each; parsing costs as much as a signature. */
export class PublicKeys {
  readonly #parsed = new Map<string, KeyObject>()

  parse(publicKey: Uint8Array): KeyObject {
    const id = toHex(publicKey)
    const known = this.#parsed.get(id)
    if (known) return known
    const key = createPublicKey({
      key: Buffer.concat([SPKI_ED25519, publicKey]),
      format: 'der',
      type: 'spki',
    })
    this.#parsed.set(id, key)
    return key
  }
}

const shared = new PublicKeys()

export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return admissible(publicKey, signature) && verify(null, message, shared.parse(publicKey), signature)
}

const inPool = (question: SignatureQuestion, key: KeyObject): Promise<boolean> =>
  new Promise((resolve, reject) => {
    verify(null, question.message, key, question.signature, (error, valid) =>
      error ? reject(error) : resolve(valid),
    )
  })

export async function answerSignatures(questions: readonly SignatureQuestion[]): Promise<boolean[]> {
  return Promise.all(
    questions.map((question) => {
      if (!admissible(question.publicKey, question.signature)) return false
      return inPool(question, shared.parse(question.publicKey))
    }),
  )
}

export async function answerArtifacts(
  hashes: readonly string[],
  source: ArtifactSource,
): Promise<ReadonlyMap<string, ArtifactAnswer>> {
  const answers = new Map<string, ArtifactAnswer>()
  for (const hash of hashes) {
    const bytes = await source.openArtifact(hash)
    if (!bytes) {
      answers.set(hash, { state: 'absent', size: 0 })
      continue
    }
    const sha = createHash('sha256')
    let size = 0
    for await (const chunk of bytes) {
      sha.update(chunk)
      size += chunk.length
    }
    answers.set(hash, { state: sha.digest('hex') === hash ? 'intact' : 'altered', size })
  }
  return answers
}
