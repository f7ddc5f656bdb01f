// A store in a PostgreSQL database. An append is one round trip: lock of the trace, comparison with the expected
// head, insert, commit. When the connection breaks in between, the same append is simply tried again: the expected
// head and the unique constraints let it happen once at most, and if it finds itself already there, it stands.

import { setTimeout as pause } from 'node:timers/promises'
import { WitanError } from '../ledger/errors.ts'
import { type Header, readHeader, type SealedEvent } from '../ledger/event.ts'
import { openArtifactRows } from './postgres/artifacts.ts'
import {
  type Connections,
  connect,
  firstConnection,
  isLoss,
  stateOf,
  storeError,
} from './postgres/connection.ts'
import { erase } from './postgres/erasure.ts'
import { batchOf } from './postgres/event-batch.ts'
import { prepare } from './postgres/opening.ts'
import { placedArtifacts } from './postgres/placed-artifacts.ts'
import { openPresence } from './postgres/presence.ts'
import { search } from './postgres/search.ts'
import { type FolderSettings, openSharedFolder } from './postgres/shared-folder.ts'
import { statementsOf } from './postgres/statements.ts'
import { eventText } from './searched-text.ts'
import type { End, Head, Store, TraceSummary } from './store.ts'

/** Where the server is, and how it is opened. */
export interface PostgresOptions {
  readonly url: string
  /** The schema that holds the tables. */
  readonly schema?: string
  /** For how many milliseconds a server that is away is waited for. */
  readonly patience?: number
  /** Whether a store is made where there is none; otherwise that is HOME_MISSING. True when not given. */
  readonly create?: boolean
  /** Where artifacts beyond a size lie; all of them lie in the database when not given. */
  readonly artifacts?: FolderSettings | null
}

/** Announcements can be lost with a connection; the head is looked at this often in any case. */
const POLL_MS = 2_000
/** A clerk that is alive, but whose connection broke, has its lock again well within this time. */
const RETURN_MS = 1_500
const INT_MAX = 2 ** 31 - 1
/** A page of a read ends after so many events, or with the one that passes so many payload bytes. */
const PAGE = { events: 500, bytes: 8 << 20 }

interface EventRow {
  readonly seq: number
  readonly hash: string
  readonly header: Buffer
  readonly signature: Buffer
  readonly payload: Buffer | null
  readonly salt: Buffer | null
}

interface OpeningRow {
  readonly header: Buffer
  readonly payload: Buffer | null
}

interface SummaryRow {
  readonly trace: string
  readonly protocol: string
  readonly size: number
  readonly hash: string
  readonly first: Buffer
  readonly last: Buffer
}

function headerOf(bytes: Uint8Array, trace: string): Header {
  const header = readHeader(bytes)
  if (typeof header !== 'string') return header
  throw new WitanError('VAULT_CORRUPT', `trace ${trace}: ${header}`, 'Restore the database from a backup.')
}

function summaryOf({ trace, protocol, size, hash, first, last }: SummaryRow): TraceSummary {
  const { at, type } = headerOf(last, trace)
  return { trace, protocol, size, started: headerOf(first, trace).at, last: { at, type, hash } }
}

/** Someone else was faster, and the unique constraints or the isolation of transactions noticed. */
const isRace = (error: unknown): boolean =>
  stateOf(error) === '40001' ||
  (stateOf(error) === '23505' &&
    !(error instanceof Error && 'constraint' in error && error.constraint === 'one_registry'))

const headMoved = (trace: string, size: number) =>
  new WitanError(
    'HEAD_MOVED',
    `trace ${trace} no longer ends after ${size} events`,
    'Read the new head and retry.',
  )

