// The equation of our rule where R is of low order. Node 24 refuses such signatures without evaluating it, Node 20 and 22
// do not; the verdict on a bundle must not depend on that. No honest signer makes them, so it may take a millisecond.
// [S]B = R + [k]A without the cofactor, k = SHA-512(R‖A‖M) mod L, on points in extended coordinates.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { hasLowOrderY } from '../ledger/signing.ts'

const P = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const SQRT_OF_MINUS_1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752n

interface Point {
  readonly x: bigint
  readonly y: bigint
  readonly z: bigint
  readonly t: bigint
}

const mod = (a: bigint): bigint => {
  const rest = a % P
  return rest < 0n ? rest + P : rest
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, mod(base)]
  for (let bits = exponent; bits > 0n; bits >>= 1n) {
    if (bits & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

const pointAt = (x: bigint, y: bigint): Point => ({ x, y, z: 1n, t: mod(x * y) })
const ZERO = pointAt(0n, 1n)
const BASE = pointAt(
  15112221349535400772501151409588531511454012693041857206046113283949847762202n,
  46316835694926478169428394003475163141307993866256225615783033603165251855960n,
)

/** Complete: also for doubling, and for the neutral point. */
function add(p: Point, q: Point): Point {
  const a = mod((p.y - p.x) * (q.y - q.x))
  const b = mod((p.y + p.x) * (q.y + q.x))
  const c = mod(2n * D * mod(p.t * q.t))
  const d = mod(2n * p.z * q.z)
  const [e, f, g, h] = [b - a, d - c, d + c, b + a]
  return { x: mod(e * f), y: mod(g * h), z: mod(f * g), t: mod(e * h) }
}

const littleEndian = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

/** Null for what is no point of the curve. */
function decoded(bytes: Uint8Array): Point | null {
  const all = littleEndian(bytes)
  const y = all & (2n ** 255n - 1n)
  const u = mod(y * y - 1n)
  const v = mod(D * y * y + 1n)
  const root = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n))
  const square = mod(v * root * root)
  if (square !== u && square !== mod(-u)) return null
  const x = square === u ? root : mod(root * SQRT_OF_MINUS_1)
  const isOdd = all >> 255n === 1n
  if (x === 0n && isOdd) return null
  return pointAt((x & 1n) === 1n ? (isOdd ? x : mod(-x)) : isOdd ? mod(-x) : x, y)
}

/** [s]B − [k]A, both by one chain of doublings. */
function difference(s: bigint, k: bigint, { x, y, z, t }: Point): Point {
  const minus: Point = { x: mod(-x), y, z, t: mod(-t) }
  const both = add(BASE, minus)
  let sum = ZERO
  for (let bit = 252n; bit >= 0n; bit--) {
    sum = add(sum, sum)
    const [inS, inK] = [(s >> bit) & 1n, (k >> bit) & 1n]
    if (inS || inK) sum = add(sum, inS ? (inK ? both : BASE) : minus)
  }
  return sum
}

const areSame = (p: Point, q: Point): boolean =>
  mod(p.x * q.z) === mod(q.x * p.z) && mod(p.y * q.z) === mod(q.y * p.z)

/** For a key and a signature that have passed the byte prefilter. */
export function holdsOnTheCurve(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const encodedR = signature.subarray(0, 32)
  const [a, r] = [decoded(publicKey), decoded(encodedR)]
  if (!a || !r) return false
  const digest = createHash('sha512').update(encodedR).update(publicKey).update(message).digest()
  return areSame(difference(littleEndian(signature.subarray(32)), littleEndian(digest) % L, a), r)
}

/** By the key of thirty-two sevens over nothing, with the neutral point as R: valid by the rule. */
const SAMPLE = {
  key: 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',
  signature:
    '0100000000000000000000000000000000000000000000000000000000000000' +
    '800a36383f56a02701744a252f18272d3636d824b9964cb914078fbfa2ef280d',
}
const SPKI_ED25519 = '302a300506032b6570032100'
let nodeAnswer: boolean | null = null

/** Whether this Node evaluates the equation for such an R. */
function nodeEvaluates(): boolean {
  if (nodeAnswer !== null) return nodeAnswer
  const key = createPublicKey({
    key: Buffer.from(SPKI_ED25519 + SAMPLE.key, 'hex'),
    format: 'der',
    type: 'spki',
  })
  nodeAnswer = verify(null, new Uint8Array(), key, Buffer.from(SAMPLE.signature, 'hex'))
  return nodeAnswer
}

/** What to say of a signature that Node has refused, behind the byte prefilter. */
export const holdsThoughNodeRefused = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean => hasLowOrderY(signature) && !nodeEvaluates() && holdsOnTheCurve(publicKey, message, signature)
