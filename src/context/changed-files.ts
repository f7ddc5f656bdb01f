// What changed between two states of a repository: each file with its own piece of the diff, as git prints
// it. Pieces are matched to files by the exact heading that git writes for them, so no content can pretend to
// be another file.

import { WitanError } from '../ledger/errors.ts'
import type { Repository } from './git.ts'

// Which two states of a repository are compared. A range is data: it is checked for form before git sees it, so that
// it can never be an option, and resolved to commit hashes before it is used.

export interface Compared {
  readonly from: string
  /** A commit; null for the working folder, including untracked files. */
  readonly to: string | null
  readonly words: string
}

/** One revision: a name, a hash, with ^, ~ and @{…}; it does not begin with a dash and contains no blank. */
const REVISION = /^(?!-)[A-Za-z0-9_./@{}^~+#-]{1,200}$/
const RANGE = /^(.*?)(\.{2,3})(.*)$/s

const invalid = (range: string, why: string): WitanError =>
  new WitanError(
    'RANGE_INVALID',
    `${JSON.stringify(range.slice(0, 120))} ${why}`,
    'Name commits or branches, for example main..HEAD, HEAD~3 or main...feature.',
  )

async function resolved(repo: Repository, name: string): Promise<string | null> {
  if (!REVISION.test(name) || name.includes('..')) return null
  const { code, out } = await repo.git([
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  ])
  const hash = out.toString('utf8').trim()
  return code === 0 && /^[0-9a-f]{40,64}$/.test(hash) ? hash : null
}

async function commit(repo: Repository, range: string, name: string): Promise<string> {
  const hash = await resolved(repo, name)
  if (hash === null) throw invalid(range, 'names no commit of this repository.')
  return hash
}

/** The empty tree, in the hash of this repository. */
async function emptyTree(repo: Repository): Promise<string> {
  const { out } = await repo.git(['hash-object', '-t', 'tree', '--stdin'])
  return out.toString('utf8').trim()
}

async function mergeBase(repo: Repository, a: string, b: string): Promise<string | null> {
  const { code, out } = await repo.git(['merge-base', a, b])
  return code === 0 ? (out.toString('utf8').trim().split('\n')[0] ?? null) : null
}

/** True when the text can only be a range or a commit of this repository. */
export async function isRange(repo: Repository, text: string): Promise<boolean> {
  const match = RANGE.exec(text)
  if (!match) return (await resolved(repo, text)) !== null
  const [, a = '', , b = ''] = match
  const known = await Promise.all([a || 'HEAD', b || 'HEAD'].map((name) => resolved(repo, name)))
  return (a !== '' || b !== '') && known.every((hash) => hash !== null)
}

/** `A..B`, `A...B`, or one commit, which is compared with its first parent. */
export async function comparedBy(repo: Repository, range: string): Promise<Compared> {
  const match = RANGE.exec(range)
  if (!match) {
    const to = await commit(repo, range, range)
    const from = (await resolved(repo, `${to}^`)) ?? (await emptyTree(repo))
    return { from, to, words: `commit ${range}` }
  }
  const [, a = '', dots = '..', b = ''] = match
  const [left, right] = [await commit(repo, range, a || 'HEAD'), await commit(repo, range, b || 'HEAD')]
  if (dots === '..') return { from: left, to: right, words: range }
  const base = await mergeBase(repo, left, right)
  if (base === null) throw invalid(range, 'names two histories that have nothing in common.')
  return { from: base, to: right, words: range }
}

/** The base of this branch: the branch that it follows, else the default branch. */
async function findBase(repo: Repository): Promise<{ readonly name: string; readonly hash: string } | null> {
  const text = async (...args: string[]) => {
    const { code, out } = await repo.git(args)
    return code === 0 ? out.toString('utf8').trim() : ''
  }
  const branch = await text('symbolic-ref', '--quiet', '--short', 'HEAD')
  const upstream = await text('rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}')
  const follows = upstream !== '' && branch !== '' && !upstream.endsWith(`/${branch}`) ? [upstream] : []
  const names = [
    ...follows,
    'origin/HEAD',
    'origin/main',
    'origin/master',
    'main',
    'master',
    'trunk',
    upstream,
  ]
  for (const name of names) {
    const hash = name === '' ? null : await resolved(repo, name)
    if (hash !== null) return { name, hash }
  }
  return null
}

/** From where this branch left its base to the working folder; null when nothing was committed yet. */
export async function comparedByDefault(repo: Repository): Promise<Compared> {
  const head = await resolved(repo, 'HEAD')
  if (head === null)
    return { from: await emptyTree(repo), to: null, words: 'everything, as nothing is committed yet' }
  const base = await findBase(repo)
  const from = base && (await mergeBase(repo, base.hash, head))
  if (!base || !from || from === head) {
    return { from: head, to: null, words: 'the working folder against the last commit' }
  }
  return { from, to: null, words: `the working folder against where it left ${base.name}` }
}

export async function lastCommit(repo: Repository): Promise<Compared | null> {
  const head = await resolved(repo, 'HEAD')
  if (head === null) return null
  const from = (await resolved(repo, `${head}^`)) ?? (await emptyTree(repo))
  return { from, to: head, words: 'the last commit, as nothing else is changed' }
}

export interface Changed {
  readonly path: string
  /** Its earlier name; null when it had none. */
  readonly before: string | null
  readonly status: 'added' | 'modified' | 'deleted'
  /** The blob after the change; null when it is in the working folder only, or nowhere. */
  readonly blob: string | null
  /** Null for an untracked file. */
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
  const { code, out, stderr } = await repo.git(args)
  if (code === 0) return out
  throw new WitanError('RANGE_INVALID', `git could not compare: ${stderr}`, 'Check the range and the paths.')
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
