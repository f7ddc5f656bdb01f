// The vector of a text, with the name of its encoder. A vector has length one, or is all zeros when the text
// has no meaning for the encoder. Every number is a whole multiple of 2^-15 from the moment it is made: the
// last bits of an encoder's arithmetic differ between processors, and so a stored, sent or recomputed vector
// compares equal, and a similarity is the same number everywhere.

import { fromBase64, toBase64 } from './bytes.ts'
import { WitanError } from './errors.ts'

/** A text as an encoder represents it, with the name of the encoder. */
export interface Vector {
  /** Its encoder: model, version and, after the last colon, dimension. */
  readonly encoder: string
  readonly values: Float32Array
}

/** A vector in events and files: two bytes for each number, lowest first, in base64. */
export interface PackedVector {
  readonly encoder: string
  readonly values: string
}

const STEPS = 2 ** 15
const MOST = STEPS - 1

/** How many numbers a vector of this encoder has, by the encoder's name; 0 for a name that does not say. */
export const dimensionOf = (encoder: string): number => Number(/:([1-9][0-9]{0,5})$/.exec(encoder)?.[1] ?? 0)

/** From an encoder's raw numbers, which must be finite and as many as the encoder's name says. */
export function toVector(encoder: string, raw: ArrayLike<number>): Vector {
  let squares = 0
  for (let i = 0; i < raw.length; i++) squares += (raw[i] ?? 0) ** 2
  if (!Number.isFinite(squares) || raw.length !== dimensionOf(encoder)) {
    throw new RangeError(`${raw.length} numbers, or some that are none, are not a vector of ${encoder}`)
  }
  const values = new Float32Array(raw.length)
  const scale = squares === 0 ? 0 : STEPS / Math.sqrt(squares)
  for (let i = 0; i < raw.length; i++) {
    const steps = Math.max(-MOST, Math.min(MOST, Math.round((raw[i] ?? 0) * scale)))
    values[i] = (steps || 0) / STEPS // no negative zero: bytes do not keep it
  }
  return { encoder, values }
}

/** The vector of a text without words. */
export const zeroVector = (encoder: string): Vector => ({
  encoder,
  values: new Float32Array(dimensionOf(encoder)),
})

/** True when the text has no meaning for the encoder: such a vector is similar to none, not even to itself. */
export const isZeroVector = ({ values }: Vector): boolean => values.every((value) => value === 0)

/** The one encoder that made them all, null when there are none. ENCODER_MISMATCH when they are of several. */
export function commonEncoder(vectors: Iterable<Vector>): string | null {
  const counts = new Map<string, number>()
  for (const { encoder } of vectors) counts.set(encoder, (counts.get(encoder) ?? 0) + 1)
  if (counts.size > 1) throw mismatch([...counts].map(([encoder, count]) => `${count} of ${encoder}`))
  return [...counts.keys()][0] ?? null
}

const mismatch = (names: readonly string[]): WitanError =>
  new WitanError(
    'ENCODER_MISMATCH',
    `vectors of different encoders cannot be compared: ${names.join(', ')}`,
    'Embed all of these texts again with one encoder.',
  )

/** The cosine of the angle between two vectors of one encoder; 0 when either is all zeros. */
export function similarity(a: Vector, b: Vector): number {
  if (a.encoder !== b.encoder || a.values.length !== b.values.length) {
    throw mismatch([a, b].map(({ encoder, values }) => `${encoder} (${values.length} numbers)`))
  }
  let [product, ofA, ofB] = [0, 0, 0]
  for (let i = 0; i < a.values.length; i++) {
    const [x, y] = [a.values[i] ?? 0, b.values[i] ?? 0]
    product += x * y
    ofA += x * x
    ofB += y * y
  }
  return product === 0 ? 0 : Math.max(-1, Math.min(1, product / Math.sqrt(ofA * ofB)))
}

/** The bytes of a vector: two a number, lowest first; without the encoder's name, which must be kept beside them. */
export function bytesOf({ values }: Vector): Uint8Array {
  const bytes = new Uint8Array(values.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < values.length; i++) view.setInt16(i * 2, Math.round((values[i] ?? 0) * STEPS), true)
  return bytes
}

/** A vector from its bytes; null when they are not as many as the encoder's name says. */
export function vectorFrom(encoder: string, bytes: Uint8Array): Vector | null {
  if (bytes.length === 0 || bytes.length !== dimensionOf(encoder) * 2) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const values = new Float32Array(bytes.length / 2)
  for (let i = 0; i < values.length; i++) values[i] = Math.max(-MOST, view.getInt16(i * 2, true)) / STEPS
  return { encoder, values }
}

/** A vector as events and files keep it. */
export const packVector = (vector: Vector): PackedVector => ({
  encoder: vector.encoder,
  values: toBase64(bytesOf(vector)),
})

/** The packed vector; null when this is none, or its length is not that of its encoder's name. */
export function unpackVector(packed: unknown): Vector | null {
  const { encoder, values } = (packed ?? {}) as { readonly encoder?: unknown; readonly values?: unknown }
  if (typeof encoder !== 'string' || typeof values !== 'string') return null
  const bytes = fromBase64(values)
  return bytes && vectorFrom(encoder, bytes)
}
