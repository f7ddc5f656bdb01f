// The queue is made beside the ledger when it is first needed, and brought up to this program's version. Tables that a
// newer program has changed are used as long as that program said that this one may. A pooler that hands one connection
// to several clients in turn is refused: there neither a worker's lock nor what is announced to it could be relied on.

import type pg from 'pg'
import { WitanError } from '../../../ledger/errors.ts'
import { type Connections, stateOf } from '../connection.ts'
import { lockKey } from '../schema.ts'
import { functions, jobsSchema, queueSchema, tableSteps } from './schema.ts'

interface Meta {
  readonly program: string
  readonly version: number
  readonly oldest: number
}

async function readMeta(client: pg.Client, schema: string): Promise<Meta | null> {
  try {
    const { rows } = await client.query<Meta>(
      `SELECT program, version, oldest FROM "${queueSchema(schema)}".meta`,
    )
    return rows[0] ?? null
  } catch (error) {
    if (stateOf(error) === '3F000' || stateOf(error) === '42P01') return null
    throw error
  }
}

/** Whether anyone has made a queue here. */
export const isThere = async (client: pg.Client, schema: string): Promise<boolean> =>
  (await readMeta(client, schema)) !== null

const foreign = (message: string, next: string) => new WitanError('VAULT_FOREIGN', message, next)

/** True when nothing is to be done; throws when nothing can be. */
function isCurrent(meta: Meta | null, schema: string, known: number): boolean {
  if (meta === null) return false
  const name = queueSchema(schema)
  if (meta.program !== 'witan')
    throw foreign(`schema "${name}" is of another program`, 'Give Witan a database of its own.')
  if (meta.oldest > known) {
    throw foreign(
      `schema "${name}" is of version ${meta.version}, which programs before version ${meta.oldest} cannot use; this Witan knows version ${known}`,
      'Update Witan on this machine.',
    )
  }
  return meta.version >= known
}

/** Two clients that take turns get each other's connection behind such a pooler, and never from a server. */
async function refusePooler(connections: Connections, first: pg.Client): Promise<void> {
  const pid = async (client: pg.Client) =>
    (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
  const before = await pid(first)
  const second = await connections.dedicated()
  try {
    await second.query('BEGIN')
    const other = await pid(second)
    const after = await pid(first)
    await second.query('ROLLBACK')
    if (before === after && before !== other) return
  } finally {
    await second.end()
  }
  throw new WitanError(
    'CONFIG_INVALID',
    `${connections.server} is a pooler that shares connections between clients: locks and announcements do not work behind it`,
    'Give the address of the PostgreSQL server itself, or of a pooler in session mode.',
  )
}

async function migrate(client: pg.Client, schema: string, url: string): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker')
  // Several that begin at once take turns: graphile-worker's own migrations would meet otherwise.
  await client.query(`SELECT pg_advisory_lock(${lockKey(schema, "'migrate queue'")})`)
  const steps = tableSteps(schema)
  const meta = await readMeta(client, schema)
  if (isCurrent(meta, schema, steps.length)) return
  const logger = new Logger(() => () => undefined)
  await runMigrations({ connectionString: url, schema: jobsSchema(schema), logger })
  await client.query('BEGIN')
  try {
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${queueSchema(schema)}"`)
    for (const step of steps.slice(meta?.version ?? 0)) await client.query(step)
    await client.query(functions(schema))
    await client.query(`UPDATE "${queueSchema(schema)}".meta SET version = $1`, [steps.length])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** With `thorough`, for workers: what the connection can do is tried out too. */
export async function prepareQueue(
  connections: Connections,
  client: pg.Client,
  { schema, url, thorough }: { readonly schema: string; readonly url: string; readonly thorough: boolean },
): Promise<void> {
  if (thorough) await refusePooler(connections, client)
  if (isCurrent(await readMeta(client, schema), schema, tableSteps(schema).length)) return
  const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    `"${schema}".events`,
  ])
  if (!rows[0]?.there)
    throw new WitanError('HOME_MISSING', `schema "${schema}" holds no store`, 'Make one with: witan init')
  if (!thorough) await refusePooler(connections, client)
  await migrate(client, schema, url)
}
