// Between events and rows. Order and place are read from the header bytes, never taken from the caller beside
// them: what a row says about an event is what was signed.

import { WitanError } from '../ledger/errors.ts'
import { type Header, readHeader, type SealedEvent } from '../ledger/event.ts'
import type { SqlRow } from './sqlite-driver.ts'

export interface EventRow {
  readonly header: Header
  readonly hash: Uint8Array
  readonly prev: Uint8Array
  readonly event: SealedEvent
}

export const bytesOf = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value
  throw new TypeError('the column holds no bytes')
}

export function hexOf(value: unknown): string {
  const bytes = bytesOf(value)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

export const sealedOf = (row: SqlRow): SealedEvent => ({
  header: bytesOf(row.header),
  hash: hexOf(row.hash),
  signature: bytesOf(row.signature),
  payload: row.payload === null ? null : bytesOf(row.payload),
  salt: row.salt === null ? null : bytesOf(row.salt),
})

export function headerOf(bytes: unknown, where: string): Header {
  const header = readHeader(bytesOf(bytes))
  if (typeof header !== 'string') return header
  throw new WitanError(
    'VAULT_CORRUPT',
    `${where}: ${header}`,
    'Nothing was changed. Keep the file as it is and restore a backup beside it.',
  )
}

/** The rows in order, each following the one before it and the first following the expected head. */
export function rowsToAppend(
  trace: string,
  expected: { readonly size: number; readonly hash: string },
  events: readonly SealedEvent[],
): readonly EventRow[] {
  let prev = expected.hash
  return events.map((event, i) => {
    const header = readHeader(event.header)
    const place = `event ${expected.size + i} of trace ${trace}`
    if (typeof header === 'string') {
      throw new WitanError('HEADER_INVALID', `${place}: ${header}`, 'Nothing was appended; seal it again.')
    }
    const follows = header.seq === expected.size + i && (header.prev === prev || header.seq === 0)
    if (header.trace !== trace || !follows) {
      throw new WitanError(
        'VAULT_REFUSED',
        `${place}: the header names ${header.trace}/${header.seq} after ${header.prev}, which is another place`,
        'Nothing was appended; seal the events upon the head they are to follow.',
      )
    }
    prev = event.hash
    return { header, event, hash: Buffer.from(event.hash, 'hex'), prev: Buffer.from(header.prev, 'hex') }
  })
}
