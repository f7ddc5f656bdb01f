// libsodium, where the optional package is installed: it signs and checks about twice as fast as node:crypto. It never
// decides alone what is refused. Its rule is narrower than ours (it refuses an R of low order), so what it refuses is put to
// node:crypto, and what that refuses for such an R is worked out here; what it accepts, behind our byte prefilter, our rule accepts too. A test decides all CCTV vectors both ways.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { createRequire } from 'node:module'
import { holdsThoughNodeRefused } from './low-order-r.ts'

/** What is used of the package. */
interface Sodium {
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void
  sodium_malloc(size: number): Buffer
  sodium_memzero(buffer: Uint8Array): void
}

const require = createRequire(import.meta.url)

/** Where the package is, for a thread that loads it itself; null where it is not installed or switched off. */
export function sodiumPath(): string | null {
  if (process.env.WITAN_NO_SODIUM === '1') return null
  try {
    return require.resolve('sodium-native')
  } catch {
    return null
  }
}

let loaded: Sodium | null | undefined

/** Loaded once, when there is first enough to do: loading takes as long as hundreds of signatures. */
export function libsodium(): Sodium | null {
  if (loaded !== undefined) return loaded
  const path = sodiumPath()
  try {
    loaded = path === null ? null : (require(path) as Sodium)
  } catch {
    // No binary for this platform: node:crypto does the same, more slowly.
    loaded = null
  }
  return loaded
}

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

/** By the key's bytes, since callers read them anew each time; parsing costs as much as a signature. */
const parsed = new Map<string, KeyObject>()
const MOST_KEYS = 10_000

function keyObject(publicKey: Uint8Array): KeyObject {
  const name = Buffer.from(publicKey).toString('latin1')
  const parsedKey = parsed.get(name)
  if (parsedKey) return parsedKey
  if (parsed.size >= MOST_KEYS) parsed.clear()
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, publicKey]), format: 'der', type: 'spki' })
  parsed.set(name, key)
  return key
}

/** The equation of our rule, for a key and a signature that have passed the byte prefilter. */
export function equationHolds(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  sodium: Sodium | null = loaded ?? null,
): boolean {
  if (sodium?.crypto_sign_verify_detached(signature, message, publicKey)) return true
  return (
    verify(null, message, keyObject(publicKey), signature) ||
    holdsThoughNodeRefused(publicKey, message, signature)
  )
}

/** Signs with a private key by libsodium; null where it is not there. The same bytes as node:crypto makes. */
export function sodiumSigner(key: KeyObject): ((message: Uint8Array) => Uint8Array) | null {
  const sodium = libsodium()
  if (!sodium) return null
  const seed = Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url')
  const secretKey = sodium.sodium_malloc(64)
  sodium.crypto_sign_seed_keypair(Buffer.alloc(32), secretKey, seed)
  sodium.sodium_memzero(seed)
  return (message) => {
    const signature = Buffer.alloc(64)
    sodium.crypto_sign_detached(signature, message, secretKey)
    return signature
  }
}
