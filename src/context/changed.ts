// What changed between two states of a repository: each file with its own piece of the diff, as git prints it. Pieces
// are matched to files by the exact heading git writes for them, so no content can pose as a file of its own.

import { WitanError } from '../ledger/errors.ts'
import type { Repository } from './git.ts'
import type { Compared } from './range.ts'

export interface Changed {
  readonly path: string
  /** What it was called before; null when it had no other name. */
  readonly before: string | null
  readonly status: 'added' | 'modified' | 'deleted'
  /** The blob after the change; null when it stands in the working folder only, or nowhere. */
  readonly blob: string | null
  /** Null for a file that is not yet tracked. */
  readonly patch: Buffer | null
}

const DIFF = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--find-renames',
  '--full-index',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--diff-algorithm=histogram',
  '--indent-heuristic',
  '--inter-hunk-context=0',
]

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}

/** A name as git writes it in a heading; one character of the text is one byte. */
function quotedName(bytes: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what git quotes.
  const unusual = /["\\\x00-\x1f\x7f-\xff]/g
  const octal = (char: string) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`
  const named: Record<string, string> = { ...ESCAPES, '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\v': '\\v' }
  const quoted = bytes.replace(unusual, (char) => named[char] ?? octal(char))
  return quoted === bytes ? bytes : `"${quoted}"`
}

const utf8Of = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

interface Entry {
  readonly status: string
  readonly mode: string
  readonly blob: string
  readonly old: string
  readonly now: string
}

/** The records of `--raw -z`; a rename has two names. */
function entriesIn(out: Buffer): Entry[] {
  const fields = out.toString('latin1').split('\0')
  const entries: Entry[] = []
  for (let i = 0; i + 1 < fields.length; ) {
    const [, mode = '', , blob = '', status = ''] = (fields[i] ?? '').split(' ')
    const two = /^[RC]/.test(status)
    const old = fields[i + 1] ?? ''
    entries.push({ status: status.slice(0, 1), mode, blob, old, now: two ? (fields[i + 2] ?? '') : old })
    i += two ? 3 : 2
  }
  return entries
}

function piecesIn(out: Buffer): Map<string, string> {
  const pieces = new Map<string, string>()
  for (const piece of out.toString('latin1').split(/^(?=diff --git )/m)) {
    if (!piece.startsWith('diff --git ')) continue
    const heading = piece.slice(0, piece.indexOf('\n'))
    pieces.set(heading, (pieces.get(heading) ?? '') + piece)
  }
  return pieces
}

const STATUS: Readonly<Record<string, Changed['status']>> = { A: 'added', D: 'deleted' }
const NO_BLOB = /^0+$/

async function printed(repo: Repository, args: readonly string[]): Promise<Buffer> {
  const { code, out, said } = await repo.git(args)
  if (code === 0) return out
  throw new WitanError('RANGE_INVALID', `git could not compare: ${said}`, 'Check the range and the paths.')
}

async function untracked(repo: Repository, paths: readonly string[]): Promise<Changed[]> {
  const out = await printed(repo, ['ls-files', '--others', '--exclude-standard', '-z', '--', ...paths])
  const names = out
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '')
  return names.map((path) => ({ path, before: null, status: 'added', blob: null, patch: null }))
}

/** `paths` are relative to the top. */
export async function changedIn(
  repo: Repository,
  { from, to }: Compared,
  paths: readonly string[],
): Promise<readonly Changed[]> {
  const what = [from, ...(to === null ? [] : [to]), '--', ...paths]
  const entries = entriesIn(await printed(repo, [...DIFF, '--raw', '--no-abbrev', '-z', ...what]))
  const pieces = piecesIn(await printed(repo, [...DIFF, '--patch', '--unified=8', ...what]))
  const tracked = entries.map(({ status, mode, blob, old, now }): Changed => {
    const piece = pieces.get(`diff --git ${quotedName(`a/${old}`)} ${quotedName(`b/${now}`)}`)
    return {
      path: utf8Of(now),
      before: old === now ? null : utf8Of(old),
      status: STATUS[status] ?? 'modified',
      // A link or a submodule has no text to show.
      blob: NO_BLOB.test(blob) || !mode.startsWith('100') ? null : blob,
      patch: Buffer.from(piece ?? '', 'latin1'),
    }
  })
  const seen = new Set<string>()
  const all = [...tracked, ...(to === null ? await untracked(repo, paths) : [])]
  return all.filter(({ path }) => !seen.has(path) && seen.add(path))
}
