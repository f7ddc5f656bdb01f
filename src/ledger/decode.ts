// The only way from bytes to text, for what is sent and for what tools read: UTF-8 first, then UTF-16 by its
// mark or its zeros, then Latin-1 when it contains no control characters; anything else is binary. A byte
// order mark is not part of the text.

import { concat, utf8 } from './bytes.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1'

export interface Decoded {
  readonly text: string
  readonly encoding: Encoding
}

const SAMPLE = 8_192

const strict = new TextDecoder('utf-8', { fatal: true })

/** Which byte order has its zeros where Latin letters of UTF-16 have them. */
function wideOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, SAMPLE)
  if (bytes.length < 8 || bytes.length % 2 !== 0) return null
  let [even, odd] = [0, 0]
  for (const [i, byte] of sample.entries()) {
    if (byte !== 0) continue
    if (i % 2 === 0) even++
    else odd++
  }
  const half = sample.length / 2
  if (odd > half * 0.6 && even < half * 0.05) return 'utf-16le'
  return even > half * 0.6 && odd < half * 0.05 ? 'utf-16be' : null
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for.
const CONTROLS = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/

/** Null for a binary file. */
export function decode(bytes: Uint8Array): Decoded | null {
  const wide = wideOrder(bytes)
  if (wide !== null) {
    const text = new TextDecoder(wide).decode(bytes)
    return CONTROLS.test(text.slice(0, SAMPLE)) ? null : { text, encoding: wide }
  }
  if (bytes.subarray(0, SAMPLE).includes(0)) return null
  try {
    const text = strict.decode(bytes)
    return text.includes('\0') ? null : { text, encoding: 'utf-8' }
  } catch {
    const text = new TextDecoder('latin1').decode(bytes)
    return CONTROLS.test(text) ? null : { text, encoding: 'latin-1' }
  }
}

function wideBytes(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), isLittle)
  return bytes
}

const MARKS = {
  'utf-8': Uint8Array.of(0xef, 0xbb, 0xbf),
  'utf-16le': Uint8Array.of(0xff, 0xfe),
  'utf-16be': Uint8Array.of(0xfe, 0xff),
} as const

/** Text in the encoding of the bytes that it was read from, with their byte order mark if they had one. */
export function encodeLike(
  text: string,
  encoding: Exclude<Encoding, 'latin-1'>,
  before: Uint8Array,
): Uint8Array {
  const mark = MARKS[encoding]
  const bytes = encoding === 'utf-8' ? utf8(text) : wideBytes(text, encoding === 'utf-16le')
  return mark.every((byte, i) => before[i] === byte) ? concat(mark, bytes) : bytes
}
