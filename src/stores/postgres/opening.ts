// Recognises a store of ours by what it says of itself, or makes a new one; a schema in which another program uses
// our names is refused untouched. Recognising takes no lock and writes nothing, so a reader needs no right to write.

import type pg from 'pg'
import { WitanError } from '../../ledger/errors.ts'
import { stateOf } from './connection.ts'
import { lockKey, SCHEMA_VERSION, schemaSql, TABLES } from './schema.ts'

const foreign = (message: string, next: string) => new WitanError('VAULT_FOREIGN', message, next)

async function tablesThere(client: pg.Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ relname: string }>(
    `SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE nspname = $1 AND relname = ANY ($2) ORDER BY 1`,
    [schema, TABLES],
  )
  return rows.map((row) => row.relname)
}

/** True for a store of ours, false when nothing of it is there. */
async function recognise(client: pg.Client, schema: string): Promise<boolean> {
  const there = await tablesThere(client, schema)
  if (there.length === 0) return false
  const others = foreign(
    `schema "${schema}" holds ${there.join(', ')} of another program`,
    'Give Witan a database or a schema of its own.',
  )
  if (!there.includes('witan_meta')) throw others
  const { rows } = await client
    .query<{ program: string; version: number }>(`SELECT program, version FROM "${schema}".witan_meta`)
    .catch((error: unknown) => {
      throw stateOf(error).startsWith('42P') || stateOf(error) === '42703' ? others : error
    })
  const [meta] = rows
  if (rows.length !== 1 || meta?.program !== 'witan') throw others
  if (meta.version !== SCHEMA_VERSION) {
    throw foreign(
      `schema "${schema}" is of version ${meta.version}, this Witan knows version ${SCHEMA_VERSION}`,
      'Use the Witan that wrote it, or a newer one.',
    )
  }
  const missing = TABLES.filter((name) => !there.includes(name))
  if (missing.length > 0) {
    throw new WitanError(
      'VAULT_CORRUPT',
      `schema "${schema}" lacks ${missing.join(', ')}`,
      'Restore the database from a backup.',
    )
  }
  return true
}

export async function prepare(client: pg.Client, schema: string, create: boolean): Promise<void> {
  if (await recognise(client, schema)) return
  if (!create) {
    throw new WitanError('HOME_MISSING', `schema "${schema}" holds no store`, 'Make one with: witan init')
  }
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${lockKey(schema, "'create'")})`)
    if (!(await recognise(client, schema))) await client.query(schemaSql(schema))
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    // Our tables were not there, so a name that exists already is someone else's.
    if (!['42P07', '42710', '42723'].includes(stateOf(error))) throw error
    const words = error instanceof Error ? error.message : String(error)
    throw foreign(
      `schema "${schema}" is used by another program: ${words}`,
      'Give Witan a schema of its own.',
    )
  }
}
