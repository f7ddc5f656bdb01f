// The request to a timestamp authority, and its answer.

import { concat, toHex } from '../bytes.ts'
import { expectTag, INTEGER, inside, NotDer, OCTETS, readElement, SEQUENCE } from './timestamp-token.ts'

const der = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const body = concat(...parts)
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return concat(Uint8Array.of(tag, ...length), body)
}
const SHA256_ALGORITHM = Uint8Array.of(0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0)
/** A TimeStampReq for this hash, which requests the certificate too. The nonce begins with a byte from 1 to 127. */
export const timestampQuery = (imprint: Uint8Array, nonce: Uint8Array): Uint8Array =>
  der(
    SEQUENCE,
    Uint8Array.of(INTEGER, 1, 1),
    der(SEQUENCE, SHA256_ALGORITHM, der(OCTETS, imprint)),
    der(INTEGER, nonce),
    Uint8Array.of(0x01, 1, 0xff),
  )
/** The token in a TimeStampResp; null when the authority refused or answered something else. */
export function readTimestampReply(reply: Uint8Array): Uint8Array | null {
  try {
    const [status, token] = inside(readElement(reply, 0), SEQUENCE)
    const granted = toHex(expectTag(inside(status, SEQUENCE)[0], INTEGER).body)
    return granted === '00' || granted === '01' ? expectTag(token, SEQUENCE).whole.slice() : null
  } catch (error) {
    if (error instanceof NotDer) return null
    throw error
  }
}
