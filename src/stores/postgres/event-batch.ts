// A batch of events as PostgreSQL takes it fastest: one binary array a column. The driver would send byte arrays as
// escaped hex text, which doubles the bytes and halves the rate. Only events whose signed headers name the place
// they are put in become a batch.

import { GENESIS, type SealedEvent } from '../../ledger/event.ts'
import { placedHeaders } from '../placed-headers.ts'
import type { End } from '../store.ts'

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
function byteaArray(items: readonly (Uint8Array | null)[]): Buffer {
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

/** Null when there is nothing to append. */
export function batchOf(trace: string, expected: End, events: readonly SealedEvent[]): Batch | null {
  const [first] = placedHeaders(trace, expected, events)
  const last = events.at(-1)
  const prevs = [first?.prev ?? GENESIS, ...events.map((event) => event.hash)]
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
