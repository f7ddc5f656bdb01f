// Opening a store's file. A file is recognised from its first hundred bytes before SQLite may touch it, so that
// another program's database, or what is left of a damaged one, is never written to. Schema statements run once
// in a file's life, in one transaction that also marks the file as ours.

import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WitanError } from '../../ledger/errors.ts'
import { errnoOf, makeDirectory, onDisk, syncDirectory } from '../disk.ts'
import { type Database, loadSqlite, type SqliteDriver } from './driver.ts'
import { fromSqlite, isUnwritable } from './faults.ts'
import { APPLICATION_ID, DDL, FROM_VERSION_1, PAGE_BYTES, SCHEMA_VERSION } from './schema.ts'

const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
const BUSY_MS = 10_000

// cell_size_check finds damaged pages before they are read into anything; secure_delete zeroes what is erased;
// temp_store keeps payloads out of temporary files elsewhere.
const SETTINGS = `
  PRAGMA busy_timeout = ${BUSY_MS};
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA cell_size_check = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;`

export const databaseFile = (directory: string): string => join(directory, 'witan.db')

type FileState = 'missing' | 'empty' | { readonly wal: boolean }

const foreign = (file: string, what: string, next: string): WitanError =>
  new WitanError('VAULT_FOREIGN', `${file}: ${what}`, next)

const missing = (file: string): WitanError =>
  new WitanError('HOME_MISSING', `there is no store in ${dirname(file)}`, 'Make one with: witan init')

const truncated = (file: string): WitanError =>
  new WitanError(
    'VAULT_CORRUPT',
    `${file}: the end of the file is missing`,
    'Nothing was changed. Keep the file as it is and restore a backup beside it.',
  )

function judgeHeader(file: string, header: Buffer): FileState {
  const elsewhere = 'It was left untouched. Choose another home directory, or move that file away.'
  if (!MAGIC.startsWith(header.toString('latin1', 0, 16))) {
    throw foreign(file, 'this is not a SQLite file', elsewhere)
  }
  if (header.length < HEADER_BYTES) throw truncated(file)
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw foreign(file, 'this SQLite file belongs to another program', elsewhere)
  }
  const version = header.readUInt32BE(60)
  if (version > SCHEMA_VERSION) {
    throw foreign(file, `this store has version ${version}, newer than this Witan`, 'Use a newer Witan.')
  }
  return { wal: header[18] === 2 }
}

const readSize = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}

async function recognise(file: string): Promise<FileState> {
  const header = Buffer.alloc(HEADER_BYTES)
  try {
    const handle = await open(file, 'r')
    try {
      const { bytesRead } = await handle.read(header, 0, HEADER_BYTES, 0)
      if (bytesRead === 0) return 'empty'
      const fileState = judgeHeader(file, header.subarray(0, bytesRead))
      // SQLite would fill up a last page that was cut with zeros; an interrupted checkpoint still has it in the log.
      const ragged = (await handle.stat()).size % header.readUInt16BE(16) !== 0
      if (ragged && !(await readSize(`${file}-wal`))) throw truncated(file)
      return fileState
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'missing'
    if (errnoOf(error) === 'EISDIR')
      throw foreign(file, 'this is a directory', 'Choose another home directory.')
    if (error instanceof WitanError) throw error
    throw new WitanError('FILE_UNREADABLE', `${file}: ${String(error)}`, 'Check who may read this file.')
  }
}

/** Made here with its final mode: SQLite gives -wal and -shm the mode of the main file. */
async function createFile(directory: string, file: string): Promise<void> {
  await onDisk(directory, async () => {
    await makeDirectory(directory)
    const handle = await open(file, 'a', 0o600)
    await handle.close()
    await syncDirectory(directory)
  })
}

const versionOf = (db: Database): unknown => db.prepare('PRAGMA user_version').get()?.user_version

/** The process that comes second waits for the lock and finds the work done. */
function establish(db: Database): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`)
  db.exec('BEGIN IMMEDIATE')
  try {
    const version = versionOf(db)
    if (version === 0) db.exec(DDL)
    if (version === 1) db.exec(FROM_VERSION_1)
    db.exec('COMMIT')
  } catch (error) {
    try {
      db.exec('ROLLBACK')
    } catch {
      // A full disk made SQLite roll back by itself; the first error is the one to report.
    }
    throw error
  }
}

function connect(file: string, work: () => Database): Database {
  let db: Database | undefined
  try {
    db = work()
    db.exec(SETTINGS)
    // The first read: damage to the first page, a missing rest of the file or an unusable WAL show now.
    // A file whose making was interrupted is empty by then.
    if (versionOf(db) === 0) throw missing(file)
    db.prepare('SELECT count(*) FROM traces WHERE id = 0').get()
    return db
  } catch (error) {
    db?.close()
    throw fromSqlite(error, file)
  }
}

function openWritable(driver: SqliteDriver, file: string, fileState: FileState): Database {
  return connect(file, () => {
    const db = new driver.DatabaseSync(file)
    try {
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
      // Zero also after a crash while the file was being made: SQLite took that transaction back.
      if (typeof fileState === 'string' || versionOf(db) !== SCHEMA_VERSION) establish(db)
      if (typeof fileState === 'string' || !fileState.wal) db.exec('PRAGMA journal_mode = WAL')
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/**
 * Where a log is lying, someone is at work or was interrupted: SQLite's read-only mode leaves it alone. Without a
 * log that mode would make one and leave it behind, so an ordinary connection is taken that may only query.
 */
async function openReadonly(driver: SqliteDriver, file: string): Promise<Database> {
  const wal = await readSize(`${file}-wal`)
  try {
    if (wal !== null) return connect(file, () => new driver.DatabaseSync(file, { readOnly: true }))
    const db = connect(file, () => new driver.DatabaseSync(file))
    db.exec('PRAGMA query_only = ON')
    return db
  } catch (error) {
    if (!(error instanceof WitanError && isUnwritable(error.cause))) throw error
    return openImmutable(driver, file, wal)
  }
}

/** For media where not even SQLite's shared-memory file can be made. No one can append there meanwhile either. */
function openImmutable(driver: SqliteDriver, file: string, wal: number | null): Database {
  if (wal !== null && wal > 0) {
    throw new WitanError(
      'HOME_READONLY',
      `${file}: the newest events lie in a log that cannot be read where nothing can be written`,
      'Copy the whole home to a writable directory and read the copy.',
    )
  }
  const location = pathToFileURL(file)
  location.searchParams.set('immutable', '1')
  return connect(file, () => new driver.DatabaseSync(location, { readOnly: true }))
}

export async function openDatabase(directory: string, readonly: boolean): Promise<Database> {
  const file = databaseFile(directory)
  const [driver, fileState] = await Promise.all([loadSqlite(), recognise(file)])
  if (!readonly) {
    if (fileState === 'missing') await createFile(directory, file)
    return openWritable(driver, file, fileState)
  }
  if (typeof fileState === 'string') {
    throw missing(file)
  }
  return openReadonly(driver, file)
}
