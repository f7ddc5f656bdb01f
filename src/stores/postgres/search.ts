// The index of the words in a PostgreSQL store, in two tables that the first search makes and every search brings up
// to date, trace by trace: appending costs nothing. It is a cache: what is shown of a hit is read from the record.
// Indexing and forgetting hold one advisory lock, so that words read before an erasure are never put in after it. Who
// may only read the schema searches without an index, event by event.

import type pg from 'pg'
import { readHeader } from '../../ledger/event.ts'
import { isMatch, type SearchQuery } from '../../ledger/text/search.ts'
import { collectTexts, eventText, partsOf } from '../searched-text.ts'
import { type FoundEvent, LONG_OPENING, type Store } from '../store.ts'
import { type Connections, stateOf } from './connection.ts'
import { lockKey } from './schema.ts'

const EVENTS_AT_ONCE = 500
const HITS_AT_ONCE = 64

type Reading = Pick<Store, 'openArtifact' | 'read' | 'traces'>

const tables = (s: string): string => `
CREATE TABLE IF NOT EXISTS ${s}.search_progress (trace integer PRIMARY KEY, size integer NOT NULL);
CREATE TABLE IF NOT EXISTS ${s}.search_words (
  trace integer NOT NULL,
  seq integer NOT NULL,
  part integer NOT NULL,
  at text NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (trace, seq, part)
);
CREATE INDEX IF NOT EXISTS search_words_words ON ${s}.search_words USING gin (words);`

const unindexedSql = (s: string): string => `
SELECT t.id, t.trace, coalesce(p.size, 0) AS size
FROM ${s}.traces t
LEFT JOIN ${s}.search_progress p ON p.trace = t.id
CROSS JOIN LATERAL (SELECT seq FROM ${s}.events e WHERE e.trace = t.id ORDER BY seq DESC LIMIT 1) l
WHERE l.seq >= coalesce(p.size, 0)`

/** Words hold letters and digits only: nothing in them has to be escaped inside quotes. */
function vectorOf(words: readonly string[]): string {
  const places = new Map<string, number[]>()
  for (const [i, word] of words.entries()) {
    const place = places.get(word)
    if (place) place.push(i + 1)
    else places.set(word, [i + 1])
  }
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ')
}

const matching = (query: SearchQuery): string =>
  query
    .map(({ words, isPrefix }) => {
      const quoted = words.map((word, i) => `'${word}'${isPrefix && i === words.length - 1 ? ':*' : ''}`)
      return `(${quoted.join(' <-> ')})`
    })
    .join(' & ')

interface Behind {
  readonly id: number
  readonly trace: string
  readonly size: number
}

async function indexTrace(client: pg.Client, s: string, store: Reading, of: Behind): Promise<void> {
  let seq = of.size
  for await (const event of store.read(of.trace, of.size, of.size + EVENTS_AT_ONCE)) {
    const header = readHeader(event.header)
    const at = typeof header === 'string' ? '' : header.at
    for (const [part, words] of partsOf(await collectTexts(store, event.payload)).entries()) {
      await client.query(
        `INSERT INTO ${s}.search_words VALUES ($1, $2, $3, $4, $5::tsvector) ON CONFLICT DO NOTHING`,
        [of.id, seq, part, at, vectorOf(words)],
      )
    }
    seq++
  }
  await client.query(
    `INSERT INTO ${s}.search_progress VALUES ($1, $2) ON CONFLICT (trace) DO UPDATE SET size = $2`,
    [of.id, seq],
  )
}

