// The only conversion between text and bytes in the pure rooms. Decoding is strict: one text has one
// encoding, so that no flipped bit can hide in a lenient decoder.

/** SHA-256 over the parts one after the other; passed in, since pure code has no access to it. */
export interface Sha256 {
  (...parts: readonly Uint8Array[]): Uint8Array
  /** The same digest in lowercase hex, from an implementation that is faster than converting its bytes. */
  readonly hex?: (...parts: readonly Uint8Array[]) => string
}

/** The digest in the form of headers. */
export const hexDigest = (sha: Sha256, ...parts: readonly Uint8Array[]): string =>
  sha.hex?.(...parts) ?? toHex(sha(...parts))

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** Null when the bytes are not UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

export function toHex(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += HEX[byte]
  return out
}

/** The value of a digit that is known to be lowercase hex: 0–9 have codes 48–57, a–f 97–102. */
function nibble(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 58 ? code - 48 : code - 87
}

/** Null unless the text is lowercase hex of `length` bytes (any even length when not given). */
export function fromHex(text: string, length?: number): Uint8Array | null {
  if (text.length % 2 !== 0 || (length !== undefined && text.length !== length * 2)) return null
  if (!/^[0-9a-f]*$/.test(text)) return null
  const out = new Uint8Array(text.length / 2)
  for (let i = 0; i < out.length; i++) out[i] = nibble(text, i * 2) * 16 + nibble(text, i * 2 + 1)
  return out
}

/** For a claimed hash: a malformed one becomes empty bytes, which no proof accepts. */
export const claimedHash = (hash: string): Uint8Array => fromHex(hash, 32) ?? new Uint8Array()

const HASH = /^[0-9a-f]{64}$/

export const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value)

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Null unless the text is the one canonical standard base64 of some bytes. */
export function fromBase64(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  try {
    const binary = atob(text)
    // A lenient decoder accepts several forms of the same bytes.
    if (btoa(binary) !== text) return null
    const bytes = new Uint8Array(binary.length)
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
    return bytes
  } catch {
    return null
  }
}
