// One connection with its prepared statements. Errors leave it as our coded ones. A transaction is a synchronous
// function: the write lock is taken before anything is read and given back before anything else can run.

import { asError, BROKEN, type Fault, FULL, READONLY } from '../disk.ts'
import { TAKEN } from './schema.ts'

// The one place that knows which SQLite is underneath: Node's own from 22.13 on, the same API from
// @photostructure/sqlite before. Everything above sees the few members declared here. Loaded only when a vault is
// opened, so that commands without one start as fast as bare node.

export type SqlValue = null | number | string | Uint8Array
export type SqlRow = Readonly<Record<string, unknown>>

export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): SqlRow | undefined
  all(...values: SqlValue[]): SqlRow[]
}

export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export interface SqliteDriver {
  readonly DatabaseSync: new (location: string | URL, options?: { readonly readOnly?: boolean }) => Database
}

/** Node announces its SQLite as experimental on stderr, where users read what a command has to say to them. */
function builtIn(): unknown {
  const emitWarning = process.emitWarning
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

export async function loadSqlite(): Promise<SqliteDriver> {
  const found = builtIn() as SqliteDriver | undefined
  return found ?? ((await import('@photostructure/sqlite')) as unknown as SqliteDriver)
}

/** What SQLite calls its faults, for the errors that come from a driver without their number. */
const SPOKEN: readonly (readonly [words: string, code: number])[] = [
  ['database disk image is malformed', 11],
  ['file is not a database', 26],
  ['database or disk is full', 13],
  ['attempt to write a readonly database', 8],
  ['unable to open database file', 14],
  ['database is locked', 5],
  ['database table is locked', 6],
  ['UNIQUE constraint failed', 2067],
  ['constraint failed', 19],
  ['disk I/O error', 10],
]

/** The extended result code, or null when SQLite did not raise this. */
export function resultCode(error: unknown): number | null {
  const { errcode, code, message } = (error ?? {}) as Readonly<Record<string, unknown>>
  if (typeof errcode === 'number') return errcode
  if (code !== 'ERR_SQLITE_ERROR') return null
  return SPOKEN.find(([words]) => String(message).includes(words))?.[1] ?? 1
}

// SQLite's result codes, said as one of our coded errors. What SQLite did not raise passes through as it is.

const BUSY: Fault = [
  'VAULT_BUSY',
  'another process has been writing for too long',
  'Try again; if it stays so, look for a hanging process that has the file open.',
]
const CORRUPT: Fault = [
  'VAULT_CORRUPT',
  'the file is damaged',
  'Nothing was changed. Keep the file as it is and restore a backup beside it.',
]
const MOVED: Fault = ['HEAD_MOVED', 'someone else appended first', 'Read the new head and append to it.']
const REFUSED: Fault = [
  'VAULT_REFUSED',
  'its own guards refuse this',
  'Ledgers only grow; content is erased by a recorded redaction alone.',
]

const PRIMARY: ReadonlyMap<number, Fault> = new Map([
  [3, READONLY], // PERM
  [5, BUSY],
  [6, BUSY], // LOCKED
  [8, READONLY],
  [11, CORRUPT],
  [13, FULL],
  [14, READONLY], // CANTOPEN: the files beside the database cannot be made
  [19, REFUSED], // CONSTRAINT
  [26, CORRUPT], // NOTADB: whether the file is ours was decided from its header before
])
const EXTENDED: ReadonlyMap<number, Fault> = new Map([
  [522, CORRUPT], // IOERR_SHORT_READ
  [1555, MOVED], // CONSTRAINT_PRIMARYKEY
  [2067, MOVED], // CONSTRAINT_UNIQUE
  [4874, FULL], // IOERR_SHMSIZE
  [8458, CORRUPT], // IOERR_CORRUPTFS
])

export function fromSqlite(error: unknown, where: string): unknown {
  const code = resultCode(error)
  if (code === null) return error
  const taken = error instanceof Error && error.message.includes(TAKEN)
  const fault = taken ? MOVED : (EXTENDED.get(code) ?? PRIMARY.get(code & 0xff) ?? BROKEN)
  return asError(fault, where, error)
}

/** Neither the file nor what SQLite keeps beside it could be opened for writing. */
export const isUnwritable = (error: unknown): boolean => [8, 14].includes((resultCode(error) ?? 0) & 0xff)

export interface Connection {
  readonly file: string
  get(sql: string, ...values: SqlValue[]): SqlRow | undefined
  all(sql: string, ...values: SqlValue[]): SqlRow[]
  /** The id of the inserted row, when it was an INSERT. */
  run(sql: string, ...values: SqlValue[]): number
  /** One statement that is a transaction of its own: what two more to begin and end it would cost is saved. */
  runAlone(later: boolean, sql: string, ...values: SqlValue[]): void
  /** Durable when it returns, unless `later`: then it is seen at once, and durable once the log was flushed. */
  transact<Result>(work: () => Result, later?: boolean): Result
  close(): void
}

/** How many connections of this process may write to each file. */
const writers = new Map<string, number>()

export function connectionOf(db: Database, file: string, readonly: boolean): Connection {
  const statements = new Map<string, Statement>()
  /** As the file was opened. */
  let waits: 'NORMAL' | 'FULL' = 'FULL'
  if (!readonly) writers.set(file, (writers.get(file) ?? 0) + 1)

  function prepared(sql: string): Statement {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  function coded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw fromSqlite(error, file)
    }
  }

  function rollBack(): void {
    try {
      prepared('ROLLBACK').run()
    } catch {
      // A full disk or an I/O error made SQLite roll back by itself; the first error is the one to report.
    }
  }

  function committed<Result>(work: () => Result): Result {
    prepared('BEGIN IMMEDIATE').run()
    try {
      const result = work()
      prepared('COMMIT').run()
      return result
    } catch (error) {
      rollBack()
      throw error
    }
  }

  /** Every write says which it needs. SQLite takes this setting while it prepares it, so that no statement can be kept. */
  function synced<Result>(later: boolean, work: () => Result): Result {
    const level = later ? 'NORMAL' : 'FULL'
    if (level !== waits) db.exec(`PRAGMA synchronous = ${level}`)
    waits = level
    return work()
  }

  /** Not every driver lets go of its files at close; then SQLite would not do this by itself. */
  function emptyLog(): void {
    try {
      db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // What is in the log is durable where it is, and the next one to close empties it.
    }
  }

  /** What one of many would copy into the file while the writers go on writing, the last one copies for all. */
  function isLast(): boolean {
    const left = (writers.get(file) ?? 1) - 1
    if (left > 0) writers.set(file, left)
    else writers.delete(file)
    return left <= 0
  }

  return {
    file,
    get: (sql, ...values) => coded(() => prepared(sql).get(...values)),
    all: (sql, ...values) => coded(() => prepared(sql).all(...values)),
    run: (sql, ...values) => coded(() => Number(prepared(sql).run(...values).lastInsertRowid)),
    close: () =>
      coded(() => {
        if (!readonly && isLast()) emptyLog()
        db.close()
      }),
    runAlone: (later, sql, ...values) => coded(() => synced(later, () => void prepared(sql).run(...values))),
    transact: (work, later = false) => coded(() => synced(later, () => committed(work))),
  }
}
