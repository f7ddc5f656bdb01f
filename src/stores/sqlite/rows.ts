// Between events and rows. What a row says about an event is read from its header bytes: it is what was signed.

import { WitanError } from '../../ledger/errors.ts'
import { type Header, readHeader, type SealedEvent } from '../../ledger/event.ts'
import { placedHeaders } from '../placed-headers.ts'
import type { End, EventText } from '../store.ts'
import type { SqlRow } from './driver.ts'

export interface EventRow {
  readonly header: Header
  readonly hash: Uint8Array
  readonly prev: Uint8Array
  readonly event: SealedEvent
}

const bytesOf = (value: unknown): Uint8Array => {
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

/** As text, since a row costs less without a buffer for each column. */
export const textsAs = (event: string, prefix: string): string =>
  ['header', 'payload'].map((column) => `CAST(${event}.${column} AS TEXT) AS ${prefix}${column}`).join(', ')

export const eventTextOf = ({ header, payload }: SqlRow): EventText => ({
  header: String(header),
  payload: payload === null ? null : String(payload),
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

export function rowsToAppend(
  trace: string,
  expected: End,
  events: readonly SealedEvent[],
): readonly EventRow[] {
  const headers = placedHeaders(trace, expected, events)
  return events.map((event, i) => {
    const header = headers[i] as Header
    return { header, event, hash: Buffer.from(event.hash, 'hex'), prev: Buffer.from(header.prev, 'hex') }
  })
}
