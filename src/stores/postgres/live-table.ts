// Text under way where several machines share a ledger: an unlogged table beside it, which no log, backup or replica of the
// server keeps. Each writer replaces its own rows and takes them away when it ends; what a lost one left goes after an hour.

import {
  type Listener,
  type LiveText,
  type LiveTextSender,
  liveTextIn,
  openLiveTextSender,
} from '../live-text/live-text.ts'
import { type Connections, connect } from './connection.ts'

const POLL_MS = 250
const PATIENCE_MS = 1_000

const schemaOf = (schema: string): string => `"${schema}_live"`

const tables = (schema: string): string => `
CREATE SCHEMA IF NOT EXISTS ${schemaOf(schema)};
CREATE SEQUENCE IF NOT EXISTS ${schemaOf(schema)}.turns;
CREATE UNLOGGED TABLE IF NOT EXISTS ${schemaOf(schema)}.writing (
  trace text NOT NULL,
  who text NOT NULL,
  text text NOT NULL,
  turn bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (trace, who)
);
DELETE FROM ${schemaOf(schema)}.writing WHERE at < now() - interval '1 hour'`

const written = (schema: string) => ({
  name: 'live_written',
  text: `INSERT INTO ${schemaOf(schema)}.writing AS old (trace, who, text, turn)
SELECT trace, who, text, nextval('${schemaOf(schema)}.turns') FROM unnest($1::text[], $2::text[], $3::text[]) AS new(trace, who, text)
ON CONFLICT (trace, who) DO UPDATE SET text = excluded.text, turn = excluded.turn, at = now()`,
})

const removed = (schema: string) => ({
  name: 'live_removed',
  text: `DELETE FROM ${schemaOf(schema)}.writing WHERE (trace, who) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
})

const later = (schema: string) => ({
  name: 'live_later',
  text: `SELECT trace, who, text, turn FROM ${schemaOf(schema)}.writing WHERE trace = ANY ($1) AND turn > $2 ORDER BY turn`,
})

async function prepareTable(url: string, schema: string): Promise<Connections> {
  const connections = await connect(url, PATIENCE_MS)
  try {
    const client = await connections.dedicated()
    await client.query(tables(schema)).finally(() => client.end())
    return connections
  } catch (error) {
    await connections.close()
    throw error
  }
}

export function tellByTable(url: string, schema = 'witan'): LiveTextSender {
  let opening: Promise<Connections> | null = null
  const mine = new Map<string, LiveText>()
  return openLiveTextSender(
    async (changed) => {
      opening ??= prepareTable(url, schema)
      const connections = await opening.catch((error: unknown) => {
        opening = null
        throw error
      })
      for (const entry of changed) mine.set(`${entry.trace}/${entry.who}`, entry)
      // PostgreSQL takes no zero character in a text.
      const texts = changed.map(({ text }) => text.replaceAll('\0', '').toWellFormed())
      await connections.attempt(written(schema), [
        changed.map(({ trace }) => trace),
        changed.map(({ who }) => who),
        texts,
      ])
    },
    async () => {
      const connections = await opening
      if (connections === null) return
      const all = [...mine.values()]
      await connections
        .attempt(removed(schema), [all.map(({ trace }) => trace), all.map(({ who }) => who)])
        .catch(() => undefined)
      await connections.close()
    },
  )
}

/** Looks for what is written in the traces that someone watches. */
export async function hearTable(
  url: string,
  watched: () => readonly string[],
  hear: (writing: LiveText) => void,
  schema = 'witan',
): Promise<Listener> {
  const connections = await connect(url, PATIENCE_MS)
  /** By trace, so that one watched later is told from its beginning. */
  const lastTurns = new Map<string, number>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const traces = watched()
    for (const trace of lastTurns.keys()) if (!traces.includes(trace)) lastTurns.delete(trace)
    if (traces.length === 0) return
    const from = Math.min(...traces.map((trace) => lastTurns.get(trace) ?? 0))
    const rows = await connections.attempt<LiveText & { readonly turn: string }>(later(schema), [
      traces,
      from,
    ])
    for (const row of rows) {
      const writing = liveTextIn(row)
      if (writing === null || Number(row.turn) <= (lastTurns.get(row.trace) ?? 0)) continue
      lastTurns.set(row.trace, Number(row.turn))
      hear(writing)
    }
  }

  const turn = (): void => {
    timer = setTimeout(() => {
      // Nothing was written yet, or the server is away: the next look will tell.
      void look()
        .catch(() => undefined)
        .finally(() => isClosed || turn())
    }, POLL_MS)
    timer.unref()
  }
  turn()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await connections.close()
    },
  }
}
