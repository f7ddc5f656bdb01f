// A store in one SQLite file, with long artifacts as files beside it. Every transaction begins IMMEDIATE, before the
// head is read, and ends before this code awaits anything: a process holds the write lock for no longer than it
// takes to write, and loses it when it dies. Reads take no lock and keep no snapshot between pages.

import { REGISTRY_PROTOCOL, type SealedEvent } from '../ledger/event.ts'
import { openArtifactFiles } from './artifact-files.ts'
import { append } from './sqlite/appending.ts'
import { artifactRows } from './sqlite/artifacts.ts'
import * as attendance from './sqlite/attendance.ts'
import { type Connection, connectionOf } from './sqlite/connection.ts'
import type { SqlRow } from './sqlite/driver.ts'
import { erase } from './sqlite/erasure.ts'
import { logFlush } from './sqlite/log-flush.ts'
import { databaseFile, openDatabase } from './sqlite/open.ts'
import { eventTextOf, headerOf, hexOf, rowsToAppend, sealedOf, textsAs } from './sqlite/rows.ts'
import { openSearch } from './sqlite/search.ts'
import { watching } from './sqlite/watching.ts'
import type { Store, TraceSummary } from './store.ts'

const PAGE_ROWS = { first: 16, most: 512 }
const PAGE_BYTES = 1 << 20
const HASHES_AT_ONCE = 4096
const HEX = 64

const lastOf = (columns: string): string =>
  `SELECT ${columns} FROM events
   WHERE trace = (SELECT id FROM traces WHERE trace = ?) ORDER BY seq DESC LIMIT 1`
const HEAD = lastOf('seq, hash, header')
const END = lastOf('trace, seq, hash')

function summary(row: SqlRow, file: string): TraceSummary {
  const trace = String(row.name)
  const { at, type } = headerOf(row.header, `${file}: trace ${trace}`)
  return {
    trace,
    protocol: String(row.protocol),
    size: Number(row.seq) + 1,
    started: headerOf(row.first, `${file}: trace ${trace}`).at,
    last: { at, type, hash: hexOf(row.hash) },
  }
}

const summaries = (connection: Connection): readonly TraceSummary[] =>
  connection
    .all(
      `SELECT t.trace AS name, t.protocol, l.seq, l.hash, l.header, f.header AS first
       FROM traces t
       JOIN events f ON f.trace = t.id AND f.seq = 0
       JOIN events l ON l.trace = t.id AND l.seq = (SELECT max(seq) FROM events WHERE trace = t.id)
       ORDER BY t.id`,
    )
    .map((row) => summary(row, connection.file))

const OPENINGS = `SELECT ${textsAs('e', '')} FROM json_each(?) AS wanted
  CROSS JOIN traces ON traces.trace = wanted.value CROSS JOIN events e ON e.trace = traces.id AND e.seq = 0`

const SELECT_FEW = `SELECT hash, signature, header, payload, salt FROM events
  WHERE trace = (SELECT id FROM traces WHERE trace = ?) AND seq >= ? AND seq < ? ORDER BY seq`

async function* read(
  connection: Connection,
  trace: string,
  from: number,
  to: number,
): AsyncGenerator<SealedEvent> {
  // Lists and searches read the first event of many traces: one statement, which sees one state of the store by itself.
  if (to - from <= PAGE_ROWS.first) {
    for (const row of connection.all(SELECT_FEW, trace, Math.max(from, 0), to)) yield sealedOf(row)
    return
  }
  const head = connection.get(END, trace)
  const end = head === undefined ? 0 : Math.min(to, Number(head.seq) + 1)
  let count = PAGE_ROWS.first
  for (let at = Math.max(from, 0); at < end; ) {
    const rows = connection.all(
      `SELECT hash, signature, header, payload, salt FROM events
       WHERE trace = ? AND seq >= ? AND seq < ? ORDER BY seq`,
      ...[Number(head?.trace), at, Math.min(end, at + count)],
    )
    if (rows.length === 0) return
    at += rows.length
    let bytes = 0
    for (const row of rows) {
      const event = sealedOf(row)
      bytes += event.header.length + (event.payload?.length ?? 0)
      yield event
    }
    // A payload may have a mebibyte: the next page follows from the size of what this one held.
    count = Math.max(1, Math.min(PAGE_ROWS.most, count * 4, Math.floor((PAGE_BYTES * rows.length) / bytes)))
  }
}

