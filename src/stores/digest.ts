// SHA-256 as Node computes it, synchronous, for the pure rooms that have it injected. The digest is a plain
// Uint8Array of its own: a Buffer would print, compare and slice differently from what browsers hand out.

import * as crypto from 'node:crypto'
import { randomBytes } from 'node:crypto'
import type { Sha256 } from '../ledger/bytes.ts'
import { SALT_BYTES } from '../ledger/event.ts'

type OneShot = (algorithm: string, data: Uint8Array, encoding: 'hex' | 'latin1') => string

// Node 20.12 and newer; one call instead of three, which is most of the cost of a small digest.
const oneShot = (crypto as { readonly hash?: OneShot }).hash

function incremental(parts: readonly Uint8Array[]): Uint8Array {
  const hash = crypto.createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const plain = (digest: Uint8Array): Uint8Array =>
  new Uint8Array(digest.buffer, digest.byteOffset, digest.byteLength)

const DIGEST_BYTES = 32

/** Below this, joining the parts costs less than a Hash object. */
const JOIN_BYTES = 8192

/** Nothing is awaited while it is in use. */
const scratch = new Uint8Array(JOIN_BYTES)

/** The parts as one; null where they are too long for it. What is given back is good until the next call. */
function joined(parts: readonly Uint8Array[]): Uint8Array | null {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first
  let size = 0
  for (const part of parts) size += part.length
  if (size > JOIN_BYTES) return null
  let at = 0
  for (const part of parts) {
    scratch.set(part, at)
    at += part.length
  }
  return scratch.subarray(0, size)
}

/** A byte for each character. So small an array lies within the heap; one that Node makes costs as much as hashing. */
function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(DIGEST_BYTES)
  for (let i = 0; i < DIGEST_BYTES; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

const digest = (...parts: readonly Uint8Array[]): Uint8Array => {
  const data = oneShot === undefined ? null : joined(parts)
  if (data !== null && oneShot !== undefined) return fromLatin1(oneShot('sha256', data, 'latin1'))
  return plain(incremental(parts))
}

const hex = (...parts: readonly Uint8Array[]): string => {
  const data = oneShot === undefined ? null : joined(parts)
  if (data !== null && oneShot !== undefined) return oneShot('sha256', data, 'hex')
  return Buffer.from(incremental(parts)).toString('hex')
}

/** SHA-256 by Node, for all pure code that is given one. */
export const sha256: Sha256 = Object.assign(digest, { hex })

// Salts for payloads, drawn from the system's randomness many at a time: a call for each costs as much as hashing
// the payload.

const SALTS_AT_ONCE = 64

/** Every salt is handed out once. */
export function saltSource(): () => Uint8Array {
  let pool = new Uint8Array()
  let at = 0
  return () => {
    if (at === pool.length) {
      pool = new Uint8Array(randomBytes(SALT_BYTES * SALTS_AT_ONCE))
      at = 0
    }
    const salt = pool.slice(at, at + SALT_BYTES)
    at += SALT_BYTES
    return salt
  }
}
