// The index of the words in a SQLite store: a file of its own beside the evidence, so that appending costs nothing. It
// is made and brought up to date by the first search that needs it, from the events appended since. It holds words and
// no text, and is worth nothing by itself: a lost, damaged or foreign one is made again. Erasing empties it under the
// same lock in which it is written: words read before an erasure are never put in after it, since the generation has
// changed. Where the home cannot be written to, the index lives in memory for this one search.

import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { SearchQuery, SearchTerm } from '../../ledger/text/search.ts'
import { errnoOf } from '../disk.ts'
import { collectTexts, partsOf } from '../searched-text.ts'
import { type FoundEvent, LONG_OPENING, type Store } from '../store.ts'
import { type Connection, connectionOf } from './connection.ts'
import { type Database, loadSqlite, type SqlRow } from './driver.ts'
import { fromSqlite } from './faults.ts'
import { eventTextOf, hexOf, textsAs } from './rows.ts'

/** Another number when other words are indexed: then the index is made again. */
const EDITION = 1
const EVENTS_AT_ONCE = 500
/** At first what a person is shown and one more, which says whether there are others. */
const HITS = { first: 21, more: 128 }
/** Row = event × PARTS + part. */
const PARTS = 1024

const SETTINGS = `
  PRAGMA busy_timeout = 10000;
  PRAGMA journal_mode = DELETE;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;`

const CREATE = `
  CREATE TABLE progress(generation INTEGER NOT NULL, event INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  INSERT INTO progress VALUES (0, 0, '');
  CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='ascii');
  PRAGMA user_version = ${EDITION};`

interface Progress {
  readonly generation: number
  /** The number of the last event whose words are in. */
  readonly event: number
  readonly hash: string
}

export const searchFile = (directory: string): string => join(directory, 'search.db')

function progressOf(index: Connection): Progress {
  const row = index.get('SELECT generation, event, hash FROM progress')
  return { generation: Number(row?.generation), event: Number(row?.event), hash: String(row?.hash) }
}

/** Makes what is missing; another edition's words go. */
function prepare(db: Database, index: Connection): void {
  if (Number(index.get('PRAGMA user_version')?.user_version) === EDITION) return
  index.transact(() => {
    if (Number(index.get('PRAGMA user_version')?.user_version) === EDITION) return
    db.exec('DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS progress;')
    db.exec(CREATE)
  })
}

interface Opened {
  readonly index: Connection
  close(): void
}

async function openIndex(file: string): Promise<Opened> {
  const { DatabaseSync } = await loadSqlite()
  const db = new DatabaseSync(file)
  const index = connectionOf(db, file, true)
  try {
    db.exec(SETTINGS)
    prepare(db, index)
    return { index, close: index.close }
  } catch (error) {
    index.close()
    throw fromSqlite(error, file)
  }
}

async function openForSearch(file: string): Promise<Opened> {
  try {
    // Made here, so that only its owner may read it.
    await (await open(file, 'a', 0o600)).close()
  } catch (error) {
    if (['EACCES', 'EROFS', 'EPERM', 'ENOSPC'].includes(errnoOf(error))) return openIndex(':memory:')
    throw error
  }
  try {
    return await openIndex(file)
  } catch (error) {
    if (!isWitanError(error, 'VAULT_CORRUPT')) throw error
    await rm(file, { force: true })
    await (await open(file, 'a', 0o600)).close()
    return openIndex(file)
  }
}

interface Unindexed {
  readonly progress: Progress
  /** The events after it, a page of them. */
  readonly rows: readonly SqlRow[]
}

const isLastIndexed = ({ id, hash }: SqlRow, progress: Progress): boolean =>
  Number(id) === progress.event && hexOf(hash) === progress.hash

/** An index made from another file, or from one that was longer, is made again. */
function unindexed(events: Connection, index: Connection): Unindexed {
  const progress = progressOf(index)
  // The last event that is in the index comes along, so that one question tells both whether it is there and what is new.
  const rows = events.all(
    'SELECT id, hash, CASE WHEN id > ?1 THEN payload END AS payload FROM events WHERE id >= ?1 ORDER BY id LIMIT ?2',
    ...[progress.event, EVENTS_AT_ONCE + 1],
  )
  if (progress.event === 0) return { progress, rows }
  const [last, ...newer] = rows
  if (last && isLastIndexed(last, progress)) return { progress, rows: newer }
  empty(index)
  return unindexed(events, index)
}

function empty(index: Connection): void {
  index.transact(() => {
    index.run("INSERT INTO words(words) VALUES ('delete-all')")
    index.run("UPDATE progress SET generation = generation + 1, event = 0, hash = ''")
  })
}

