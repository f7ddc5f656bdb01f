// Signing with one private key: by node:crypto at first, by libsodium once there is enough to sign. Ed25519 has one
// signature for a key and a message, so it is the same either way.

import { type KeyObject, sign } from 'node:crypto'
import { sodiumSigner } from './libsodium.ts'

/** Signs with one key of a keyring. */
export interface Sign {
  (message: Uint8Array): Uint8Array
  /** Many at once, on the threads that Node keeps for such work. */
  all(messages: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
}

/** Below this, handing a signature to another thread costs more than making it. */
const WORTH_THREADS = 4
/** Who signs more than this gets libsodium, which takes as long to load as some hundred signatures. */
const WORTH_LOADING = 100
/** As many as libsodium signs in a few milliseconds; then others have their turn. */
const AT_ONCE = 128

export function signWith(key: KeyObject): Sign {
  let signedCount = 0
  let fast: ((message: Uint8Array) => Uint8Array) | null = null
  const signer = (count: number): ((message: Uint8Array) => Uint8Array) | null => {
    signedCount += count
    if (signedCount > WORTH_LOADING && signedCount - count <= WORTH_LOADING) fast = sodiumSigner(key)
    return fast
  }
  const slow = (message: Uint8Array): Uint8Array => sign(null, message, key)
  const signOne = (message: Uint8Array): Uint8Array => (signer(1) ?? slow)(message)
  const elsewhere = (message: Uint8Array): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      sign(null, message, key, (error, signature) => (error ? reject(error) : resolve(signature)))
    })
  const all = async (messages: readonly Uint8Array[]): Promise<readonly Uint8Array[]> => {
    const quick = signer(messages.length)
    if (!quick)
      return messages.length < WORTH_THREADS ? messages.map(slow) : Promise.all(messages.map(elsewhere))
    const signatures: Uint8Array[] = []
    for (const [i, message] of messages.entries()) {
      if (i > 0 && i % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
      signatures.push(quick(message))
    }
    return signatures
  }
  return Object.assign(signOne, { all })
}
