// What lasts as long as this process does: shared advisory locks that say "someone is here" (a clerk at work, a
// watcher, an upload in the making) and the ear for announced appends. One connection carries all of them, opened
// with the first need; the server itself lets the locks go when the process ends, however it ends. After a restart
// of the server they are taken again. Being shared, they make no one wait but, for one commit, a new watcher.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Connections, storeError } from './connection.ts'
import { CHANNEL, lockKey } from './schema.ts'

export interface Presence {
  /** Holds a name until the returned function is called; several may hold the same. */
  hold(name: string): Promise<() => Promise<void>>
  /** Calls back whenever the trace may have grown; returns the end of listening. */
  listen(trace: string, listener: () => void): () => void
  close(): Promise<void>
}

const RECONNECT_MS = 250

/**
 * A machine that loses its power or its network says no goodbye, and a server would by default believe in it for two
 * hours. So it is asked after: silent for ten seconds and unanswering for six more, it is gone, and its locks with it.
 * Servers that do not know one of these settings go without it.
 */
const KEEPALIVE = `
SELECT set_config(name, value, false)
FROM (VALUES ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '3'), ('tcp_keepalives_count', '2'),
             ('tcp_user_timeout', '15000')) AS wanted(name, value)
WHERE EXISTS (SELECT FROM pg_settings WHERE pg_settings.name = wanted.name)`

export function openPresence(connections: Connections, schema: string): Presence {
  const wantedLocks = new Map<string, number>()
  const listeners = new Map<string, Set<() => void>>()
  let session: { readonly client: pg.Client; readonly locked: Set<string> } | null = null
  let queue: Promise<void> = Promise.resolve()
  let closed = false

  function wakeAll(): void {
    for (const set of listeners.values()) for (const listener of set) listener()
  }

  function onLoss(client: pg.Client): void {
    if (session?.client !== client) return
    session = null
    wakeAll()
    if (wantedLocks.size > 0 && !closed) void restore()
  }

  async function restore(): Promise<void> {
    while (!closed && wantedLocks.size > 0) {
      await pause(RECONNECT_MS, undefined, { ref: false })
      try {
        return await settle()
      } catch {
        // Still away. A caller that needs an answer meanwhile asks through the pool and learns why.
      }
    }
  }

  async function open(): Promise<{ readonly client: pg.Client; readonly locked: Set<string> }> {
    const client = await connections.dedicated(KEEPALIVE)
    client.on('end', () => onLoss(client))
    client.on('notification', ({ payload }) => {
      for (const listener of listeners.get(payload ?? '') ?? []) listener()
    })
    return { client, locked: new Set() }
  }

  /** Makes the locks held equal to the names wanted. */
  async function reconcile(): Promise<void> {
    if (closed || (session === null && wantedLocks.size === 0)) return
    session ??= await open()
    const { client, locked } = session
    try {
      await exchange(client, locked)
    } catch (error) {
      session = null
      await client.end().catch(() => {})
      throw error
    }
  }

  async function exchange(client: pg.Client, locked: Set<string>): Promise<void> {
    const missing = [...wantedLocks.keys()].filter((name) => !locked.has(name))
    const surplus = [...locked].filter((name) => !wantedLocks.has(name))
    const each = (verb: string) =>
      `SELECT ${verb}(${lockKey(schema, 'name')}) FROM unnest($1::text[]) AS name`
    if (locked.size === 0) await client.query(`LISTEN ${CHANNEL}`)
    if (missing.length > 0) await client.query(each('pg_advisory_lock_shared'), [missing])
    for (const name of missing) locked.add(name)
    if (surplus.length > 0) await client.query(each('pg_advisory_unlock_shared'), [surplus])
    for (const name of surplus) locked.delete(name)
  }

  function settle(): Promise<void> {
    const turn = queue.then(reconcile)
    queue = turn.catch(() => {})
    return turn
  }

  function drop(name: string): void {
    const count = (wantedLocks.get(name) ?? 1) - 1
    if (count === 0) wantedLocks.delete(name)
    else wantedLocks.set(name, count)
  }

  return {
    async hold(name) {
      wantedLocks.set(name, (wantedLocks.get(name) ?? 0) + 1)
      try {
        await connections.patiently(settle)
      } catch (error) {
        drop(name)
        throw error
      }
      let isHeld = true
      return async () => {
        if (!isHeld) return
        isHeld = false
        drop(name)
        // A connection that is gone has let go already.
        await settle().catch(() => {})
      }
    },

    listen(trace, listener) {
      const set = listeners.get(trace) ?? new Set()
      listeners.set(trace, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(trace) === set) listeners.delete(trace)
      }
    },

    async close() {
      if (closed) return
      closed = true
      wakeAll()
      await queue
      await session?.client.end().catch((error: unknown) => {
        throw storeError(error, connections.server)
      })
    },
  }
}
