// Appends within a transaction, with one question to the store: whether the event to be followed is there and the
// registry no longer than it was judged by. That nothing follows that event yet is for the store's own guards to say.

import { WitanError } from '../../ledger/errors.ts'
import { REGISTRY_PROTOCOL } from '../../ledger/event.ts'
import type { End } from '../vault.ts'
import type { Connection } from './connection.ts'
import type { EventRow } from './rows.ts'

const REGISTRY_BEYOND = `
  SELECT 1 FROM events
  WHERE trace = (SELECT id FROM traces WHERE protocol = '${REGISTRY_PROTOCOL}') AND seq >= ?`

const FOLLOWED = `
  SELECT trace FROM events
  WHERE trace = (SELECT id FROM traces WHERE trace = ?) AND seq = ? AND hash = ?
    AND NOT EXISTS (${REGISTRY_BEYOND})`

const NEW_TRACE = 'INSERT INTO traces(trace, protocol) VALUES (?, ?)'

const NEW_EVENT = `
  INSERT INTO events(trace, seq, hash, prev, signature, header, payload, salt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

/** The number of the trace to append to. */
function numberOf(connection: Connection, trace: string, expected: End, first: EventRow, registry: number) {
  if (expected.size > 0) {
    const followed = connection.get(FOLLOWED, trace, expected.size - 1, first.prev, registry)
    if (followed) return Number(followed.trace)
  } else if (!connection.get(REGISTRY_BEYOND, registry)) {
    return connection.run(NEW_TRACE, trace, first.header.protocol)
  }
  throw new WitanError(
    'HEAD_MOVED',
    `trace ${trace} does not end as expected after ${expected.size} events, or the registry has grown`,
    'Read the new heads and append upon them.',
  )
}

export function append(
  connection: Connection,
  trace: string,
  expected: End,
  rows: readonly EventRow[],
  registry = Number.MAX_SAFE_INTEGER,
): void {
  const [first] = rows
  if (!first) return
  const id = numberOf(connection, trace, expected, first, registry)
  for (const { header, hash, prev, event } of rows) {
    const { signature, header: bytes, payload, salt } = event
    connection.run(NEW_EVENT, id, header.seq, hash, prev, signature, bytes, payload, salt)
  }
}
