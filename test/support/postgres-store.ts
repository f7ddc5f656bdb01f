// A store in a database of its own on the run's server, and SQL past it.
import pg from 'pg'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres.ts'
import type { Store } from '../../src/stores/store.ts'
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

export async function openStore(
  server: string,
  more: Pick<PostgresOptions, 'artifacts'> = {},
): Promise<PostgresStore> {
  const database = await freshDatabase(server)
  const vaults: Store[] = []
  const reopen = async (): Promise<Store> => {
    const store = await openPostgresStore({ url: database.url, ...more })
    vaults.push(store)
    return store
  }
  const rows = async <Row extends object>(sql: string) =>
    withClient(database.url, async (client) => {
      await client.query('SET search_path = witan')
      return (await client.query<Row>(sql)).rows
    })
  return {
    place: database.url,
    store: await reopen(),
    reopen,
    rows,
    async execute(sql) {
      await rows(sql)
    },
    async dispose() {
      for (const store of vaults) await store.close()
      await database.drop()
    },
  }
}
