// What `review` reads, from the words that a user typed: a range, paths, both, or nothing. A word that is a
// path here is a path; otherwise it must be a range. Where there is no change to compare, named files are
// reviewed as they are.

import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { isWitanError, WitanError } from '../ledger/errors.ts'
import { type PackOptions, packOf } from './build-pack.ts'
import { comparedBy, comparedByDefault, isRange, lastCommit } from './changed-files.ts'
import { diffPack } from './diff-pack.ts'
import { openRepository, type Repository } from './git.ts'
import type { Pack } from './pack.ts'
import { takeSnapshot } from './snapshot.ts'

/** What is to be reviewed: a range of commits, or paths. */
export interface ReviewRequest {
  /** The folder the user is in. */
  readonly folder: string
  /** As typed: at most one range, any number of paths. */
  readonly words: readonly string[]
  /** Given directly, as with `--diff`. */
  readonly range?: string
}

const nothing = (what: string): WitanError =>
  new WitanError(
    'NOTHING_TO_REVIEW',
    what,
    'Name a range or paths, for example: witan review HEAD~3..HEAD, or witan review src',
  )

/** The files themselves. */
export async function filesPack(
  folder: string,
  paths: readonly string[],
  options: PackOptions = {},
): Promise<Pack> {
  const snapshot = await takeSnapshot(folder, paths)
  if (snapshot.files.length === 0) {
    const why = snapshot.excluded.slice(0, 3).map(({ path, reason }) => `${path} (${reason})`)
    const where = paths.length > 0 ? ` in ${paths.join(', ')}` : ''
    throw nothing(`there is no file to read${where}${why.length > 0 ? `; left out: ${why.join(', ')}` : ''}`)
  }
  return packOf(snapshot, options)
}

async function fromTop({ top }: Repository, folder: string, path: string): Promise<string> {
  const absolute = resolve(folder, path)
  const way = relative(await realpath(top), existsSync(absolute) ? await realpath(absolute) : absolute)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new WitanError(
      'RANGE_INVALID',
      `${path} is not in this repository.`,
      'Name paths inside the repository.',
    )
  }
  return way.split(sep).join('/') || '.'
}

async function sorted(
  repo: Repository,
  request: ReviewRequest,
): Promise<{ readonly range: string | null; readonly paths: readonly string[] }> {
  const paths: string[] = []
  let range = request.range ?? null
  for (const word of request.words) {
    if (existsSync(resolve(request.folder, word))) paths.push(word)
    else if (range === null && (await isRange(repo, word))) range = word
    else if (range !== null && request.range === undefined && paths.length === 0) {
      throw new WitanError('RANGE_INVALID', `There are two ranges, ${range} and ${word}.`, 'Name one range.')
    } else {
      throw new WitanError(
        'RANGE_INVALID',
        `${JSON.stringify(word.slice(0, 120))} is neither a file or folder here nor a range of commits.`,
        'Check the spelling; a deleted file is reviewed by naming its folder.',
      )
    }
  }
  return { range, paths }
}

async function repositoryFor(request: ReviewRequest): Promise<Repository | null> {
  try {
    return await openRepository(request.folder)
  } catch (error) {
    const allPaths =
      request.words.length > 0 && request.words.every((word) => existsSync(resolve(request.folder, word)))
    const noGit = isWitanError(error, 'NOT_A_REPOSITORY') || isWitanError(error, 'GIT_MISSING')
    if (noGit && allPaths && request.range === undefined) return null
    throw error
  }
}

/** The pack of a change, with its surroundings. */
export async function reviewPack(request: ReviewRequest, options: PackOptions = {}): Promise<Pack> {
  const repo = await repositoryFor(request)
  if (repo === null) return filesPack(request.folder, request.words, options)
  const { range, paths } = await sorted(repo, request)
  const inside = await Promise.all(paths.map((path) => fromTop(repo, request.folder, path)))
  const compared = range === null ? await comparedByDefault(repo) : await comparedBy(repo, range)
  const pack = await diffPack(repo, compared, inside, options.limits)
  if (pack) return pack
  if (range !== null) throw nothing(`Nothing differs in ${compared.words}.`)
  // Nothing has changed: with named files, these are reviewed; without, the latest commit.
  if (paths.length > 0) return filesPack(request.folder, paths, options)
  const last = await lastCommit(repo)
  const latest = last && (await diffPack(repo, last, [], options.limits))
  if (!latest) throw nothing('Nothing was changed here, and the last commit changes nothing.')
  return latest
}