/** Joined by SQLite, a few thousand at a time: a row object for each would cost several times the reading. */
function hashes(connection: Connection, trace: string, from: number, to: number): readonly string[] {
  const out: string[] = []
  for (let at = Math.max(from, 0); at < to; at += HASHES_AT_ONCE) {
    const row = connection.get(
      `SELECT group_concat(lower(hex(hash)), '' ORDER BY seq) AS joined FROM events
       WHERE trace = (SELECT id FROM traces WHERE trace = ?) AND seq >= ? AND seq < ?`,
      ...[trace, at, Math.min(to, at + HASHES_AT_ONCE)],
    )
    if (typeof row?.joined !== 'string') break
    for (let i = 0; i < row.joined.length; i += HEX) out.push(row.joined.slice(i, i + HEX))
  }
  return out
}

/** A store in one SQLite file, long artifacts beside it. */
export async function openSqliteStore(options: {
  readonly directory: string
  readonly readonly?: boolean
}): Promise<Store> {
  const { directory, readonly = false } = options
  const connection = connectionOf(await openDatabase(directory, readonly), databaseFile(directory), readonly)
  const files = openArtifactFiles(directory)
  const log = logFlush(databaseFile(directory))
  const artifacts = artifactRows(connection, files, log.begin)
  const watchers = watching(connection, (trace) => {
    const head = connection.get(END, trace)
    return head === undefined ? 0 : Number(head.seq) + 1
  })
  const searching = openSearch(connection, { openArtifact: artifacts.open }, directory)
  let closed = false

  return {
    kind: 'sqlite',
    registry: async () => {
      const row = connection.get('SELECT trace FROM traces WHERE protocol = ?', REGISTRY_PROTOCOL)
      return row === undefined ? null : String(row.trace)
    },
    traces: async () => summaries(connection),
    head: async (trace) => {
      const row = connection.get(HEAD, trace)
      if (row === undefined) return null
      const header = headerOf(row.header, `${connection.file}: trace ${trace}`)
      return { size: Number(row.seq) + 1, hash: hexOf(row.hash), header }
    },
    append: async (trace, expected, events, registry, isFlushedLater = false) => {
      const [first, ...more] = rowsToAppend(trace, expected, events)
      if (!first) return
      append(connection, trace, expected, [first, ...more], registry, isFlushedLater)
      if (isFlushedLater) log.begin()
      else log.covered()
      watchers.grown(trace, expected.size + events.length)
    },
    settled: log.settled,
    read: (trace, from = 0, to = Number.MAX_SAFE_INTEGER) => read(connection, trace, from, to),
    hashes: async (trace, from = 0, to = Number.MAX_SAFE_INTEGER) => hashes(connection, trace, from, to),
    watch: watchers.watch,
    putArtifact: artifacts.put,
    statArtifact: artifacts.stat,
    openArtifact: artifacts.open,
    openings: async (names) => connection.all(OPENINGS, JSON.stringify(names)).map(eventTextOf),
    find: searching.find,
    erase: (...erasures) => erase(connection, files, directory, erasures),
    attend: async (clerk) => {
      const id = attendance.enter(connection, clerk)
      return async () => {
        if (!closed) attendance.leave(connection, id)
      }
    },
    attends: async (clerk) => attendance.isThere(connection, clerk),
    close: async () => {
      if (closed) return
      closed = true
      watchers.close()
      searching.close()
      const flushed = log.close()
      connection.close()
      await flushed
    },
  }
}
