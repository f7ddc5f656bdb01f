// A second valid signature over the same bytes by the same key: Ed25519 with a nonce of the signer's choosing. Only
// the one who holds the key can make one; no library offers it, since honest signers never need it.

import { createHash, type KeyObject } from 'node:crypto'

const P = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n
type Point = readonly [bigint, bigint]

const mod = (a: bigint, m = P): bigint => ((a % m) + m) % m

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = mod(b * b)) if (e & 1n) result = mod(result * b)
  return result
}

const inverse = (a: bigint): bigint => power(a, P - 2n)
const D = mod(-121665n * inverse(121666n))
const BASE: Point = [
  15112221349535400772501151409588531511454012693041857206046113283949847762202n,
  46316835694926478169428394003475163141307993866256225615783033603165251855960n,
]

function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const t = mod(D * x1 * x2 * y1 * y2)
  return [mod((x1 * y2 + x2 * y1) * inverse(1n + t)), mod((y1 * y2 + x1 * x2) * inverse(1n - t))]
}

function multiply(point: Point, scalar: bigint): Point {
  let result: Point = [0n, 1n]
  for (let p = point, s = scalar; s > 0n; s >>= 1n, p = add(p, p)) if (s & 1n) result = add(result, p)
  return result
}

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const toBytes = (n: bigint): Buffer => Buffer.from(n.toString(16).padStart(64, '0'), 'hex').reverse()
const sha512 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('sha512').update(Buffer.concat(parts)).digest()

export function signAgain(privateKey: KeyObject, message: Uint8Array, nonce: string): Uint8Array {
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const secret = sha512(seed).subarray(0, 32)
  secret.writeUInt8(secret.readUInt8(0) & 248, 0)
  secret.writeUInt8((secret.readUInt8(31) & 127) | 64, 31)
  const a = toNumber(secret)
  const encode = ([x, y]: Point): Buffer => toBytes(y | ((x & 1n) << 255n))
  const r = mod(toNumber(sha512(Buffer.from(nonce), message)), L)
  const [A, R] = [encode(multiply(BASE, a)), encode(multiply(BASE, r))]
  const s = mod(r + mod(toNumber(sha512(R, A, message)), L) * a, L)
  return new Uint8Array(Buffer.concat([R, toBytes(s)]))
}
