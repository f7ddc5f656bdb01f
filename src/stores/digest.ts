// SHA-256 as Node computes it, synchronous, for the pure rooms that have it injected. The digest is a plain
// Uint8Array of its own: a Buffer would print, compare and slice differently from what browsers hand out.

import * as crypto from 'node:crypto'
import { randomBytes } from 'node:crypto'
import type { Sha256 } from '../ledger/bytes.ts'
import { SALT_BYTES } from '../ledger/event.ts'

type OneShot = (algorithm: string, data: Uint8Array, encoding: 'buffer') => Uint8Array

// Node 20.12 and newer; one call instead of three, which is most of the cost of a small digest.
const oneShot = (crypto as { readonly hash?: OneShot }).hash

function incremental(parts: readonly Uint8Array[]): Uint8Array {
  const hash = crypto.createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const plain = (digest: Uint8Array): Uint8Array =>
  new Uint8Array(digest.buffer, digest.byteOffset, digest.byteLength)

/** Below this, joining the parts costs less than a Hash object. */
const JOIN_BYTES = 8192

/** Nothing is awaited while it is in use. */
const scratch = new Uint8Array(JOIN_BYTES)

/** SHA-256 by Node, for all pure code that is given one. */
export const sha256: Sha256 = (...parts) => {
  if (oneShot === undefined) return plain(incremental(parts))
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return plain(oneShot('sha256', first, 'buffer'))
  let size = 0
  for (const part of parts) size += part.length
  if (size > JOIN_BYTES) return plain(incremental(parts))
  let at = 0
  for (const part of parts) {
    scratch.set(part, at)
    at += part.length
  }
  return plain(oneShot('sha256', scratch.subarray(0, size), 'buffer'))
}

// Salts for payloads, drawn from the system's randomness many at a time: a call for each costs as much as hashing
// the payload.

const DRAWN = 64

/** Every salt is handed out once. */
export function saltSource(): () => Uint8Array {
  let pool = new Uint8Array()
  let at = 0
  return () => {
    if (at === pool.length) {
      pool = new Uint8Array(randomBytes(SALT_BYTES * DRAWN))
      at = 0
    }
    const salt = pool.slice(at, at + SALT_BYTES)
    at += SALT_BYTES
    return salt
  }
}
