// Files that people name: read with a limit, written completely or not at all. Errors of the system are
// reported as one of our codes. A file being written is beside its place under another name and is removed on
// failure and on interruption.

import { randomBytes } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { type FileHandle, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { toHex } from '../../ledger/bytes.ts'
import { type ErrorCode, isWitanError, WitanError } from '../../ledger/errors.ts'
import { sha256 } from '../../stores/digest.ts'
import { errnoOf, syncDirectory } from '../../stores/disk.ts'

const READING: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  ENOENT: ['FILE_NOT_FOUND', 'there is no such file', 'Check the path.'],
  ENOTDIR: ['FILE_NOT_FOUND', 'there is no such file', 'Check the path.'],
  EISDIR: ['FILE_UNREADABLE', 'this is a directory', 'Name a file.'],
  EACCES: ['FILE_UNREADABLE', 'you may not read it', 'Check who may read this file.'],
  EPERM: ['FILE_UNREADABLE', 'you may not read it', 'Check who may read this file.'],
}

const WRITING: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  ENOENT: ['FILE_NOT_FOUND', 'its directory does not exist', 'Make the directory, or choose another.'],
  ENOTDIR: ['FILE_NOT_FOUND', 'its directory does not exist', 'Make the directory, or choose another.'],
  EISDIR: ['FILE_UNWRITABLE', 'this is a directory', 'Name a file in it.'],
  EACCES: ['FILE_UNWRITABLE', 'you may not write there', 'Choose another place.'],
  EPERM: ['FILE_UNWRITABLE', 'you may not write there', 'Choose another place.'],
  EROFS: ['FILE_UNWRITABLE', 'the file system is read-only', 'Choose another place.'],
  ENOSPC: ['DISK_FULL', 'there is no space left', 'Free some space and try again; nothing was lost.'],
  EDQUOT: [
    'DISK_FULL',
    'your share of the disk is used up',
    'Free some space and try again; nothing was lost.',
  ],
  EEXIST: ['FILE_EXISTS', 'this is there already', 'Choose another name, or replace it with --force.'],
}

function coded(error: unknown, path: string, faults: typeof READING): unknown {
  const fault = faults[errnoOf(error)]
  return fault ? new WitanError(fault[0], `${path}: ${fault[1]}`, fault[2], { cause: error }) : error
}

export const readingFault = (error: unknown, path: string): unknown => coded(error, path, READING)

/** All of a small file. */
export async function readSmallFile(path: string, limit = 1_000_000): Promise<Buffer> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    // Read up to the limit, without trusting the reported size: a pipe or device reports none.
    const chunks: Buffer[] = []
    let size = 0
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(65_536), 0, 65_536)
      if (bytesRead === 0) return Buffer.concat(chunks)
      size += bytesRead
      if (size > limit) {
        throw new WitanError('FILE_UNREADABLE', `${path}: this is over ${limit} bytes`, 'Name another file.')
      }
      chunks.push(buffer.subarray(0, bytesRead))
    }
  } catch (error) {
    throw readingFault(error, path)
  } finally {
    await handle?.close()
  }
}

const unfinished = new Set<string>()

/** For the moment before the process ends on a signal. */
export function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      unlinkSync(path)
    } catch {
      // Finished or removed meanwhile, and there is no later moment to try again.
    }
  }
  unfinished.clear()
}

/** Refuses early what `writeFileWhole` would refuse in the end, before long work is done for nothing. */
export async function refuseExisting(path: string, replace: boolean): Promise<void> {
  const existing = await stat(path).catch(() => null)
  if (existing && !existing.isFile() && !existing.isDirectory()) {
    // A rename would replace the device or pipe itself, and its next writer would not find it.
    throw new WitanError('FILE_UNWRITABLE', `${path}: this is a device or a pipe`, 'Name a file.')
  }
  if (existing && (!replace || existing.isDirectory())) {
    throw coded({ code: existing.isDirectory() ? 'EISDIR' : 'EEXIST' }, path, WRITING)
  }
}

type Content = Uint8Array | AsyncIterable<Uint8Array>

async function* readChunks(content: Content): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  else yield* content
}

/** Moves the file into place in one step; without `replace` never over another one. */
async function settle(temporary: string, path: string, replace: boolean): Promise<void> {
  if (replace) return rename(temporary, path)
  try {
    await link(temporary, path)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw error
    // A file system without hard links; `refuseExisting` has looked a moment ago.
    return rename(temporary, path)
  }
  await unlink(temporary)
}

/** The number of bytes written. Errors of the content itself pass through as they are. */
export async function writeFileWhole(
  path: string,
  content: Content,
  options: { readonly replace: boolean; readonly mode?: number },
): Promise<number> {
  await refuseExisting(path, options.replace)
  const directory = dirname(resolve(path))
  const temporary = join(directory, `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  const onDisk = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => Promise.reject(coded(error, path, WRITING)))
  const handle = await onDisk(open(temporary, 'wx', options.mode ?? 0o666))
  unfinished.add(temporary)
  let size = 0
  try {
    try {
      for await (const chunk of readChunks(content)) {
        size += chunk.length
        await onDisk(handle.writeFile(chunk))
      }
      await onDisk(handle.sync())
    } finally {
      await handle.close()
    }
    await onDisk(settle(temporary, path, options.replace))
    await syncDirectory(directory).catch(() => undefined)
    return size
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    unfinished.delete(temporary)
  }
}

// Small JSON files of the home that hold what a person agreed to. A missing one is empty; one that cannot be
// read is an error and never treated as empty: otherwise damage would look like a change.

interface Kept<Value> {
  /** Null, or a throw, for what it cannot be. */
  readonly read: (value: unknown) => Value | null
  /** What it is a list of. */
  readonly of: string
  readonly next: string
}

/** Undefined when the file does not exist. */
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
    const content = read(JSON.parse(text))
    if (content !== null) return content
  } catch {
    // Falls through to the one message for everything that is wrong with this file.
  }
  throw new WitanError('CONFIG_INVALID', `${file} is not a list of ${of}`, next)
}

/** Readable by its owner only. */
export async function writeKept(file: string, value: object): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  await writeFileWhole(file, bytes, { replace: true, mode: 0o600 })
}

// The location of a session's task on this machine, so that it can be resumed: the ledger records what was
// done, not where a file is. This is a local note and no evidence; without it the task has to be named again.

const notesIn = (home: string): string => join(home, 'sessions')
const noteOf = (home: string, trace: string): string => join(notesIn(home), `${trace}.json`)

export async function keepTask(home: string, trace: string, file: string): Promise<void> {
  await mkdir(notesIn(home), { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify({ task: file })}\n`
  await writeFileWhole(noteOf(home, trace), Buffer.from(text), { replace: true, mode: 0o600 })
}

/** The noted location of a session's task, and its current content; null where nothing was noted. */
export async function notedTask(
  home: string,
  trace: string,
): Promise<{ readonly file: string; readonly sha256: string } | null> {
  const text = await readFile(noteOf(home, trace), 'utf8').catch(() => null)
  const file: unknown = text === null ? null : (JSON.parse(text) as { task?: unknown }).task
  if (typeof file !== 'string') return null
  return { file, sha256: toHex(sha256(await readSmallFile(file))) }
}
