// Checks signatures with the browser's own Ed25519, after the byte prefilter that completes the acceptance
// rule. A browser is trusted only after it accepted a published signature and refused it for another message:
// one that cannot check must never look like one that found no fault.

import { fromHex, toHex } from '../ledger/bytes.ts'
import { admissible } from '../ledger/signing.ts'
import type { SignatureQuestion } from '../ledger/verify/inquire.ts'

export type CheckSignature = (question: SignatureQuestion) => Promise<boolean>

const ALGORITHM = 'Ed25519'
/** How many questions the browser's threads get at a time; between two batches the page can paint. */
const LOT = 256

const hex = (text: string): Uint8Array => fromHex(text) ?? new Uint8Array()

/** RFC 8032, section 7.1, test 1: the empty message. */
const PUBLISHED = {
  publicKey: hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'),
  signature: hex(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b' +
      'd25bf5f0595bbe24655141438e7a100b',
  ),
}

function checkerOver(subtle: SubtleCrypto): CheckSignature {
  const keys = new Map<string, Promise<CryptoKey | null>>()
  const parse = (publicKey: Uint8Array): Promise<CryptoKey | null> => {
    const id = toHex(publicKey)
    const known = keys.get(id)
    if (known) return known
    const parsed = subtle.importKey('raw', new Uint8Array(publicKey), ALGORITHM, false, ['verify']).then(
      (key) => key,
      (error: unknown) => {
        // Bytes that are not a point of the curve: no signature by them counts. Anything else is the browser's fault.
        if (error instanceof DOMException && error.name === 'DataError') return null
        throw error
      },
    )
    keys.set(id, parsed)
    return parsed
  }
  return async ({ publicKey, message, signature }) => {
    if (!admissible(publicKey, signature)) return false
    const key = await parse(publicKey)
    return key !== null && subtle.verify(ALGORITHM, key, new Uint8Array(signature), new Uint8Array(message))
  }
}

/** Null when this browser cannot check Ed25519 signatures, or does it wrongly. */
export async function signatureChecker(): Promise<CheckSignature | null> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle
  if (!subtle) return null
  const check = checkerOver(subtle)
  try {
    const accepts = await check({ ...PUBLISHED, message: new Uint8Array() })
    const mistakes = await check({ ...PUBLISHED, message: new Uint8Array(1) })
    return accepts && !mistakes ? check : null
  } catch {
    // The browser has not shown that it can: the caller reports that instead of a verdict.
    return null
  }
}

export async function answerSignatures(
  check: CheckSignature,
  questions: readonly SignatureQuestion[],
  progress: (done: number) => void,
): Promise<boolean[]> {
  const answers: boolean[] = []
  for (let from = 0; from < questions.length; from += LOT) {
    answers.push(...(await Promise.all(questions.slice(from, from + LOT).map(check))))
    progress(answers.length)
  }
  return answers
}