async function catchUp(
  events: Connection,
  store: Pick<Store, 'openArtifact'>,
  index: Connection,
): Promise<void> {
  for (;;) {
    const { progress, rows } = unindexed(events, index)
    const last = rows.at(-1)
    if (last === undefined) return
    const wordRows: (readonly [row: number, words: string])[] = []
    for (const { id, payload } of rows) {
      const texts = await collectTexts(store, payload instanceof Uint8Array ? payload : null)
      const parts = partsOf(texts).slice(0, PARTS)
      for (const [part, words] of parts.entries()) wordRows.push([Number(id) * PARTS + part, words.join(' ')])
    }
    index.transact(() => {
      const now = progressOf(index)
      // Another search was faster, or something was erased meanwhile: what was read is not put in.
      if (now.generation !== progress.generation || now.event !== progress.event) return
      for (const [row, words] of wordRows)
        index.run('INSERT INTO words(rowid, text) VALUES (?, ?)', row, words)
      index.run('UPDATE progress SET event = ?, hash = ?', Number(last.id), hexOf(last.hash))
    })
  }
}

/** Words hold letters and digits only: nothing in them is an operator. */
const matching = (query: SearchQuery): string =>
  query.map(({ words, isPrefix }: SearchTerm) => `"${words.join(' ')}"${isPrefix ? '*' : ''}`).join(' AND ')

/** In the order in which they are named: what is joined is looked up one by one, and sorted by nothing. */
const EVENTS_BY_ID = `
  SELECT ${textsAs('e', '')}, ${textsAs('o', 'opening_')} FROM json_each(?) AS wanted
  CROSS JOIN events e ON e.id = wanted.value
  LEFT JOIN events o ON o.trace = e.trace AND o.seq = 0 AND length(o.payload) < ${LONG_OPENING}`

function foundIn(row: SqlRow): FoundEvent {
  const { opening_header: header, opening_payload: payload } = row
  const { header: own, payload: eventPayload } = eventTextOf(row)
  return {
    header: own,
    payload: eventPayload,
    opening: header === null ? null : eventTextOf({ header, payload }),
  }
}

const matches = (index: Connection, query: SearchQuery, before: number, count: number): readonly SqlRow[] =>
  index.all(
    'SELECT rowid FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
    ...[matching(query), before, count],
  )

/** None if the index does not end with the last event: whether it does is asked together with what is in it. */
function newestIfUpToDate(events: Connection, index: Connection, query: SearchQuery): readonly SqlRow[] {
  const last = events.get('SELECT id, hash FROM events ORDER BY id DESC LIMIT 1')
  if (last === undefined) return []
  return index.all(
    `SELECT rowid FROM words WHERE words MATCH ? AND EXISTS (SELECT 1 FROM progress WHERE event = ? AND hash = ?)
     ORDER BY rowid DESC LIMIT ?`,
    ...[matching(query), Number(last.id), hexOf(last.hash), HITS.first],
  )
}

function* hits(
  events: Connection,
  index: Connection,
  query: SearchQuery,
  newest: readonly SqlRow[],
): Generator<readonly FoundEvent[]> {
  let rows = newest
  let last = 0
  for (let count = HITS.first; ; count = HITS.more) {
    const ids = new Set(rows.map(({ rowid }) => Math.floor(Number(rowid) / PARTS)))
    ids.delete(last)
    yield events.all(EVENTS_BY_ID, JSON.stringify([...ids])).map(foundIn)
    if (rows.length < count) return
    const before = Number(rows.at(-1)?.rowid)
    last = Math.floor(before / PARTS)
    rows = matches(index, query, before, HITS.more)
  }
}

export interface Search {
  /** Newest first. */
  find(query: SearchQuery): AsyncIterable<readonly FoundEvent[]>
  close(): void
}

/** The index is opened by the first search and kept open, as the store is. */
export function openSearch(
  events: Connection,
  store: Pick<Store, 'openArtifact'>,
  directory: string,
): Search {
  let opening: Promise<Opened> | null = null
  let opened: Opened | null = null
  async function* find(query: SearchQuery): AsyncGenerator<readonly FoundEvent[]> {
    if (query.length === 0) return
    opening ??= openForSearch(searchFile(directory))
    opened = await opening
    const { index } = opened
    let newest = newestIfUpToDate(events, index, query)
    if (newest.length === 0) {
      await catchUp(events, store, index)
      newest = matches(index, query, Number.MAX_SAFE_INTEGER, HITS.first)
    }
    yield* hits(events, index, query, newest)
  }
  return { find, close: () => opened?.close() }
}

/** Takes every word out of the index, so that none of what was erased is left in it. */
export async function forgetWords(directory: string): Promise<void> {
  const file = searchFile(directory)
  if (!existsSync(file)) return
  try {
    const { index, close } = await openIndex(file)
    try {
      empty(index)
    } finally {
      close()
    }
  } catch (error) {
    if (!isWitanError(error, 'VAULT_CORRUPT')) {
      throw new WitanError(
        'VAULT_BUSY',
        `${file}: erased from the record, but the words are still in the index of what can be searched`,
        'Let other searches end, then redact again: that empties the index.',
        { cause: error },
      )
    }
    await rm(file, { force: true })
  }
}
