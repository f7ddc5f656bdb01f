// The number sequence published with the RFC 8785 test data: edge cases, 2,000 neighbours of the smallest normal
// double, then a SHA-256 chain read as doubles. Only its checksums are known here, so one wrong digit in one of a
// million lines shows, and no file has to be carried along.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { utf8 } from './bytes.ts'
import { canonicalize, parseCanonical } from './canonical.ts'

/** Powers of ten times a third or so, of which the sequence has both signs. */
const MAGNITUDES = `
  446696695dbd1cc3 443211ede4974a35 43fce97ca0f21056 43c7213080c1a6ac 439280f39a348556 435d9b1f5d20d557
  4327af4c4a80aaac 42f2f2a36ecd5556 42be51057e155558 428840d131aaaaac 4253670dc1555557 421f0b4935555557
  41e8d5d42aaaaaac 41b3de4355555556 417fca0555555556 41496e6aaaaaaaab 4114585555555555 40e046aaaaaaaaab
  40aa0aaaaaaaaaaa 4074d55555555555 4040aaaaaaaaaaab 400aaaaaaaaaaaab 3fd5555555555555 3fa1111111111111
  3f6b4e81b4e81b4f 3f35d867c3ece2a5 3f0179ec9cbd821e 3ecbf647612f3696 3e965e9f80f29212 3e61e54c672874db
  3e2ca213d840baf8 3df6e80fe033c8c6 3dc2533fe68fd3d2 3d8d51ffd74c861c 3d5774ccac3d3817 3d22c3d6f030f9ac
  3cee0624b3818f79 3cb804ea293472c7 3c833721ba905bd3 3c4ebe9c5db3c61e 3c18987d17c304e5 3be3ad30dfcf371d
  3baf7b816618582f 3b792f9ab81379bf 3b442615600f9499 3b101e77800c76e1 3ad9ca58cce0be35 3aa4a1e0a3e6fe90
  3a708180831f320d 3a3a68cd9e985016`

const EDGES = `
  4024000000000000 4014000000000000 3fe0000000000000 3fa999999999999a 3f747ae147ae147b 3f40624dd2f1a9fc
  3f0a36e2eb1c432d 3ed4f8b588e368f1 3ea0c6f7a0b5ed8d 3e6ad7f29abcaf48 3e35798ee2308c3a 3ed539223589fa95
  3ed4ff26cd5a7781 3ed4f95a762283ff 3ed4f8c60703520c 3ed4f8b72f19cd0d 3ed4f8b5b31c0c8d 3ed4f8b58d1c461a
  3ed4f8b5894f7f0e 3ed4f8b588ee37f3 3ed4f8b588e47da4 3ed4f8b588e3849c 3ed4f8b588e36bb5 3ed4f8b588e36937
  3ed4f8b588e368f8 3ed4f8b588e368f1 3ff0000000000000 bff0000000000000 bfeffffffffffffa bfeffffffffffffb
  3feffffffffffffa 3feffffffffffffb 3feffffffffffffc 3feffffffffffffe bfefffffffffffff bfefffffffffffff
  3fefffffffffffff 3fefffffffffffff 3fd3333333333332 3fd3333333333333 3fd3333333333334 0010000000000000
  000ffffffffffffd 000fffffffffffff 7fefffffffffffff ffefffffffffffff 4340000000000000 c340000000000000
  4430000000000000 44b52d02c7e14af5 44b52d02c7e14af6 44b52d02c7e14af7 444b1ae4d6e2ef4e 444b1ae4d6e2ef4f
  444b1ae4d6e2ef50 3eb0c6f7a0b5ed8c 3eb0c6f7a0b5ed8d 41b3de4355555553 41b3de4355555554 41b3de4355555555
  41b3de4355555556 41b3de4355555557 becbf647612f3696 43143ff3c1cb0959`

const CHECKSUMS = new Map([
  [1_000, 'be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687'],
  [10_000, 'b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892'],
  [100_000, '22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7'],
  [1_000_000, '49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16'],
])

