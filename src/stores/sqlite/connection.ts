// One connection with its prepared statements. Errors leave it as our coded ones. A transaction is a synchronous
// function: the write lock is taken before anything is read and given back before anything else can run.

import type { Database, SqlRow, SqlValue, Statement } from './driver.ts'
import { fromSqlite } from './faults.ts'

export interface Connection {
  readonly file: string
  get(sql: string, ...values: SqlValue[]): SqlRow | undefined
  all(sql: string, ...values: SqlValue[]): SqlRow[]
  /** The id of the inserted row, when it was an INSERT. */
  run(sql: string, ...values: SqlValue[]): number
  /** One statement that is a transaction of its own: what two more to begin and end it would cost is saved. */
  runAlone(isFlushedLater: boolean, sql: string, ...values: SqlValue[]): void
  /** Durable when it returns, unless `isFlushedLater`: then it is seen at once, and durable once the log was flushed. */
  transact<Result>(work: () => Result, isFlushedLater?: boolean): Result
  /** Reads that see one moment, at the cost of one lock. */
  snapshot<Result>(work: () => Result): Result
  close(): void
}

/** How many connections of this process may write to each file. */
const writers = new Map<string, number>()

export function connectionOf(db: Database, file: string, readonly: boolean): Connection {
  const statements = new Map<string, Statement>()
  /** As the file was opened. */
  let syncLevel: 'NORMAL' | 'FULL' = 'FULL'
  if (!readonly) writers.set(file, (writers.get(file) ?? 0) + 1)

  function prepare(sql: string): Statement {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  function withCodes<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw fromSqlite(error, file)
    }
  }

  function rollBack(): void {
    try {
      prepare('ROLLBACK').run()
    } catch {
      // A full disk or an I/O error made SQLite roll back by itself; the first error is the one to report.
    }
  }

  function inTransaction<Result>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => Result): Result {
    prepare(begin).run()
    try {
      const result = work()
      prepare('COMMIT').run()
      return result
    } catch (error) {
      rollBack()
      throw error
    }
  }

  /** Every write says which it needs. SQLite takes this setting while it prepares it, so that no statement can be kept. */
  function withSync<Result>(isFlushedLater: boolean, work: () => Result): Result {
    const level = isFlushedLater ? 'NORMAL' : 'FULL'
    if (level !== syncLevel) db.exec(`PRAGMA synchronous = ${level}`)
    syncLevel = level
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
    const remaining = (writers.get(file) ?? 1) - 1
    if (remaining > 0) writers.set(file, remaining)
    else writers.delete(file)
    return remaining <= 0
  }

  return {
    file,
    get: (sql, ...values) => withCodes(() => prepare(sql).get(...values)),
    all: (sql, ...values) => withCodes(() => prepare(sql).all(...values)),
    run: (sql, ...values) => withCodes(() => Number(prepare(sql).run(...values).lastInsertRowid)),
    close: () =>
      withCodes(() => {
        if (!readonly && isLast()) emptyLog()
        db.close()
      }),
    runAlone: (isFlushedLater, sql, ...values) =>
      withCodes(() => withSync(isFlushedLater, () => void prepare(sql).run(...values))),
    transact: (work, isFlushedLater = false) =>
      withCodes(() => withSync(isFlushedLater, () => inTransaction('BEGIN IMMEDIATE', work))),
    snapshot: (work) => withCodes(() => inTransaction('BEGIN', work)),
  }
}