/** A store in PostgreSQL, which several machines can share. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, schema = 'witan', patience = 15_000, create = true } = options
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new WitanError(
      'CONFIG_INVALID',
      `"${schema}" is no schema name`,
      'Use lowercase letters, digits and _.',
    )
  }
  const connections = await connect(url, patience)
  try {
    const client = await firstConnection(connections, patience)
    try {
      await prepare(client, schema, create)
    } finally {
      await client.end()
    }
  } catch (error) {
    await connections.close()
    throw storeError(error, connections.server)
  }
  return storeOn(connections, schema, options.artifacts ?? null)
}

function storeOn(connections: Connections, schema: string, settings: FolderSettings | null): Store {
  const sql = statementsOf(schema)
  const presence = openPresence(connections, schema)
  const folder = settings && openSharedFolder(connections, schema, settings)
  const artifacts = placedArtifacts(openArtifactRows(connections, presence, schema), folder)
  const closing = new AbortController()

  async function countEvents(trace: string): Promise<number> {
    const [row] = await connections.query<{ size: number }>(sql.size, [trace])
    return row?.size ?? 0
  }

  async function isStored(trace: string, seq: number, hash: string): Promise<boolean> {
    const rows = await connections.attempt<{ hash: string }>(sql.hashes, [trace, seq, seq + 1])
    return rows[0]?.hash === hash
  }

  async function append(
    trace: string,
    expected: End,
    events: readonly SealedEvent[],
    registry?: number,
  ): Promise<void> {
    const batch = batchOf(trace, expected, events)
    if (batch === null) return
    const values = [trace, batch.protocol, expected.size, batch.prev, ...batch.columns, registry ?? null]
    const isCommitted = () => isStored(trace, batch.last.seq, batch.last.hash)
    let uncertain = false
    const done = await connections.patiently(async () => {
      try {
        const [row] = await connections.attempt<{ done: boolean }>(sql.append, values)
        return row?.done === true || (uncertain && (await isCommitted()))
      } catch (error) {
        if (isLoss(error)) uncertain = true
        if (isRace(error)) return uncertain && (await isCommitted())
        throw error
      }
    })
    if (!done) throw headMoved(trace, expected.size)
  }

  async function* read(trace: string, from = 0, to?: number): AsyncGenerator<SealedEvent> {
    const end = Math.min(to ?? Number.POSITIVE_INFINITY, await countEvents(trace))
    for (let at = from; at < end; ) {
      const rows = await connections.query<EventRow>(sql.page, [trace, at, end, PAGE.events, PAGE.bytes])
      for (const { hash, header, signature, payload, salt } of rows) {
        yield { header, hash, signature, payload, salt }
      }
      at = (rows.at(-1)?.seq ?? end) + 1
    }
  }

  async function traces(): Promise<readonly TraceSummary[]> {
    const rows = await connections.query<SummaryRow>(sql.traces, [])
    return rows.map(summaryOf)
  }

  async function waitForGrowth(trace: string, size: number, ends: AbortSignal): Promise<void> {
    let hasNews = false
    let wake = () => {}
    const unlisten = presence.listen(trace, () => {
      hasNews = true
      wake()
    })
    let release = async () => {}
    try {
      release = await presence.hold(`watch ${trace}`)
      while (!ends.aborted) {
        hasNews = false
        if ((await countEvents(trace)) > size) return
        if (hasNews) continue
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
          ends.addEventListener('abort', wake, { once: true })
        })
        ends.removeEventListener('abort', wake)
      }
    } finally {
      unlisten()
      await release()
    }
  }

  /** Does not wait for a server that is away once the signal says that no one waits any more. */
  function watch(trace: string, size: number, signal: AbortSignal): Promise<void> {
    const ends = AbortSignal.any([signal, closing.signal])
    return new Promise<void>((resolve, reject) => {
      if (ends.aborted) return resolve()
      const stop = () => resolve()
      ends.addEventListener('abort', stop, { once: true })
      waitForGrowth(trace, size, ends)
        .then(resolve, reject)
        .finally(() => ends.removeEventListener('abort', stop))
    })
  }

  const reading = { openArtifact: artifacts.open, read, traces }

  return {
    kind: 'postgres',
    append,
    // The server answers an append when it is durable. A caller about to pay for an answer learns here that a long one
    // could not be kept.
    settled: async () => folder?.check(),
    read,
    watch,
    async openings(names) {
      return (await connections.query<OpeningRow>(sql.openings, [names])).map(eventText)
    },
    find: (query) => search(connections, schema, reading, query),
    async erase(...erasures) {
      const hashes = erasures.flatMap(({ artifact }) => artifact ?? [])
      const outside = await artifacts.eraser(hashes)
      await erase(connections, sql.erase, schema, erasures)
      await outside()
    },
    putArtifact: artifacts.put,
    statArtifact: artifacts.stat,
    openArtifact: artifacts.open,
    async registry() {
      const [row] = await connections.query<{ trace: string }>(sql.registry, [])
      return row?.trace ?? null
    },
    traces,
    async head(trace): Promise<Head | null> {
      const [row] = await connections.query<EventRow>(sql.head, [trace])
      return row ? { size: row.seq + 1, hash: row.hash, header: headerOf(row.header, trace) } : null
    },
    async hashes(trace, from = 0, to = INT_MAX) {
      const rows = await connections.query<{ hash: string }>(sql.hashes, [
        trace,
        Math.min(from, INT_MAX),
        Math.min(to, INT_MAX),
      ])
      return rows.map((row) => row.hash)
    },
    attend: (clerk) => presence.hold(`attend ${clerk}`),
    async attends(clerk) {
      const isHeld = async () => {
        const [row] = await connections.query<{ held: boolean }>(sql.held, [`attend ${clerk}`])
        return row?.held === true
      }
      if (await isHeld()) return true
      await pause(RETURN_MS)
      return isHeld()
    },
    async close() {
      closing.abort()
      await presence.close()
      await connections.close()
    },
  }
}
