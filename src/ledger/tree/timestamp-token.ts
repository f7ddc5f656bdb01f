// Reads an RFC 3161 TimeStampToken, as far as checking needs it: a CMS SignedData around a TSTInfo. It only
// reads; the signature and the signer are checked elsewhere. Anything unexpected is rejected as no token.

import { concat, toHex } from '../bytes.ts'
import { momentMs, momentText } from '../clock.ts'

/** One DER element. */
interface Element {
  readonly tag: number
  readonly body: Uint8Array
  /** With tag and length. */
  readonly whole: Uint8Array
}

export class NotDer extends Error {}

export function readElement(bytes: Uint8Array, at: number): Element {
  const tag = bytes[at] ?? 0
  let length = bytes[at + 1] ?? 0x80
  let start = at + 2
  if (length >= 0x80) {
    const count = length & 0x7f
    // An indefinite length is not DER, and nothing here takes more than 16 MB.
    if (count === 0 || count > 3) throw new NotDer()
    length = 0
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[start++] ?? 0)
  }
  const end = start + length
  if (end > bytes.length) throw new NotDer()
  return { tag, body: bytes.subarray(start, end), whole: bytes.subarray(at, end) }
}

function elements(bytes: Uint8Array): readonly Element[] {
  const read: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at)
    read.push(element)
    at += element.whole.length
  }
  return read
}

export const SEQUENCE = 0x30
const SET = 0x31
const OBJECT = 0x06
export const OCTETS = 0x04
export const INTEGER = 0x02
const TIME = 0x18

export function expectTag(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new NotDer()
  return element
}

export const inside = (element: Element | undefined, tag: number): readonly Element[] =>
  elements(expectTag(element, tag).body)

const oid = (element: Element | undefined): string => toHex(expectTag(element, OBJECT).body)

/** Object identifiers, as the hex of their DER body. */
export const OID = {
  signedData: '2a864886f70d010702',
  tstInfo: '2a864886f70d0109100104',
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  sha256: '608648016503040201',
  sha384: '608648016503040202',
  sha512: '608648016503040203',
} as const

export interface TimestampToken {
  /** Of what was timestamped; only SHA-256 is supported. */
  readonly imprint: Uint8Array
  readonly nonce: Uint8Array | null
  /** ISO 8601 in UTC. */
  readonly time: string
  /** The authority's statement about the time; its digest is signed. */
  readonly content: Uint8Array
  readonly digest: Uint8Array
  /** What is signed. */
  readonly signedAttributes: Uint8Array
  readonly digestAlgorithm: string
  readonly signatureAlgorithm: string
  readonly signature: Uint8Array
  /** Serial number of the signer's certificate, in hex. */
  readonly serial: string
  readonly certificates: readonly Uint8Array[]
}

/** Seconds must be there, fractions may. */
function isoTime(text: string): string {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text)
  if (!match) throw new NotDer()
  const [, year, month, day, hour, minute, second, fraction = '.0'] = match
  const milliseconds = fraction.slice(1, 4).padEnd(3, '0')
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`
  // A non-existent day or hour would mean another time.
  if (momentText(momentMs(iso)) !== iso) throw new NotDer()
  return iso
}

function readInfo(content: Uint8Array): Pick<TimestampToken, 'imprint' | 'nonce' | 'time'> {
  const [version, , imprint, , ...rest] = inside(readElement(content, 0), SEQUENCE)
  if (toHex(expectTag(version, INTEGER).body) !== '01') throw new NotDer()
  const [algorithm, hash] = inside(imprint, SEQUENCE)
  if (oid(inside(algorithm, SEQUENCE)[0]) !== OID.sha256) throw new NotDer()
  const time = expectTag(rest[0], TIME)
  const nonce = rest.find(({ tag }) => tag === INTEGER)
  return {
    imprint: expectTag(hash, OCTETS).body,
    nonce: nonce?.body ?? null,
    time: isoTime(String.fromCharCode(...time.body)),
  }
}

function readSigner(info: Element | undefined) {
  const [, signer, digestAlgorithm, attributes, signatureAlgorithm, signature] = inside(info, SEQUENCE)
  const [, serial] = inside(signer, SEQUENCE)
  // Signed as a SET, though it is here under its own tag.
  const signedAttributes = concat(Uint8Array.of(SET), expectTag(attributes, 0xa0).whole.subarray(1))
  const named = new Map(
    elements(expectTag(attributes, 0xa0).body).map((attribute) => {
      const [type, values] = inside(attribute, SEQUENCE)
      return [oid(type), inside(values, SET)[0]] as const
    }),
  )
  if (oid(named.get(OID.contentType)) !== OID.tstInfo) throw new NotDer()
  return {
    signedAttributes,
    digest: expectTag(named.get(OID.messageDigest), OCTETS).body,
    digestAlgorithm: oid(inside(digestAlgorithm, SEQUENCE)[0]),
    signatureAlgorithm: oid(inside(signatureAlgorithm, SEQUENCE)[0]),
    signature: expectTag(signature, OCTETS).body,
    serial: toHex(expectTag(serial, INTEGER).body),
  }
}

function readToken(der: Uint8Array): TimestampToken {
  const outer = readElement(der, 0)
  if (outer.whole.length !== der.length) throw new NotDer()
  const [type, wrapped] = inside(outer, SEQUENCE)
  if (oid(type) !== OID.signedData) throw new NotDer()
  const [, , encapsulated, ...rest] = inside(inside(wrapped, 0xa0)[0], SEQUENCE)
  const [contentType, contentWrapped] = inside(encapsulated, SEQUENCE)
  if (oid(contentType) !== OID.tstInfo) throw new NotDer()
  const content = expectTag(inside(contentWrapped, 0xa0)[0], OCTETS).body
  const certificates = rest.find(({ tag }) => tag === 0xa0)
  const [signer, ...more] = inside(rest.at(-1), SET)
  if (more.length > 0) throw new NotDer()
  return {
    content,
    ...readInfo(content),
    ...readSigner(signer),
    certificates: certificates ? elements(certificates.body).map(({ whole }) => whole) : [],
  }
}

/** The token, or null when the bytes are none that is supported. */
export function readTimestampToken(der: Uint8Array): TimestampToken | null {
  try {
    return readToken(der)
  } catch (error) {
    if (error instanceof NotDer) return null
    throw error
  }
}
