// Where a tool may reach: granted folders, and never the store, the keys or the home of the operator, even
// where a granted folder contains them. A path from a task or a model is relative, plain and stays inside its
// root; every decision is made about the real place, with all symbolic links resolved.

import { lstatSync, realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Fault } from './call-tool.ts'

/** A granted folder, and whether it may be changed. */
export interface Root {
  /** `workspace` for the first; a call names any other. */
  readonly name: string
  readonly path: string
  readonly write: boolean
}

/** Places that no grant opens. */
export interface Forbidden {
  /** Nothing at or below these, no matter what was granted: the Witan home, keys, credentials. */
  readonly never: readonly string[]
  /** Homes of people: nothing in them through a root that contains them. A root inside one is a project. */
  readonly homes: readonly string[]
}

const CREDENTIALS =
  '.ssh .gnupg .aws .azure .kube .docker .netrc .npmrc .pypirc .git-credentials .password-store .config/gcloud ' +
  '.config/gh .claude .claude.json .codex .gemini'

/** What is forbidden to every tool of this machine's user. */
export function forbiddenHere(
  witanHome: string,
  more: readonly string[] = [],
  userHome = homedir(),
): Forbidden {
  const credentials = CREDENTIALS.split(' ').map((name) => join(userHome, name))
  return { never: [witanHome, ...more, ...credentials].map((path) => resolve(path)), homes: [userHome] }
}

/** True for the folder itself too. */
export function within(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Why a path is invalid, before any file is accessed; null when it is valid. */
export function pathFault(path: string): string | null {
  if (path === '' || path.length > 4_096) return 'a path has between 1 and 4096 characters'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'a path holds no control characters'
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|file:|[a-z]:)/i.test(path)) return 'an address is no path'
  if (path.includes('\\')) return 'paths are written with forward slashes'
  if (path.startsWith('/')) return 'a path is relative to its root, never absolute'
  if (path.split('/').includes('..')) return 'a path does not climb with ..'
  return null
}

export const segmentsOf = (path: string): string[] =>
  path.split('/').filter((segment) => segment !== '' && segment !== '.')

/** Null where nothing exists. */
export async function findRealPath(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (error) {
    return absentAsNull(error)
  }
}

function absentAsNull(error: unknown): null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  if (code === 'ELOOP') throw new Fault('denied', 'the path is a circle of symbolic links')
  throw error
}

/** The real place of a path that may not exist yet. */
export async function realOrPlanned(path: string): Promise<string> {
  const real = await findRealPath(path)
  if (real !== null || dirname(path) === path) return real ?? path
  return join(await realOrPlanned(dirname(path)), relative(dirname(path), path))
}

/** Why a real place may not be accessed through a real root; null when it may. */
export function placeFault(root: string, place: string, forbidden: Forbidden): string | null {
  if (!within(root, place)) return 'the path leads out of its root'
  if (forbidden.never.some((never) => within(never, place))) {
    return 'the store, keys and credentials are never touched'
  }
  const throughHome = forbidden.homes.some((home) => within(root, home) && within(home, place))
  return throughHome ? 'the home of the user is never touched' : null
}

/** Like `realOrPlanned`, but synchronous; `known` caches what several paths have in common. */
function realNow(path: string, known: Map<string, string>): string {
  const before = known.get(path)
  if (before !== undefined) return before
  const parent = dirname(path)
  const real =
    existingNow(path) ?? (parent === path ? path : join(realNow(parent, known), relative(parent, path)))
  known.set(path, real)
  return real
}

function existingNow(path: string): string | null {
  try {
    // Most of these paths do not exist, and throwing takes longer than checking.
    return lstatSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : null
  } catch (error) {
    return absentAsNull(error)
  }
}

/**
 * The same with every symbolic link resolved, as they are now: checked before every call, for about twenty places.
 * They are in homes, where the ledger itself is accessed synchronously, so no other thread is used.
 */
export function realForbidden(forbidden: Forbidden): Forbidden {
  const known = new Map<string, string>()
  const all = (paths: readonly string[]) => [...paths, ...paths.map((path) => realNow(path, known))]
  return { never: all(forbidden.never), homes: all(forbidden.homes) }
}

export interface Place {
  readonly root: Root
  /** With all links resolved. */
  readonly realRoot: string
  readonly path: string
  /** Whether something exists there. */
  readonly exists: boolean
  /** With all links resolved. */
  readonly forbidden: Forbidden
  /** Throws for any other place that may not be accessed through this root. */
  check(place: string): void
}

function rootNamed(roots: readonly Root[], name: string | undefined): Root {
  const namedRoot = name === undefined ? roots[0] : roots.find((root) => root.name === name)
  if (namedRoot !== undefined) return namedRoot
  throw new Fault('denied', name === undefined ? 'no folder was granted' : `no root ${name} was granted`)
}

/** The place that a call names. Throws a Fault where it may not be accessed. */
export async function resolvePlace(
  roots: readonly Root[],
  forbidden: Forbidden,
  request: { readonly root?: string | undefined; readonly path: string },
): Promise<Place> {
  const fault = pathFault(request.path)
  if (fault !== null) throw new Fault('denied', fault)
  const root = rootNamed(roots, request.root)
  const realRoot = await findRealPath(root.path)
  if (realRoot === null) throw new Fault('not_found', `the root ${root.name} is not there`)
  const wanted = join(realRoot, ...segmentsOf(request.path))
  const existing = await findRealPath(wanted)
  const path = existing ?? (await realOrPlanned(wanted))
  const real = realForbidden(forbidden)
  const check = (place: string) => {
    const why = placeFault(realRoot, place, real)
    if (why !== null) throw new Fault('denied', why)
  }
  check(path)
  return { root, realRoot, path, exists: existing !== null, forbidden: real, check }
}
