// Appends with one question to the store: whether the event to be followed is there and the registry no longer than
// it was judged by. That nothing follows that event yet is for the store's own guards to say. A single event is one
// statement with the question in it; when the store refuses that, the transaction that asks first says why.

import { isWitanError, WitanError } from '../../ledger/errors.ts'
import { REGISTRY_PROTOCOL } from '../../ledger/event.ts'
import type { End } from '../store.ts'
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

const newEvent = (trace: string): string => `
  INSERT INTO events(trace, seq, hash, prev, signature, header, payload, salt)
  VALUES (${trace}, ?, ?, ?, ?, ?, ?, ?)`

const NEW_EVENT = newEvent('?')

/** Where nothing is to be followed the trace is null, which the table refuses. */
const NEXT_EVENT = newEvent(`(${FOLLOWED})`)

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
    'Read the new heads and append to them.',
  )
}

const columnsOf = ({ header, hash, prev, event }: EventRow) =>
  [header.seq, hash, prev, event.signature, event.header, event.payload, event.salt] as const

function appendAll(
  connection: Connection,
  trace: string,
  expected: End,
  rows: readonly [EventRow, ...EventRow[]],
  registry: number,
): void {
  const id = numberOf(connection, trace, expected, rows[0], registry)
  for (const row of rows) connection.run(NEW_EVENT, id, ...columnsOf(row))
}

function isAppendedAlone(
  connection: Connection,
  trace: string,
  row: EventRow,
  registry: number,
  isFlushedLater: boolean,
): boolean {
  const { header, prev } = row
  try {
    connection.runAlone(isFlushedLater, NEXT_EVENT, trace, header.seq - 1, prev, registry, ...columnsOf(row))
    return true
  } catch (error) {
    if (isWitanError(error, 'VAULT_REFUSED') || isWitanError(error, 'HEAD_MOVED')) return false
    throw error
  }
}

export function append(
  connection: Connection,
  trace: string,
  expected: End,
  rows: readonly [EventRow, ...EventRow[]],
  registry = Number.MAX_SAFE_INTEGER,
  isFlushedLater = false,
): void {
  const follows = rows.length === 1 && expected.size > 0
  if (follows && isAppendedAlone(connection, trace, rows[0], registry, isFlushedLater)) return
  connection.transact(() => appendAll(connection, trace, expected, rows, registry), isFlushedLater)
}
