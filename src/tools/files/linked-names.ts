// A file with several names is the same file under each of them, and a name in the workspace may be one of a
// key. Such a file is read only when it cannot be one: it belongs to us or to the owner of the root, is not
// in a forbidden place, and either others can read it anyway, as in the stores of package managers, or all
// its names are in the root.

import type { Stats } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path/posix'
import type { Place } from '../allowed-paths.ts'
import { Fault } from '../call-tool.ts'

const MOST_ENTRIES = 50000
/** Readable or writable by the group or by others. */
const OPEN_TO_OTHERS = 0o066
/** How many names below these places are the same file, as far as they were searched. */
async function namesIn(places: readonly string[], file: Stats, enough: number): Promise<number> {
  const waiting = [...places]
  let count = 0
  for (let looked = 0; waiting.length > 0 && looked < MOST_ENTRIES && count < enough; looked++) {
    const path = waiting.pop() ?? ''
    const entry = await lstat(path).catch(() => null)
    if (entry?.isDirectory()) {
      const names = await readdir(path).catch(() => [])
      waiting.push(...names.map((name) => join(path, name)))
    }
    if (entry?.isFile() && entry.ino === file.ino && entry.dev === file.dev) count += 1
  }
  return count
}
const refusal = (why: string): Fault =>
  new Fault('denied', `the file has another name outside of the root (a hard link): ${why}`)
/** Throws a Fault for a file that may belong elsewhere. */
export async function checkNames(file: Stats, { realRoot, forbidden }: Place): Promise<void> {
  if (file.nlink <= 1) return
  const owners = [process.getuid?.(), (await stat(realRoot)).uid]
  if (!owners.includes(file.uid)) throw refusal('it belongs to someone else')
  if ((await namesIn(forbidden.never, file, 1)) > 0)
    throw refusal('it is a key, a credential or in the vault')
  if ((file.mode & OPEN_TO_OTHERS) !== 0) return
  if ((await namesIn([realRoot], file, file.nlink)) < file.nlink) throw refusal('it is private')
}
