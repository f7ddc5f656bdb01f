// Connections to one PostgreSQL server. A server that restarts is waited for, a bounded time: so whatever goes
// through `query` must be harmless when it happens twice. Every session reads with a fresh snapshot per statement
// and commits to disk before it answers, whatever the server's defaults are.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { WitanError } from '../../ledger/errors.ts'
import { isLoss, isStarting, serverName, translated, withoutSecrets } from './errors.ts'

export interface Statement {
  /** Prepared once per connection under this name. */
  readonly name: string
  readonly text: string
}

export interface Connections {
  /** The server in words, without credentials. */
  readonly server: string
  /** Runs a statement that may safely run twice, waiting for a server that is away. */
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** Runs it once; throws what the driver throws. */
  attempt<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
  /** Repeats the work while connections get lost, a bounded time; throws our errors. */
  patiently<T>(work: () => Promise<T>): Promise<T>
  /** A connection of its own, with these settings besides, which the caller ends; throws what the driver throws. */
  dedicated(settings?: string): Promise<pg.Client>
  close(): Promise<void>
}

const POOL = 8
const CONNECT_MS = 10_000
const SETTINGS = `
SET default_transaction_isolation = 'read committed';
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

function configOf(url: string): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new WitanError(
      'CONFIG_INVALID',
      'the PostgreSQL URL cannot be read',
      'Write it as postgres://user:password@host:port/database, with special characters percent-encoded.',
    )
  }
  return {
    connectionString: url,
    application_name: 'witan',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  }
}

export async function connect(url: string, patience: number): Promise<Connections> {
  const config = configOf(url)
  const server = serverName(url)
  const { default: driver } = await import('pg')
  const settle = async (client: pg.ClientBase) => void (await client.query(SETTINGS))
  const pool = new driver.Pool({ ...config, max: POOL, allowExitOnIdle: true, onConnect: settle })
  // An idle connection that breaks leaves the pool by itself; the next statement opens another.
  pool.on('error', () => {})
  let closed = false

  async function attempt<Row extends object>(statement: Statement, values: readonly unknown[]) {
    if (closed) throw new WitanError('VAULT_UNREACHABLE', 'the vault was closed', 'Open it again.')
    const { rows } = await pool.query<Row>({ ...statement, values: [...values] })
    return rows
  }

  /** Whoever waited in vain did so for all: until the server answers again, each is told at once. */
  let isGivenUp = false

  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + (isGivenUp ? 0 : patience)
    for (let wait = 20; ; wait = Math.min(wait * 2, 400)) {
      try {
        const done = await work()
        isGivenUp = false
        return done
      } catch (error) {
        const isAway = isLoss(error)
        if (isAway && Date.now() + wait > deadline) isGivenUp = true
        if (closed || !isAway || isGivenUp) throw translated(error, server)
      }
      await pause(wait)
    }
  }

  async function dedicated(settings?: string): Promise<pg.Client> {
    const client = new driver.Client(config)
    // Statements under way are rejected on their own; without a listener the event would end the process.
    client.on('error', () => {})
    try {
      await client.connect()
      await settle(client)
      if (settings !== undefined) await client.query(settings)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    return client
  }

  return {
    server,
    query: (statement, values) => patiently(() => attempt(statement, values)),
    attempt,
    patiently,
    dedicated,
    async close() {
      if (closed) return
      closed = true
      await pool.end()
    },
  }
}

/** Opens the first connection. A server that is starting is waited for; one that is not there is reported at once. */
export async function firstConnection(connections: Connections, patience: number): Promise<pg.Client> {
  const deadline = Date.now() + patience
  for (;;) {
    try {
      return await connections.dedicated()
    } catch (error) {
      if (!isStarting(error) || Date.now() > deadline) {
        const ours = translated(error, connections.server)
        if (ours instanceof WitanError) throw ours
        const words = withoutSecrets(error instanceof Error ? error.message : String(error))
        throw new WitanError(
          'VAULT_UNREACHABLE',
          `no connection to PostgreSQL at ${connections.server}: ${words}`,
          'Check the URL: host, port, user, password and database.',
        )
      }
    }
    await pause(100)
  }
}
