// Base64 of artifacts, which are megabytes: read by table, in one pass, and only in the one canonical form,
// so that every changed character of a page is noticed.

import { sha256 as digest } from '@noble/hashes/sha2.js'
import { concat, type Sha256 } from '../ledger/bytes.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const FOREIGN = 255
const VALUES = new Uint8Array(128).fill(FOREIGN)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/** Null unless the text is the canonical standard base64 of some bytes. */
export function readBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  const out = new Uint8Array((text.length / 4) * 3 - padding)
  let at = 0
  let bits = 0
  let bitCount = 0
  for (let i = 0; i < digits; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? FOREIGN
    if (value === FOREIGN) return null
    bits = ((bits & 0xff) << 6) | value
    bitCount += 6
    if (bitCount < 8) continue
    bitCount -= 8
    out[at++] = (bits >> bitCount) & 0xff
  }
  // Bits beyond the last byte could be anything and would decode to the same bytes.
  return (bits & ((1 << bitCount) - 1)) === 0 ? out : null
}

// SHA-256 for the pure rooms, synchronous as they need it: WebCrypto digests only asynchronously. It needs no
// secure context, so hashes are checked even where a browser offers no WebCrypto.

/** Below this size, joining the parts costs less than feeding them one by one. */
const JOIN_BYTES = 8192

export const sha256: Sha256 = (...parts) => {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return digest(first)
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  if (size <= JOIN_BYTES) return digest(concat(...parts))
  const hash = digest.create()
  for (const part of parts) hash.update(part)
  return hash.digest()
}