/** One transaction a batch: others who wait for the lock see what was done so far. */
async function indexSome(client: pg.Client, schema: string, store: Reading): Promise<boolean> {
  const s = `"${schema}"`
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${lockKey(schema, "'search'")})`)
    await client.query(tables(s))
    const { rows } = await client.query<Behind>(unindexedSql(s))
    const some = rows.slice(0, EVENTS_AT_ONCE)
    for (const trace of some) await indexTrace(client, s, store, trace)
    await client.query('COMMIT')
    return rows.length > 0
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

const isForbidden = (error: unknown): boolean => ['42501', '25006'].includes(stateOf(error))

/** False where this user may not write an index. */
async function isIndexed(connections: Connections, schema: string, store: Reading): Promise<boolean> {
  const there = { name: 'witan_search_there', text: 'SELECT to_regclass($1) IS NOT NULL AS there' }
  const [indexExists] = await connections.attempt<{ there: boolean }>(there, [`"${schema}".search_progress`])
  const late = { name: 'witan_search_behind', text: `${unindexedSql(`"${schema}"`)} LIMIT 1` }
  const [row] = indexExists?.there ? await connections.attempt<Behind>(late, []) : [null]
  if (row === undefined) return true
  const client = await connections.dedicated()
  try {
    while (await indexSome(client, schema, store)) {}
    return true
  } catch (error) {
    if (isForbidden(error)) return false
    throw error
  } finally {
    await client.end()
  }
}

async function* scan(store: Reading, query: SearchQuery): AsyncGenerator<readonly FoundEvent[]> {
  const traces = [...(await store.traces())].sort((a, b) => (a.last.at < b.last.at ? 1 : -1))
  for (const { trace } of traces) {
    const events: FoundEvent[] = []
    for await (const event of store.read(trace)) {
      const parts = partsOf(await collectTexts(store, event.payload))
      if (parts.some((words) => isMatch(query, words))) events.unshift({ ...eventText(event), opening: null })
    }
    yield events
  }
}

interface Row {
  readonly seq: number
  readonly at: string
  readonly id: number
  readonly header: Uint8Array
  readonly payload: Uint8Array | null
  readonly opening_header: Uint8Array | null
  readonly opening_payload: Uint8Array | null
}

const foundIn = ({ header, payload, opening_header, opening_payload }: Row): FoundEvent => ({
  ...eventText({ header, payload }),
  opening: opening_header && eventText({ header: opening_header, payload: opening_payload }),
})

async function* hits(
  connections: Connections,
  schema: string,
  query: SearchQuery,
): AsyncGenerator<readonly FoundEvent[]> {
  const s = `"${schema}"`
  const statement = {
    name: 'witan_search',
    text: `
      SELECT f.*, e.header, e.payload, o.header AS opening_header, o.payload AS opening_payload
      FROM (SELECT DISTINCT w.at, t.id, w.seq
      FROM ${s}.search_words w JOIN ${s}.traces t ON t.id = w.trace
      WHERE w.words @@ $1::tsquery AND ($2::text IS NULL OR (w.at, t.id, w.seq) < ($2, $3, $4))
      ORDER BY w.at DESC, t.id DESC, w.seq DESC LIMIT ${HITS_AT_ONCE}) f
      JOIN ${s}.events e ON e.trace = f.id AND e.seq = f.seq
      LEFT JOIN ${s}.events o ON o.trace = f.id AND o.seq = 0 AND octet_length(o.payload) < ${LONG_OPENING}
      ORDER BY f.at DESC, f.id DESC, f.seq DESC`,
  }
  let after: readonly [string | null, number, number] = [null, 0, 0]
  for (;;) {
    const rows = await connections.query<Row>(statement, [matching(query), ...after])
    yield rows.map(foundIn)
    const last = rows.at(-1)
    if (last === undefined || rows.length < HITS_AT_ONCE) return
    after = [last.at, last.id, last.seq]
  }
}

/** Newest first. */
export async function* search(
  connections: Connections,
  schema: string,
  store: Reading,
  query: SearchQuery,
): AsyncGenerator<readonly FoundEvent[]> {
  if (query.length === 0) return
  const indexed = await connections.patiently(() => isIndexed(connections, schema, store))
  yield* indexed ? hits(connections, schema, query) : scan(store, query)
}

/** Takes every word out of the index. The files of an emptied table are removed, not only marked as free. */
export async function forgetWords(connections: Connections, schema: string): Promise<void> {
  const s = `"${schema}"`
  const client = await connections.dedicated()
  try {
    await client.query('BEGIN')
    await client.query(`SELECT pg_advisory_xact_lock(${lockKey(schema, "'search'")})`)
    const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      `${s}.search_words`,
    ])
    if (rows[0]?.there) await client.query(`TRUNCATE ${s}.search_words, ${s}.search_progress`)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}
