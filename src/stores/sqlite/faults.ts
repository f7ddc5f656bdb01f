// SQLite's result codes, said as one of our coded errors. What SQLite did not raise passes through as it is.

import { asError, BROKEN, type Fault, FULL, READONLY } from '../disk.ts'
import { resultCode } from './driver.ts'
import { PLACE_TAKEN } from './schema.ts'

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
  const isPlaceTaken = error instanceof Error && error.message.includes(PLACE_TAKEN)
  const fault = isPlaceTaken ? MOVED : (EXTENDED.get(code) ?? PRIMARY.get(code & 0xff) ?? BROKEN)
  return asError(fault, where, error)
}

/** Neither the file nor what SQLite keeps beside it could be opened for writing. */
export const isUnwritable = (error: unknown): boolean => [8, 14].includes((resultCode(error) ?? 0) & 0xff)
