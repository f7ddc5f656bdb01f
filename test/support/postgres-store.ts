// A vault in a database of its own on the run's server, and SQL past it.
import pg from 'pg'
import { openPostgresVault } from '../../src/vaults/postgres.ts'
import type { Vault } from '../../src/vaults/vault.ts'
import { freshDatabase } from './postgres.ts'
import type { OpenedStore } from './store-guards.ts'

export interface PostgresStore extends OpenedStore {
  rows<Row extends object>(sql: string): Promise<readonly Row[]>
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function openStore(server: string): Promise<PostgresStore> {
  const database = await freshDatabase(server)
  const vaults: Vault[] = []
  const reopen = async (): Promise<Vault> => {
    const vault = await openPostgresVault({ url: database.url })
    vaults.push(vault)
    return vault
  }
  const rows = async <Row extends object>(sql: string) =>
    withClient(database.url, async (client) => {
      await client.query('SET search_path = witan')
      return (await client.query<Row>(sql)).rows
    })
  return {
    place: database.url,
    vault: await reopen(),
    reopen,
    rows,
    async execute(sql) {
      await rows(sql)
    },
    async dispose() {
      for (const vault of vaults) await vault.close()
      await database.drop()
    },
  }
}
