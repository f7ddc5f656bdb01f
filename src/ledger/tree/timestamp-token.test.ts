import { describe, expect, it } from 'vitest'
import { concat, fromHex, toHex, utf8 } from '../bytes.ts'
import { readTimestampReply, timestampQuery } from './timestamp-request.ts'
import { OID, readTimestampToken } from './timestamp-token.ts'

const der = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const body = concat(...parts)
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return concat(Uint8Array.of(tag, ...length), body)
}
const oid = (hex: string) => der(6, fromHex(hex, hex.length / 2) ?? new Uint8Array())
const number = (...bytes: readonly number[]) => der(2, Uint8Array.of(...bytes))
const algorithm = (hex: string) => der(0x30, oid(hex), Uint8Array.of(5, 0))
const RSA = '2a864886f70d01010b'
const [IMPRINT, DIGEST, SIGNATURE] = [7, 8, 9].map((byte) => new Uint8Array(32).fill(byte)) as [
  ...[Uint8Array, Uint8Array, Uint8Array],
]
const CERTIFICATE = der(0x30, new Uint8Array(200).fill(3))

interface Parts {
  readonly version: Uint8Array
  readonly hashed: string
  readonly time: string
  readonly nonce: readonly Uint8Array[]
  readonly stated: string
  readonly content: string
  readonly type: string
  readonly signers: number
  readonly certificates: readonly Uint8Array[]
}
const WHOLE: Parts = {
  version: number(1),
  hashed: OID.sha256,
  time: '20261118120000Z',
  nonce: [number(1, 2, 3)],
  stated: OID.tstInfo,
  content: OID.tstInfo,
  type: OID.signedData,
  signers: 1,
  certificates: [der(0xa0, CERTIFICATE)],
}

/** A token as an authority makes one, but for what is said to be otherwise. */
function token(change: Partial<Parts> = {}): Uint8Array {
  const { version, hashed, time, nonce, stated, content, type, signers, certificates } = {
    ...WHOLE,
    ...change,
  }
  const info = der(
    0x30,
    ...[
      version,
      oid('2a0304'),
      der(0x30, algorithm(hashed), der(4, IMPRINT)),
      number(5),
      der(0x18, utf8(time)),
    ],
    ...nonce,
  )
  const attributes = der(
    0xa0,
    der(0x30, oid(OID.contentType), der(0x31, oid(stated))),
    der(0x30, oid(OID.messageDigest), der(0x31, der(4, DIGEST))),
  )
  const signer = der(
    0x30,
    ...[number(1), der(0x30, der(0x30), number(0x0a, 0x0b)), algorithm(OID.sha512), attributes],
    ...[algorithm(RSA), der(4, SIGNATURE)],
  )
  const signed = der(
    0x30,
    ...[number(3), der(0x31, algorithm(OID.sha512)), der(0x30, oid(content), der(0xa0, der(4, info)))],
    ...certificates,
    der(0x31, ...Array.from({ length: signers }, () => signer)),
  )
  return der(0x30, oid(type), der(0xa0, signed))
}

describe('a timestamp', () => {
  it('is read with its hash, time, certificate and algorithm', () => {
    const read = readTimestampToken(token())
    expect(read).toMatchObject({ time: '2026-11-18T12:00:00.000Z', serial: '0a0b' })
    expect([read?.imprint, read?.digest, read?.signature]).toEqual([IMPRINT, DIGEST, SIGNATURE])
    expect(toHex(read?.nonce ?? new Uint8Array())).toBe('010203')
    expect([read?.digestAlgorithm, read?.signatureAlgorithm]).toEqual([OID.sha512, RSA])
    expect(read?.certificates).toEqual([CERTIFICATE])
    // Signed as a set, though it is under a tag of its own.
    expect(read?.signedAttributes[0]).toBe(0x31)
    expect(toHex(token())).toContain(toHex(read?.signedAttributes.subarray(1) ?? new Uint8Array()))
    expect(readTimestampToken(token({ nonce: [], certificates: [] }))).toMatchObject({
      nonce: null,
      certificates: [],
    })
  })

  it('gives its time to the millisecond, and no impossible time', () => {
    const time = (text: string) => readTimestampToken(token({ time: text }))?.time
    expect(time('20261118120000.5Z')).toBe('2026-11-18T12:00:00.500Z')
    expect(time('20261118120000.123456Z')).toBe('2026-11-18T12:00:00.123Z')
    for (const wrong of [
      '20261131120000Z',
      '20260229120000Z',
      '20261118250000Z',
      '202611181200Z',
      '20261118120000',
    ])
      expect(time(wrong)).toBeUndefined()
  })

  it.each<[string, Partial<Parts>]>([
    ['its version is another', { version: number(2) }],
    ['its hash is of another kind', { hashed: OID.sha384 }],
    ['its content is no timestamp', { content: OID.contentType }],
    ['its signer signed something else than a timestamp', { stated: OID.signedData }],
    ['it is not signed data', { type: OID.tstInfo }],
    ['two have signed it', { signers: 2 }],
    ['none has signed it', { signers: 0 }],
  ])('is refused if %s', (_, change) => {
    expect(readTimestampToken(token())).not.toBeNull()
    expect(readTimestampToken(token(change))).toBeNull()
  })

  it('is refused if bytes are missing, added or of indefinite length', () => {
    const whole = token()
    for (let size = 0; size < whole.length; size += 7)
      expect(readTimestampToken(whole.slice(0, size))).toBeNull()
    expect(readTimestampToken(concat(whole, Uint8Array.of(0)))).toBeNull()
    expect(readTimestampToken(Uint8Array.of(0x30, 0x80, 0, 0))).toBeNull()
    expect(readTimestampToken(Uint8Array.of(0x30, 0x84, 0, 0, 0, 0))).toBeNull()
  })

  it('is asked for by its hash and a nonce, and taken from an answer that grants it', () => {
    const query = timestampQuery(IMPRINT, Uint8Array.of(1, 2))
    expect(toHex(query)).toBe(
      `303d0201013031300d060960864801650304020105000420${toHex(IMPRINT)}020201020101ff`,
    )
    const reply = (...status: readonly number[]) => der(0x30, der(0x30, number(...status)), token())
    for (const granted of [0, 1]) expect(readTimestampReply(reply(granted))).toEqual(token())
    for (const refused of [2, 5]) expect(readTimestampReply(reply(refused))).toBeNull()
    expect(readTimestampReply(der(0x30, der(0x30, number(0))))).toBeNull()
    expect(readTimestampReply(utf8('<html>'))).toBeNull()
  })
})
