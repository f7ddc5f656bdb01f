// The one place that knows which SQLite is underneath: Node's own from 22.13 on, the same API from
// @photostructure/sqlite before. Everything above sees the few members declared here. Loaded only when a store is
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
  const driver = builtIn() as SqliteDriver | undefined
  return driver ?? ((await import('@photostructure/sqlite')) as unknown as SqliteDriver)
}

/** What SQLite calls its faults, for the errors that come from a driver without their number. */
const FAULTS_BY_TEXT: readonly (readonly [words: string, code: number])[] = [
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
  return FAULTS_BY_TEXT.find(([words]) => String(message).includes(words))?.[1] ?? 1
}
