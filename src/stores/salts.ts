// Salts for payloads, drawn from the system's randomness many at a time: a call for each costs as much as hashing
// the payload.

import { randomBytes } from 'node:crypto'
import { SALT_BYTES } from '../ledger/event.ts'

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
