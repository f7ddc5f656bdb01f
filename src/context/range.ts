// Which two states of a repository are compared. A range is data: it is checked for form before git sees it, so that
// it can never be an option, and resolved to commit hashes before it is used.

import { WitanError } from '../ledger/errors.ts'
import type { Repository } from './git.ts'

export interface Compared {
  /** A commit or tree. */
  readonly from: string
  /** A commit; null for the working folder as it stands, with what is not yet tracked. */
  readonly to: string | null
  readonly words: string
}

/** One revision: a name, a hash, with ^, ~ and @{…}; it neither begins with a dash nor holds a blank. */
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

/** The tree that holds nothing, in the hash of this repository. */
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

/** What this branch is measured against: another branch it follows, else the default branch. */
async function baseOf(repo: Repository): Promise<{ readonly name: string; readonly hash: string } | null> {
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
  const base = await baseOf(repo)
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
