// Opens the vault that a test names to its child processes in one argument: a directory or a PostgreSQL URL.
import { openPostgresVault } from '../../src/vaults/postgres.ts'
import { openSqliteVault } from '../../src/vaults/sqlite.ts'
import type { Vault } from '../../src/vaults/vault.ts'

export function openVaultAt(place: string): Promise<Vault> {
  return place.startsWith('postgres')
    ? openPostgresVault({ url: place })
    : openSqliteVault({ directory: place })
}
