// An opened folder whose true place was checked after opening. What happens in it happens through that handle, so that
// a link swapped in between the decision and the deed leads nowhere. Linux tells a handle's true place and lets names
// be looked up beneath it; elsewhere the place is compared before and after, which leaves a moment to a racing writer.

import { createHash, randomBytes } from 'node:crypto'
import { constants, existsSync, type Stats } from 'node:fs'
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { fromUtf8, utf8 } from '../../ledger/bytes.ts'
import type { Place } from '../allowed-paths.ts'
import { Fault } from '../call-tool.ts'

const HANDLES = '/proc/self/fd'
const hasHandles = process.platform === 'linux' && existsSync(HANDLES)
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = constants

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

export interface Folder {
  readonly place: string
  /** A name in it as a path that cannot lead anywhere else. */
  at(name: string): string
  close(): Promise<void>
}

const moved = () => new Fault('denied', 'the path changed while it was opened')

async function truePlace(handle: FileHandle, place: string): Promise<string> {
  if (hasHandles) return readlink(`${HANDLES}/${handle.fd}`)
  const [opened, named] = await Promise.all([handle.stat(), stat(place)])
  if (opened.ino !== named.ino || opened.dev !== named.dev) throw moved()
  return realpath(place)
}

/** `place` is a real path that was decided to be in reach. */
async function openFolder(place: string): Promise<Folder> {
  let handle: FileHandle
  try {
    handle = await open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') throw new Fault('not_found', 'there is no such folder')
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error
    // A real path holds no links: one that stands there now leads to nothing, or came in between.
    const linked = await lstat(place).then((found) => found.isSymbolicLink())
    throw linked
      ? new Fault('denied', 'the path goes through a link')
      : new Fault('error', 'the path is no folder')
  }
  try {
    if ((await truePlace(handle, place)) !== place) throw moved()
  } catch (error) {
    await handle.close()
    throw error
  }
  const at = (name: string) => (hasHandles ? `${HANDLES}/${handle.fd}/${name}` : join(place, name))
  return { place, at, close: () => handle.close() }
}

export async function withFolder<Value>(
  place: string,
  use: (folder: Folder) => Promise<Value>,
): Promise<Value> {
  const folder = await openFolder(place)
  try {
    return await use(folder)
  } finally {
    await folder.close()
  }
}

/** Makes what is missing below a root that is there, one checked step at a time. */
export async function makeFolders(root: string, place: string): Promise<void> {
  let at = root
  for (const name of relative(root, place).split(sep).filter(Boolean)) {
    await withFolder(at, async (folder) => {
      try {
        await mkdir(folder.at(name))
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
    })
    at = join(at, name)
  }
}

/** Regular files only: a pipe would wait for ever, a device may act when opened. Null when nothing is there. */
export async function lookAt(folder: Folder, name: string): Promise<{ size: number; mode: number } | null> {
  try {
    const found = await lstat(folder.at(name))
    if (!found.isFile()) throw new Fault('denied', 'the path is no regular file')
    return { size: found.size, mode: found.mode & 0o777 }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

export async function openFile(folder: Folder, name: string): Promise<FileHandle> {
  if ((await lookAt(folder, name)) === null) throw new Fault('not_found', 'there is no such file')
  const handle = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? moved() : error
  })
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw moved()
}

export const createFile = (folder: Folder, name: string, mode: number): Promise<FileHandle> =>
  open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)

// A file with several names is the same file under each of them, and a name in the workspace may be one of a key. Such
// a file is read when it cannot be one: it belongs to us or to the owner of the root, is none that lies in a forbidden
// place, and is either open to others anyway, as in the stores of package managers, or has all its names in the root.

const MOST_ENTRIES = 50_000
/** Read or written by the group or by others. */
const OPEN_TO_OTHERS = 0o066

/** How many names below these places are the same file, as far as was looked. */
async function namesIn(places: readonly string[], file: Stats, enough: number): Promise<number> {
  const waiting = [...places]
  let found = 0
  for (let looked = 0; waiting.length > 0 && looked < MOST_ENTRIES && found < enough; looked++) {
    const path = waiting.pop() ?? ''
    const entry = await lstat(path).catch(() => null)
    if (entry?.isDirectory()) {
      const names = await readdir(path).catch(() => [])
      waiting.push(...names.map((name) => join(path, name)))
    }
    if (entry?.isFile() && entry.ino === file.ino && entry.dev === file.dev) found += 1
  }
  return found
}

