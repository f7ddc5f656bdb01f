// A batch of events as PostgreSQL takes it fastest: one binary array a column. The driver would send byte arrays as
// escaped hex text, which doubles the bytes and halves the rate. Only events whose signed headers name the place
// they are put in become a batch.

import { WitanError } from '../ledger/errors.ts'
import { GENESIS, type Header, readHeader, type SealedEvent } from '../ledger/event.ts'

export interface Batch {
  /** Of the first event, which decides it for a new trace. */
  readonly protocol: string
  readonly prev: Buffer
  readonly last: { readonly seq: number; readonly hash: string }
  /** prevs, hashes, headers, signatures, payloads, salts. */
  readonly columns: readonly Buffer[]
}

const BYTEA = 17

/** The binary form of a one-dimensional bytea[] (array_recv). */
export function byteaArray(items: readonly (Uint8Array | null)[]): Buffer {
  const size = items.reduce((sum, item) => sum + 4 + (item?.length ?? 0), 20)
  const out = Buffer.allocUnsafe(size)
  const head = [1, items.includes(null) ? 1 : 0, BYTEA, items.length, 1]
  let at = 0
  for (const word of head) at = out.writeInt32BE(word, at)
  for (const item of items) {
    at = out.writeInt32BE(item === null ? -1 : item.length, at)
    if (item === null) continue
    out.set(item, at)
    at += item.length
  }
  return out
}

function placed(event: SealedEvent, trace: string, seq: number, prev: string): Header {
  const header = readHeader(event.header)
  if (typeof header === 'string') {
    const message = `event ${seq} of trace ${trace}: ${header}`
    throw new WitanError('HEADER_INVALID', message, 'Nothing was appended; seal it again.')
  }
  if (header.trace === trace && header.seq === seq && header.prev === prev) return header
  throw new WitanError(
    'VAULT_REFUSED',
    `event ${seq} of trace ${trace}: the header names ${header.trace}/${header.seq} after ${header.prev}`,
    'Nothing was appended; seal the events upon the head they are to follow.',
  )
}

/** Null when there is nothing to append. */
export function batchOf(
  trace: string,
  expected: { readonly size: number; readonly hash: string },
  events: readonly SealedEvent[],
): Batch | null {
  const prevs = [expected.size === 0 ? GENESIS : expected.hash, ...events.map((event) => event.hash)]
  const headers = events.map((event, i) => placed(event, trace, expected.size + i, prevs[i] ?? GENESIS))
  const [first, last] = [headers[0], events.at(-1)]
  if (first === undefined || last === undefined) return null
  const links = prevs.map((hash) => Buffer.from(hash, 'hex'))
  return {
    protocol: first.protocol,
    prev: links[0] ?? Buffer.alloc(0),
    last: { seq: expected.size + events.length - 1, hash: last.hash },
    columns: [
      byteaArray(links.slice(0, -1)),
      byteaArray(links.slice(1)),
      byteaArray(events.map((event) => event.header)),
      byteaArray(events.map((event) => event.signature)),
      byteaArray(events.map((event) => event.payload)),
      byteaArray(events.map((event) => event.salt)),
    ],
  }
}
