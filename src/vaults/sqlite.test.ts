import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as chains from '../../test/support/events.ts'
import { describeStoreGuards, type OpenedStore } from '../../test/support/store-guards.ts'
import { describeVaultContract } from './contract.ts'
import { openSqliteVault } from './sqlite.ts'
import { loadSqlite } from './sqlite-driver.ts'
import { databaseFile } from './sqlite-open.ts'
import type { Vault } from './vault.ts'

async function openFresh(): Promise<OpenedStore> {
  const place = await mkdtemp(join(tmpdir(), 'witan-'))
  const vaults: Vault[] = []
  const reopen = async (): Promise<Vault> => {
    const vault = await openSqliteVault({ directory: place })
    vaults.push(vault)
    return vault
  }
  return {
    place,
    vault: await reopen(),
    reopen,
    async execute(sql) {
      const { DatabaseSync } = await loadSqlite()
      const db = new DatabaseSync(databaseFile(place))
      try {
        db.exec(sql)
      } finally {
        db.close()
      }
    },
    async dispose() {
      for (const vault of vaults) await vault.close()
      await rm(place, { recursive: true })
    },
  }
}

describeVaultContract('SQLite', chains, openFresh)
describeStoreGuards('SQLite', openFresh)
