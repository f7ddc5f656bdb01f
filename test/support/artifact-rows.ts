// What a fault or an intruder does to the artifacts of a home, past every guard.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadSqlite } from '../../src/stores/sqlite/driver.ts'
import { databaseFile } from '../../src/stores/sqlite/open.ts'

async function withRawDatabase<Result>(
  home: string,
  sql: string,
  use: (rows: readonly Readonly<Record<string, unknown>>[]) => Result,
) {
  const { DatabaseSync } = await loadSqlite()
  const db = new DatabaseSync(databaseFile(home))
  try {
    db.exec('DROP TRIGGER IF EXISTS artifacts_refuse_delete')
    return use(db.prepare(sql).all())
  } finally {
    db.close()
  }
}

/** The hashes of all artifacts that are rows. */
export const artifactsOf = (home: string): Promise<readonly string[]> =>
  withRawDatabase(home, 'SELECT lower(hex(hash)) AS hash FROM artifacts ORDER BY id', (rows) =>
    rows.map((row) => String(row.hash)),
  )

/** It is gone, and nothing says why. */
export const loseArtifact = (home: string, hash: string): Promise<void> =>
  withRawDatabase(home, `DELETE FROM artifacts WHERE hash = x'${hash}'`, () => undefined)

/** As an older Witan kept it. Returns the path of the file. */
export async function keepAsFile(home: string, hash: string): Promise<string> {
  const bytes = await withRawDatabase(
    home,
    `SELECT bytes FROM artifacts WHERE hash = x'${hash}'`,
    ([row]) => row?.bytes,
  )
  await loseArtifact(home, hash)
  const path = join(home, 'artifacts', hash.slice(0, 2), hash)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, bytes as Uint8Array, { mode: 0o600 })
  return path
}
