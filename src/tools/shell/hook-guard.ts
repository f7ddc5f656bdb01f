// Keeps the hook places of writable folders while a sandbox has them: what is there is mounted read-only, a missing
// `.git` at the top is covered, and what has come all the same when the sandbox is looked at is put under a name that
// no tool runs. Nothing is deleted: the user may want it.

import { randomBytes } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { codeOf, type Folder, withFolder } from '../files/folder.ts'
import { coverGit, type GitCover } from './git-cover.ts'
import { type HookPlace, hookPlacesIn } from './repositories.ts'
import type { Mounted } from './sandbox.ts'

export interface HookGuard {
  /** For bubblewrap, after the folders themselves. */
  readonly args: readonly string[]
  /** Renames what was planted since, and says what it is called now. */
  sweep(): Promise<readonly string[]>
  release(): Promise<void>
}

/** `who`: command or server. */
export const plantedWords = (who: string, names: readonly string[]): string =>
  `the ${who} made what your own tools would run outside of the sandbox; look at it and rename it if you want it: ` +
  names.join(', ')

async function renamed(folder: Folder, name: string): Promise<string | null> {
  const held = `${name}.held-by-witan-${randomBytes(4).toString('hex')}`
  try {
    await rename(folder.at(name), folder.at(held))
    return held
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null
    throw error
  }
}

/** Without its HEAD a folder is no repository under any name. */
const disarm = (repository: string): Promise<string | null> =>
  withFolder(repository, (folder) => renamed(folder, 'HEAD'))

async function hold({ path, kind, bare }: HookPlace): Promise<string | null> {
  if (bare) {
    const held = await disarm(path)
    return held === null ? null : join(path, held)
  }
  const held = await withFolder(dirname(path), (folder) => renamed(folder, basename(path)))
  if (held === null) return null
  const now = join(dirname(path), held)
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
    const held = await hold(place)
    if (held !== null) names.push(relative(real, held))
  }
  return names
}

/** `hiddenIn`: what of a folder nobody is shown anyway. */
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
