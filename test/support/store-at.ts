// Opens the store that a test names to its child processes in one argument: a directory or a PostgreSQL URL.
import { openPostgresStore } from '../../src/stores/postgres.ts'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'

export function openVaultAt(place: string): Promise<Store> {
  return place.startsWith('postgres')
    ? openPostgresStore({ url: place })
    : openSqliteStore({ directory: place })
}