const refusal = (why: string): Fault =>
  new Fault('denied', `the file has another name outside of the root (a hard link): ${why}`)

/** Throws a Fault for a file that may be one from elsewhere. */
export async function checkNames(file: Stats, { realRoot, forbidden }: Place): Promise<void> {
  if (file.nlink <= 1) return
  const owners = [process.getuid?.(), (await stat(realRoot)).uid]
  if (!owners.includes(file.uid)) throw refusal('it belongs to someone else')
  if ((await namesIn(forbidden.never, file, 1)) > 0)
    throw refusal('it is a key, a credential or in the vault')
  if ((file.mode & OPEN_TO_OTHERS) !== 0) return
  if ((await namesIn([realRoot], file, file.nlink)) < file.nlink) throw refusal('it is private')
}

// Whole files in and out. Reading stops at the limit; writing is a temporary file in the same folder and one rename,
// so that a reader sees the old content or the new, and a link that stands there is replaced and never followed.

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function contentIn(folder: Folder, name: string, maxBytes: number, place: Place): Promise<Uint8Array> {
  const handle = await openFile(folder, name)
  try {
    const file = await handle.stat()
    await checkNames(file, place)
    const { size } = file
    if (size > maxBytes) throw new Fault('output_too_large', `the file has ${size} bytes, over ${maxBytes}`)
    // It may be growing at this moment.
    const buffer = Buffer.alloc(size)
    let length = 0
    while (length < size) {
      const { bytesRead } = await handle.read(buffer, length, size - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return buffer.subarray(0, length)
  } finally {
    await handle.close()
  }
}

export async function readContent(place: Place, maxBytes: number): Promise<Uint8Array> {
  if (place.path === place.realRoot) throw new Fault('error', 'the path is a folder')
  if (!place.exists) throw new Fault('not_found', 'there is no such file')
  return withFolder(dirname(place.path), (folder) => contentIn(folder, basename(place.path), maxBytes, place))
}

export interface Written {
  /** Of what was there; null when nothing was. */
  readonly before: string | null
  readonly after: string
}

/** `next` is told what is there and gives what shall be. */
export async function replaceContent(
  place: Place,
  maxBytes: number,
  next: (before: Uint8Array | null) => Uint8Array,
): Promise<Written> {
  return withFolder(dirname(place.path), async (folder) => {
    const name = basename(place.path)
    const there = await lookAt(folder, name)
    const before = there === null ? null : await contentIn(folder, name, maxBytes, place)
    const content = next(before)
    if (content.length > maxBytes) {
      throw new Fault('denied', `the content has ${content.length} bytes, over ${maxBytes}`)
    }
    const temporary = `.witan-${randomBytes(8).toString('hex')}.tmp`
    const handle = await createFile(folder, temporary, there?.mode ?? 0o666)
    try {
      await handle.writeFile(content)
      if (there !== null) await handle.chmod(there.mode)
      await handle.sync()
      await handle.close()
      await rename(folder.at(temporary), folder.at(name))
    } catch (error) {
      await handle.close().catch(() => {})
      await rm(folder.at(temporary), { force: true })
      throw error
    }
    return { before: before === null ? null : sha256(before), after: sha256(content) }
  })
}

// A patch is a list of exact replacements. Line numbers and fuzzy context are left out on purpose: a text that stands
// there exactly once cannot be applied at the wrong place, and a file that has changed is noticed.

export interface Edit {
  readonly find: string
  readonly replace: string
  readonly all?: boolean
}

function applyEdit(text: string, { find, replace, all = false }: Edit, number: number, most: number): string {
  const pieces = text.split(find)
  const found = pieces.length - 1
  if (found === 0) throw new Fault('error', `edit ${number}: the text to find is not in the file`)
  if (found > 1 && !all)
    throw new Fault('error', `edit ${number}: the text to find stands there ${found} times`)
  // Said before it is made: a letter that stands there a million times may be replaced by a page.
  const length = text.length + found * (replace.length - find.length)
  if (length > most)
    throw new Fault('denied', `edit ${number}: the content would have ${length} characters, over ${most}`)
  return pieces.join(replace)
}

/** All edits or none, and at no moment more than so many characters. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[], most: number): Uint8Array {
  const text = fromUtf8(bytes)
  if (text === null) throw new Fault('error', 'the file is no text in UTF-8')
  return utf8(edits.reduce((before, edit, at) => applyEdit(before, edit, at + 1, most), text))
}
