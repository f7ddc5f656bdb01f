// Protects the hook places of writable folders while a sandbox has them: existing ones are mounted read-only,
// a missing `.git` at the top is covered, and those that were created all the same are afterwards renamed so
// that no tool runs them. Nothing is deleted: the user may want it.

import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { codeOf, type Folder, withFolder } from '../files/folder.ts'
import { isAlive } from './processes.ts'
import { type HookPlace, hookPlacesIn } from './repositories.ts'
import type { Mounted } from './sandbox.ts'

// Where a workspace has no `.git`, an empty folder of that name exists for the time of a sandbox, so that
// something can be mounted there and nothing be planted. Git does not take an empty folder for a repository.
// Every sandbox that needs it keeps a file in it, and it is removed with the last of them: a folder is
// removed only when it is empty.

const MARK = /^witan-(\d+)-[0-9a-f]{16}$/
const WORDS =
  'Witan keeps this folder while a sandbox runs, so that no repository can be planted here. When no\n' +
  'Witan runs in this folder, it can be deleted.\n'
const MOST_TRIES = 20

/** Whether the folder is only such a cover, from this process, another one, or one that was killed. */
async function isCover(path: string): Promise<boolean> {
  const stats = await lstat(path)
  if (!stats.isDirectory()) return false
  const names = await readdir(path)
  for (const name of names) {
    const [, pid] = MARK.exec(name) ?? []
    if (pid === undefined) return false
    if (!isAlive(Number(pid))) await rm(join(path, name), { force: true })
  }
  return true
}

interface GitCover {
  /** Leaves no trace, unless the user has made a repository there since. */
  release(): Promise<void>
}

async function remove(path: string, mark: string): Promise<void> {
  await rm(mark, { force: true })
  await rmdir(path).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error
  })
}

/** Null where a real `.git` exists, or where nothing can be made by anyone. */
async function coverGit(root: string): Promise<GitCover | null> {
  const path = join(root, '.git')
  const mark = join(path, `witan-${process.pid}-${randomBytes(8).toString('hex')}`)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      await mkdir(path).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
      if (!(await isCover(path))) return null
      await writeFile(mark, WORDS, { flag: 'wx' })
      return { release: () => remove(path, mark) }
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return null
      // Another sandbox has just taken the folder away.
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  throw new Error(`${path} comes and goes`)
}

export interface HookGuard {
  /** For bubblewrap, after the folders themselves. */
  readonly args: readonly string[]
  /** Renames what was planted since, and reports its new name. */
  sweep(): Promise<readonly string[]>
  release(): Promise<void>
}

/** `who`: command or server. */
export const plantedWords = (who: string, names: readonly string[]): string =>
  `the ${who} made what your own tools would run outside of the sandbox; look at it and rename it if you want it: ` +
  names.join(', ')

async function renamed(folder: Folder, name: string): Promise<string | null> {
  const newName = `${name}.held-by-witan-${randomBytes(4).toString('hex')}`
  try {
    await rename(folder.at(name), folder.at(newName))
    return newName
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null
    throw error
  }
}

/** Without its HEAD a folder is no repository under any name. */
const disarm = (repository: string): Promise<string | null> =>
  withFolder(repository, (folder) => renamed(folder, 'HEAD'))

async function setAside({ path, kind, bare }: HookPlace): Promise<string | null> {
  if (bare) {
    const disarmed = await disarm(path)
    return disarmed === null ? null : join(path, disarmed)
  }
  const newName = await withFolder(dirname(path), (folder) => renamed(folder, basename(path)))
  if (newName === null) return null
  const now = join(dirname(path), newName)
  if (kind === 'folder') await disarm(now)
  return now
}

interface Guarded extends Mounted {
  readonly hidden: readonly string[]
  readonly before: readonly HookPlace[]
  readonly cover: GitCover | null
}

function mountsFor({ real, inside, before, cover }: Guarded): string[] {
  const args: string[] = []
  if (cover !== null) args.push('--tmpfs', join(inside, '.git'), '--remount-ro', join(inside, '.git'))
  for (const { path, kind } of before) {
    if (kind === 'link' || (cover !== null && path === join(real, '.git'))) continue
    args.push('--ro-bind', path, join(inside, relative(real, path)))
  }
  return args
}

async function sweptIn({ real, hidden, before, cover }: Guarded): Promise<string[]> {
  const known = new Set(before.map((place) => place.identity))
  const now = await hookPlacesIn(real, hidden)
  const names: string[] = []
  for (const place of now) {
    // Under the cover only the user can have made something.
    const isCovered = cover !== null && place.path === join(real, '.git')
    if (isCovered || known.has(place.identity)) continue
    const movedTo = await setAside(place)
    if (movedTo !== null) names.push(relative(real, movedTo))
  }
  return names
}

/** `hiddenIn`: the hidden parts of a folder. */
export async function guardHooks(
  mounts: readonly Mounted[],
  hiddenIn: (real: string) => readonly string[],
): Promise<HookGuard> {
  const guarded: Guarded[] = []
  const release = async () => {
    await Promise.all(guarded.map(({ cover }) => cover?.release()))
  }
  try {
    for (const mount of mounts.filter(({ root }) => root.write)) {
      const hidden = hiddenIn(mount.real)
      const before = await hookPlacesIn(mount.real, hidden)
      guarded.push({ ...mount, hidden, before, cover: await coverGit(mount.real) })
    }
  } catch (error) {
    await release()
    throw error
  }
  return {
    args: guarded.flatMap(mountsFor),
    sweep: async () => (await Promise.all(guarded.map(sweptIn))).flat(),
    release,
  }
}
