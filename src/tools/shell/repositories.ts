// Every hook place that is in a folder now, by its content and not only by its name: a folder that git would
// treat as a repository is one under any name, and settings of a repository may name further places in the
// workspace. Links are not followed. `node_modules` is not searched: the user's git does not work there.

import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { within } from '../allowed-paths.ts'
import { isHookPlace } from '../hook-places.ts'

export interface HookPlace {
  readonly path: string
  readonly kind: 'folder' | 'file' | 'link'
  /** Recognised by its content: git treats the folder as a repository, under any name. */
  readonly bare: boolean
  /** The same thing has the same identity wherever it is moved. */
  readonly identity: string
}

const MOST_FOLDERS = 100_000
const AT_ONCE = 32

const listEntries = (folder: string): Promise<Dirent[]> =>
  // Gone, or inaccessible: then it is inaccessible for what runs as us too.
  readdir(folder, { withFileTypes: true }).catch(() => [])

function looksLikeRepository(entries: readonly Dirent[]): boolean {
  const has = (name: string) => entries.some((entry) => entry.name === name)
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')))
}

/** Whether git would treat the folder itself as one. */
export const isRepository = async (folder: string): Promise<boolean> =>
  looksLikeRepository(await listEntries(folder))

async function placeAt(path: string, bare = false): Promise<HookPlace | null> {
  const stats = await lstat(path, { bigint: true }).catch(() => null)
  if (stats === null) return null
  const kind = stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file'
  const target = kind === 'link' ? await readlink(path).catch(() => '') : ''
  // A link cannot be mounted over: its number may be reused, so its content counts too.
  const identity = kind === 'link' ? `${path} to ${target}` : `${stats.dev}:${stats.ino}`
  return { path, kind, bare, identity }
}

/** Paths that settings of git name inside the workspace: a folder of hooks, files that are read as settings. */
async function namedBySettings(root: string): Promise<string[]> {
  const text = await readFile(join(root, '.git/config'), 'utf8').catch(() => '')
  const named = [...text.matchAll(/^\s*(hooksPath|path)\s*=\s*"?([^"\n]+?)"?\s*$/gim)]
  return named
    .map(([, key = '', value = '']) => resolve(/^hooks/i.test(key) ? root : join(root, '.git'), value))
    .filter((path) => within(root, path) && path !== root && !within(join(root, '.git'), path))
}

/** All of them at or below a real folder, except below `hidden`. */
export async function hookPlacesIn(root: string, hidden: readonly string[] = []): Promise<HookPlace[]> {
  const places: Promise<HookPlace | null>[] = (await namedBySettings(root)).map((path) => placeAt(path))
  let waiting = [root]
  for (let seen = 0; waiting.length > 0 && seen < MOST_FOLDERS; ) {
    const now = waiting.splice(-AT_ONCE)
    seen += now.length
    const below = await Promise.all(
      now.map(async (folder) => {
        const entries = await listEntries(folder)
        if (looksLikeRepository(entries)) {
          places.push(placeAt(folder, true))
          return []
        }
        const way = relative(root, folder)
        const depth = way === '' ? 0 : way.split(sep).length
        return entries.flatMap((entry) => {
          const path = join(folder, entry.name)
          if (hidden.includes(path)) return []
          if (isHookPlace(entry.name, depth)) {
            places.push(placeAt(path))
            return []
          }
          return entry.isDirectory() && entry.name !== 'node_modules' ? [path] : []
        })
      }),
    )
    waiting = waiting.concat(...below)
  }
  return (await Promise.all(places)).filter((place) => place !== null)
}
