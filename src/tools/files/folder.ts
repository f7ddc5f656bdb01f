// An opened folder whose real path was checked after opening. All access goes through that handle, so that a
// link that is swapped in between the decision and the access leads nowhere. Linux tells a handle's real path
// and allows access to names below it; elsewhere the path is compared before and after, which leaves a short
// time for a race.

import { constants, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
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
    // A real path contains no links: one that is there now leads to nothing, or was inserted meanwhile.
    const linked = await lstat(place).then((stats) => stats.isSymbolicLink())
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

/** Makes what is missing below an existing root, one checked step at a time. */
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

/** Regular files only: a pipe would wait forever, a device may act when opened. Null when nothing exists. */
export async function lookAt(folder: Folder, name: string): Promise<{ size: number; mode: number } | null> {
  try {
    const stats = await lstat(folder.at(name))
    if (!stats.isFile()) throw new Fault('denied', 'the path is no regular file')
    return { size: stats.size, mode: stats.mode & 0o777 }
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