const SIGN = 1n << 63n
const view = new DataView(new ArrayBuffer(8))

function toDouble(bits: bigint): number {
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

function bitsOf(table: string): bigint[] {
  return table
    .trim()
    .split(/\s+/)
    .map((hex) => BigInt(`0x${hex}`))
}

function* sequence(): Generator<bigint> {
  yield* [0n, SIGN, 1n, SIGN | 1n]
  for (const bits of bitsOf(MAGNITUDES)) yield SIGN | bits
  yield* bitsOf(MAGNITUDES)
  yield* bitsOf(EDGES)
  for (let step = 0n; step < 2000n; step++) yield 0x0010000000000000n + step
  let block = Buffer.alloc(32)
  for (;;) {
    block = createHash('sha256').update(block).digest()
    for (let at = 0; at < 32; at += 8) {
      const number = block.readDoubleLE(at)
      if (number !== 0 && Number.isFinite(number)) yield block.readBigUInt64LE(at)
    }
  }
}

/** RFC 8785, appendix B, without its two rows for NaN and infinity. */
const APPENDIX_B: readonly [bits: bigint, text: string][] = [
  [0x0000000000000000n, '0'],
  [0x8000000000000000n, '0'],
  [0x0000000000000001n, '5e-324'],
  [0x8000000000000001n, '-5e-324'],
  [0x7fefffffffffffffn, '1.7976931348623157e+308'],
  [0xffefffffffffffffn, '-1.7976931348623157e+308'],
  [0x4340000000000000n, '9007199254740992'],
  [0xc340000000000000n, '-9007199254740992'],
  [0x4430000000000000n, '295147905179352830000'],
  [0x44b52d02c7e14af5n, '9.999999999999997e+22'],
  [0x44b52d02c7e14af6n, '1e+23'],
  [0x44b52d02c7e14af7n, '1.0000000000000001e+23'],
  [0x444b1ae4d6e2ef4en, '999999999999999700000'],
  [0x444b1ae4d6e2ef4fn, '999999999999999900000'],
  [0x444b1ae4d6e2ef50n, '1e+21'],
  [0x3eb0c6f7a0b5ed8cn, '9.999999999999997e-7'],
  [0x3eb0c6f7a0b5ed8dn, '0.000001'],
  [0x41b3de4355555553n, '333333333.3333332'],
  [0x41b3de4355555554n, '333333333.33333325'],
  [0x41b3de4355555555n, '333333333.3333333'],
  [0x41b3de4355555556n, '333333333.3333334'],
  [0x41b3de4355555557n, '333333333.33333343'],
  [0xbecbf647612f3696n, '-0.0000033333333333333333'],
  [0x43143ff3c1cb0959n, '1424953923781206.2'],
]

describe('numbers', () => {
  it('VER-8 LED-4 are written as the table of RFC 8785 says', () => {
    for (const [bits, text] of APPENDIX_B) {
      expect(canonicalize(toDouble(bits))).toBe(text)
      expect(parseCanonical(utf8(text))).toBe(toDouble(bits) + 0)
    }
  })

  it('VER-8 LED-5 refuses the two rows of the table that are errors', () => {
    for (const bits of [0x7fffffffffffffffn, 0x7ff0000000000000n]) {
      expect(() => canonicalize(toDouble(bits))).toThrow(
        expect.objectContaining({ code: 'CANONICAL_INVALID' }),
      )
    }
  })

  it('VER-8 LED-4 give the published checksums over a million lines', () => {
    const found = new Map<number, string>()
    const hash = createHash('sha256')
    let lines = 0
    for (const bits of sequence()) {
      hash.update(`${bits.toString(16)},${canonicalize(toDouble(bits))}\n`)
      lines++
      if (CHECKSUMS.has(lines)) found.set(lines, hash.copy().digest('hex'))
      if (lines === 1_000_000) break
    }
    console.log(`vectors: number serialisation ${lines} decided`)
    expect(found).toStrictEqual(CHECKSUMS)
  }, 120_000)
})
