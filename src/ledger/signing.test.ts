// The acceptance rule, clause by clause: each encoding that a library might let pass is refused from its bytes
// alone, and nothing that an honest signer makes is.

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concat, fromHex, type Sha256, utf8 } from './bytes.ts'
import { admissible, admissibleKey, EVENT_PAYLOAD_TYPE, eventMessage, keyId, noteMessage } from './signing.ts'

const sha: Sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const P = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n

const littleEndian = (number: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((number >> BigInt(8 * i)) & 0xffn))

const bytes = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array()

const signBit = (encoding: Uint8Array): Uint8Array =>
  encoding.map((byte, at) => (at === 31 ? byte | 0x80 : byte))

const GOOD_KEY = bytes('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
const GOOD_R = bytes('e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155')
const SMALL_S = littleEndian(1n)

describe('eventMessage', () => {
  it('LED-4 is the DSSE pre-authentication encoding, with lengths in bytes', () => {
    expect(EVENT_PAYLOAD_TYPE).toBe('application/vnd.witan.event.v1+json')
    expect(eventMessage(utf8('{"a":"é"}'))).toStrictEqual(
      utf8('DSSEv1 35 application/vnd.witan.event.v1+json 10 {"a":"é"}'),
    )
    expect(eventMessage(new Uint8Array())).toStrictEqual(
      utf8('DSSEv1 35 application/vnd.witan.event.v1+json 0 '),
    )
  })

  it('LED-4 gives different headers different messages, and none that a note could have', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (header, line) => {
        expect(eventMessage(utf8(header))).not.toStrictEqual(eventMessage(utf8(`${header} `)))
        expect(eventMessage(utf8(header))).not.toStrictEqual(noteMessage(`${line}\n`))
      }),
    )
  })
})

describe('keyId', () => {
  it('LED-10 is the lowercase hex SHA-256 of the raw key', () => {
    expect(keyId(sha, new Uint8Array(32))).toBe(
      '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925',
    )
  })
})

describe('admissible', () => {
  it('VER-8 accepts the signatures of an honest signer', () => {
    for (let i = 0; i < 50; i++) {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
      expect(admissible(raw, sign(null, utf8(`message ${i}`), privateKey))).toBe(true)
    }
  })

  it('VER-8 refuses wrong lengths', () => {
    const signature = concat(GOOD_R, SMALL_S)
    expect(admissible(GOOD_KEY, signature)).toBe(true)
    for (const key of [new Uint8Array(), GOOD_KEY.subarray(1), concat(GOOD_KEY, Uint8Array.of(0))]) {
      expect(admissible(key, signature)).toBe(false)
      expect(admissibleKey(key)).toBe(false)
    }
    for (const other of [new Uint8Array(), signature.subarray(1), concat(signature, Uint8Array.of(0))]) {
      expect(admissible(GOOD_KEY, other)).toBe(false)
    }
  })

  it('VER-8 refuses S at and above L', () => {
    const withS = (s: bigint): boolean => admissible(GOOD_KEY, concat(GOOD_R, littleEndian(s)))
    expect(withS(0n)).toBe(true)
    expect(withS(L - 1n)).toBe(true)
    expect(withS(2n ** 252n)).toBe(true)
    for (const s of [L, L + 1n, L + 2n ** 128n, 2n ** 253n, 2n ** 256n - 1n]) expect(withS(s)).toBe(false)
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (s) => withS(s) === s < L))
    fc.assert(fc.property(fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }), (d) => withS(L + d) === d < 0n))
  })

  it('VER-8 refuses y at and above p, in key and R, with either sign', () => {
    for (let y = P; y < 2n ** 255n; y++) {
      for (const encoding of [littleEndian(y), signBit(littleEndian(y))]) {
        expect(admissibleKey(encoding)).toBe(false)
        expect(admissible(GOOD_KEY, concat(encoding, SMALL_S))).toBe(false)
      }
    }
    // Below p, though one byte of it, or the topmost alone, is as large as that of p.
    for (const y of [
      0xffn,
      2n ** 255n - 2n ** 247n + 0xffn,
      2n ** 255n - 2n ** 9n + 0xffn,
      2n ** 247n - 1n,
    ]) {
      expect(admissibleKey(littleEndian(y))).toBe(true)
      expect(admissible(GOOD_KEY, concat(littleEndian(y), SMALL_S))).toBe(true)
    }
    expect(admissibleKey(littleEndian(P - 2n))).toBe(true)
    expect(admissible(GOOD_KEY, concat(littleEndian(P - 2n), SMALL_S))).toBe(true)
  })

  it('VER-8 refuses every low-order key, and takes a low-order R unless it is a negative zero', () => {
    const eighth = bytes('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
    const other = bytes('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
    const lowOrder = [littleEndian(0n), littleEndian(1n), littleEndian(P - 1n), eighth, other]
    for (const y of lowOrder) {
      expect(admissibleKey(y)).toBe(false)
      expect(admissibleKey(signBit(y))).toBe(false)
      expect(admissible(GOOD_KEY, concat(y, SMALL_S))).toBe(true)
    }
    const acceptedSigns = lowOrder.map((y) => admissible(GOOD_KEY, concat(signBit(y), SMALL_S)))
    expect(acceptedSigns).toStrictEqual([true, false, false, true, true])
  })
})
