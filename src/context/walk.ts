// Finds the files under the given paths. Links are never followed, ignored and excluded folders never
// entered, and everything counts against limits, shallow folders first; the same tree always gives the same
// answer.

import { type Dirent, existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, posix, relative, resolve, sep } from 'node:path'
import { WitanError } from '../ledger/errors.ts'
import { byPath, type Exclusion, type Reason } from './exclusion.ts'
import { fileReason, folderReason, isIgnored, type Layers, shownPath, withFolder } from './path-rules.ts'

// Where a walk begins: the paths as the user gave them. Named paths are included even when an ignore file
// hides them; only secrets and a repository's own data stay out, and a link never leads out of the root.

type Start =
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

/** The folder where ignore files begin to apply: that of the repository, else the root, else the folder itself. */
function topOf(folder: string, root: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(resolve(at, '.git'))) return at
    if (dirname(at) === at) return within(root, folder) === null ? folder : root
  }
}

/** The ignore rules above a folder; none, when they hide the very folder that the user gave. */
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

async function findRealPath(startPath: string, absolute: string): Promise<string> {
  try {
    return await realpath(absolute)
  } catch (cause) {
    throw new WitanError(
      'FILE_NOT_FOUND',
      `there is no file or folder ${startPath}`,
      'Check the path; it is read from the folder you are in.',
      { cause },
    )
  }
}

async function findStart(startPath: string, root: string, named: (name: string) => string): Promise<Start> {
  const lexical = resolve(root, startPath)
  const [realRoot, real] = [await findRealPath('.', root), await findRealPath(startPath, lexical)]
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

async function findStarts(root: string, paths: readonly string[]): Promise<Start[]> {
  const names = new Map<string, number>()
  // Two folders of one name from elsewhere must not be taken for one.
  const named = (name: string) => {
    const count = (names.get(name) ?? 0) + 1
    names.set(name, count)
    return count === 1 ? name : `${name}-${count}`
  }
  const starts: Start[] = []
  for (const path of [...new Set(paths)].sort()) starts.push(await findStart(path, resolve(root), named))
  return starts
}

export interface Found {
  /** As shown: relative, with forward slashes. */
  readonly path: string
  readonly absolute: string
  /** The user gave this very file. */
  readonly named: boolean
}

export interface WalkLimits {
  /** How many names were read. */
  readonly entries: number
  readonly files: number
}

export interface Walk {
  readonly files: readonly Found[]
  readonly excluded: readonly Exclusion[]
}

interface Folder {
  readonly absolute: string
  readonly path: string
  /** The path from where the ignore files begin to count. */
  readonly fromTop: string
  readonly layers: Layers
}

const join = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
const folderName = ({ path }: Folder) => (path === '' ? './' : `${path}/`)
const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

class Walker {
  readonly files: Found[] = []
  readonly excluded: Exclusion[] = []
  readonly #seen = new Set<string>()
  readonly #limits: WalkLimits
  #entries = 0

  constructor(limits: WalkLimits) {
    this.#limits = limits
  }

  leave(path: string, reason: Reason, detail?: string): void {
    this.excluded.push({ path: shownPath(path).path, reason, ...(detail === undefined ? {} : { detail }) })
  }

  /** True when there was space for it or it was there already. */
  take(path: string, absolute: string, named: boolean): boolean {
    const shown = shownPath(path)
    const reason = shown.hadSecret ? 'secret-path' : fileReason(path)
    if (reason !== null && (!named || reason === 'secret-path')) this.leave(path, reason)
    else if (!this.#seen.has(absolute)) {
      if (this.files.length >= this.#limits.files) return false
      this.#seen.add(absolute)
      this.files.push({ path: shown.path, absolute, named })
    }
    return true
  }

  /** Why an entry is not entered or read; null when it may be. */
  #against(entry: Dirent, path: string, fromTop: string, layers: Layers): Reason | null {
    if (entry.isSymbolicLink()) return 'symlink'
    if (entry.isDirectory()) {
      if (shownPath(entry.name).hadSecret) return 'secret-path'
      return folderReason(path) ?? (isIgnored(layers, `${fromTop}/`) ? 'ignored' : null)
    }
    if (!entry.isFile()) return 'unreadable'
    return isIgnored(layers, fromTop) && fileReason(path) !== 'secret-path' ? 'ignored' : null
  }

  async #enter(folder: Folder): Promise<Folder[]> {
    let entries: Dirent[]
    try {
      entries = await readdir(folder.absolute, { withFileTypes: true })
    } catch (error) {
      this.leave(
        folderName(folder),
        'unreadable',
        error instanceof Error ? error.message.split(':')[0] : undefined,
      )
      return []
    }
    const room = Math.max(0, this.#limits.entries - this.#entries)
    this.#entries += entries.length
    if (entries.length > room) {
      this.leave(folderName(folder), 'over-limit', `${entries.length - room} names not looked at`)
    }
    const layers = await withFolder(folder.layers, folder.absolute, folder.fromTop)
    const below: Folder[] = []
    let crowded = 0
    for (const entry of entries.sort(byName).slice(0, room)) {
      const path = join(folder.path, entry.name)
      const fromTop = join(folder.fromTop, entry.name)
      const absolute = posix.join(folder.absolute, entry.name)
      const against = this.#against(entry, path, fromTop, layers)
      if (against !== null) this.leave(entry.isDirectory() ? `${path}/` : path, against)
      else if (entry.isDirectory()) below.push({ absolute, path, fromTop, layers })
      else if (!this.take(path, absolute, false)) crowded++
    }
    if (crowded > 0) this.leave(folderName(folder), 'over-limit', `${crowded} files`)
    return below
  }

  async begin(start: Start): Promise<void> {
    if (start.kind === 'excluded') this.leave(start.path, start.reason)
    else if (start.kind === 'file') {
      if (!this.take(start.path, start.absolute, true)) this.leave(start.path, 'over-limit')
    } else {
      let level: Folder[] = [start]
      while (level.length > 0) {
        const next: Folder[] = []
        for (const folder of level) next.push(...(await this.#enter(folder)))
        level = next
      }
    }
  }
}

/** `root` is where relative paths begin and what links may not lead out of. */
export async function walk(root: string, paths: readonly string[], limits: WalkLimits): Promise<Walk> {
  const walker = new Walker(limits)
  const starts = await findStarts(root, paths)
  // What the user named comes first: other folders must not take its space.
  for (const start of starts.filter(({ kind }) => kind !== 'folder')) await walker.begin(start)
  for (const start of starts.filter(({ kind }) => kind === 'folder')) await walker.begin(start)
  return { files: walker.files.sort(byPath), excluded: walker.excluded.sort(byPath) }
}
