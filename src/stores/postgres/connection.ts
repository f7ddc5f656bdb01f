// Connections to one PostgreSQL server. A server that restarts is waited for, a bounded time: so what goes
// through `query` must be harmless when it happens twice. Every session reads with a fresh snapshot per statement
// and commits to disk before it answers, no matter what the server's defaults are.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type ErrorCode, WitanError } from '../../ledger/errors.ts'
import { REFUSED } from './schema.ts'

// What PostgreSQL and the network report becomes one of our coded errors here. No message, cause or property that
// leaves this file may hold a password: driver errors can carry the client they came from, so they are never passed
// on as a cause, and every word with an @ in it, which is what a URL with credentials is, goes.

interface Fault {
  readonly code: ErrorCode
  readonly next: string
}

const AWAY =
  'Check that the server runs and the URL is right, then try again; an append that was cut off is recorded whole or not at all.'

const POOLED: Fault = {
  code: 'CONFIG_INVALID',
  next: 'This is a pooler that shares connections between clients: give the address of the PostgreSQL server itself, or of a pooler in session mode.',
}

const FAULTS: ReadonlyMap<string, Fault> = new Map([
  ['28', { code: 'VAULT_UNREACHABLE', next: 'Correct the user name or password in the URL.' }],
  ['3D', { code: 'VAULT_UNREACHABLE', next: 'Create the database, or correct its name in the URL.' }],
  [REFUSED, { code: 'VAULT_REFUSED', next: 'Only a recorded redaction erases; nothing else is changed.' }],
  ['23', { code: 'VAULT_REFUSED', next: 'The rows would break the ledger; nothing was written.' }],
  ['42501', { code: 'VAULT_REFUSED', next: 'Give the user the right to create and use the schema.' }],
  ['53100', { code: 'DISK_FULL', next: "Free space on the server's disk; nothing was lost." }],
  ['25006', { code: 'HOME_READONLY', next: 'Connect to the primary server, with a user who may write.' }],
  [
    '53300',
    { code: 'VAULT_BUSY', next: 'The server has no free connection: try again, or raise its limit.' },
  ],
  ['55P03', { code: 'VAULT_BUSY', next: 'Someone else holds a lock: try again.' }],
  ['57014', { code: 'VAULT_BUSY', next: 'The server cancelled the statement: try again.' }],
  ['40', { code: 'VAULT_BUSY', next: 'Someone else wrote at the same time: try again.' }],
  ['42P05', POOLED],
  ['26000', POOLED],
  ['XX', { code: 'VAULT_CORRUPT', next: 'Restore the database from a backup; do not repair it by hand.' }],
  ['42', { code: 'VAULT_CORRUPT', next: 'Tables of the store are missing or changed: restore a backup.' }],
])

const LOST_STATES = /^(08...|57P0[1235]|25P03)$/
const LOST_ERRNO =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN)$/
const LOST_WORDS =
  /connection terminated|timeout exceeded when trying to connect|connection error|not queryable/i

export const stateOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

/** True when the connection is gone or never came about, so that what was asked may or may not have happened. */
export function isLoss(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof WitanError) return false
  const state = stateOf(error)
  if (error instanceof AggregateError) return error.errors.some(isLoss)
  return LOST_STATES.test(state) || LOST_ERRNO.test(state) || (state === '' && LOST_WORDS.test(error.message))
}

/** True when the server is there but not ready, as after a crash. */
const isStarting = (error: unknown): boolean => /^57P0[123]$/.test(stateOf(error))

export const withoutSecrets = (text: string): string => text.replace(/\S*@\S*/g, '…')

/** The server as a message may name it: host, port and database, never the user or the password. */
function serverName(url: string): string {
  const { host, pathname } = new URL(url)
  const database = /^\/[\w.-]+$/.test(pathname) ? pathname : ''
  return withoutSecrets(`${host === '' ? 'the local socket' : host}${database}`)
}

const wordsOf = (error: Error): string =>
  withoutSecrets(
    error instanceof AggregateError && error.message === ''
      ? error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join('; ')
      : error.message,
  )

/** Our error for theirs. Errors that are ours already, and bugs, stay what they are. */
export function storeError(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || error instanceof WitanError) return error
  if (isLoss(error)) {
    return new WitanError(
      'VAULT_UNREACHABLE',
      `PostgreSQL at ${server} does not answer: ${wordsOf(error)}`,
      AWAY,
    )
  }
  const state = stateOf(error)
  if (!/^[0-9A-Z]{5}$/.test(state)) {
    if (state === '' && !('severity' in error)) return error
    return new WitanError(
      'VAULT_UNREACHABLE',
      `no connection to PostgreSQL at ${server}: ${wordsOf(error)}`,
      AWAY,
    )
  }
  const fault = FAULTS.get(state) ?? FAULTS.get(state.slice(0, 2))
  const { code, next } = fault ?? { code: 'VAULT_REFUSED' as const, next: "Look into the server's log." }
  return new WitanError(code, `PostgreSQL at ${server} refused (${state}): ${wordsOf(error)}`, next)
}

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

export function configOf(url: string): pg.ClientConfig {
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
    if (closed) throw new WitanError('VAULT_UNREACHABLE', 'the store was closed', 'Open it again.')
    const { rows } = await pool.query<Row>({ ...statement, values: [...values] })
    return rows
  }

  /** One that waited in vain did so for all: until the server answers again, each is told at once. */
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
        if (closed || !isAway || isGivenUp) throw storeError(error, server)
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
        const ours = storeError(error, connections.server)
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
