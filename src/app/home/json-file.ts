// Small JSON files of the home that hold what a person agreed to. One that is not there says nothing; one that cannot
// be read as what it should be is a fault, never taken for nothing: else damage would pass for a changed mind.

import { isWitanError, WitanError } from '../../ledger/errors.ts'
import { readSmallFile, writeFileWhole } from './files.ts'

interface Kept<Value> {
  /** Null, or a throw, for what it cannot be. */
  readonly read: (value: unknown) => Value | null
  /** What it is a list of. */
  readonly of: string
  readonly next: string
}

/** Undefined when there is no such file. */
export async function readKept<Value>(
  file: string,
  { read, of, next }: Kept<Value>,
): Promise<Value | undefined> {
  let text: string
  try {
    text = (await readSmallFile(file)).toString('utf8')
  } catch (error) {
    if (isWitanError(error, 'FILE_NOT_FOUND')) return undefined
    throw error
  }
  try {
    const found = read(JSON.parse(text))
    if (found !== null) return found
  } catch {
    // Falls through to the one message for everything that is wrong with this file.
  }
  throw new WitanError('CONFIG_INVALID', `${file} is not a list of ${of}`, next)
}

/** For its owner alone. */
export async function writeKept(file: string, value: object): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  await writeFileWhole(file, bytes, { replace: true, mode: 0o600 })
}
