// Where a walk begins: the paths as the user gave them. What is given by name is meant, even when an ignore file
// hides it; only secrets and a repository's own records stay out, and a link never leads out of the root.

import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { WitanError } from '../ledger/errors.ts'
import type { Reason } from './exclusion.ts'
import { isIgnored, type Layers, withFolder } from './ignore-files.ts'
import { folderReason } from './path-rules.ts'

export type Start =
  | { readonly kind: 'file'; readonly path: string; readonly absolute: string }
  | {
      readonly kind: 'folder'
      readonly path: string
      readonly absolute: string
      readonly fromTop: string
      readonly layers: Layers
    }
  | { readonly kind: 'excluded'; readonly path: string; readonly reason: Reason }

const slashes = (path: string) => path.split(sep).join('/')

/** The path from one folder to another below it; null when it is not below. */
function within(folder: string, path: string): string | null {
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : slashes(way)
}

/** The folder where ignore files begin to count: that of the repository, else the root, else the folder itself. */
function topOf(folder: string, root: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(resolve(at, '.git'))) return at
    if (dirname(at) === at) return within(root, folder) === null ? folder : root
  }
}

/** What the ignore files above a folder say; nothing, when they hide the very folder the user gave. */
async function layersAbove(folder: string, top: string): Promise<{ layers: Layers; fromTop: string }> {
  const fromTop = within(top, folder) ?? ''
  const parts = fromTop === '' ? [] : fromTop.split('/')
  let layers: Layers = []
  for (let i = 0; i < parts.length; i++) {
    const above = parts.slice(0, i).join('/')
    layers = await withFolder(layers, resolve(top, above), above)
    if (isIgnored(layers, `${parts.slice(0, i + 1).join('/')}/`)) return { layers: [], fromTop }
  }
  return { layers, fromTop }
}

async function realOf(given: string, absolute: string): Promise<string> {
  try {
    return await realpath(absolute)
  } catch (cause) {
    throw new WitanError(
      'FILE_NOT_FOUND',
      `There is no file or folder ${given}.`,
      'Check the path; it is read from the folder you are in.',
      { cause },
    )
  }
}

async function startOf(given: string, root: string, named: (name: string) => string): Promise<Start> {
  const lexical = resolve(root, given)
  const [realRoot, real] = [await realOf('.', root), await realOf(given, lexical)]
  const inside = within(realRoot, real)
  if (inside === null && within(root, lexical) !== null) {
    return { kind: 'excluded', path: slashes(relative(root, lexical)), reason: 'symlink' }
  }
  const path = inside ?? named(basename(real))
  const what = await stat(real)
  if (!what.isDirectory()) return { kind: 'file', path, absolute: real }
  const reason = folderReason(path)
  if (reason === 'vcs' || reason === 'secret-path') return { kind: 'excluded', path: `${path}/`, reason }
  const { layers, fromTop } = await layersAbove(real, topOf(real, realRoot))
  return { kind: 'folder', path, absolute: real, layers, fromTop }
}

export async function startsOf(root: string, paths: readonly string[]): Promise<Start[]> {
  const names = new Map<string, number>()
  // Two folders of one name from elsewhere must not be taken for one.
  const named = (name: string) => {
    const count = (names.get(name) ?? 0) + 1
    names.set(name, count)
    return count === 1 ? name : `${name}-${count}`
  }
  const starts: Start[] = []
  for (const path of [...new Set(paths)].sort()) starts.push(await startOf(path, resolve(root), named))
  return starts
}
