// The pack of a change: the diff, then the changed files as they are afterwards, as far as they fit. Every
// piece is judged by its path and cleaned like any other text.

import { decode } from '../ledger/decode.ts'
import { withoutKnownSecrets } from '../ledger/secrets/remove.ts'
import { linesOf } from '../ledger/text/lines.ts'
import { filePart, PACK_LIMITS, type PackLimits } from './build-pack.ts'
import { type Content, readContents } from './changed-contents.ts'
import { type Changed, type Compared, changedIn } from './changed-files.ts'
import { allWithoutSecrets } from './clean.ts'
import { byPath, countsOf, type Exclusion, type Reason } from './exclusion.ts'
import type { Repository } from './git.ts'
import { outlineOf } from './outline.ts'
import { overviewText } from './overview.ts'
import {
  countTokens,
  type IndexEntry,
  type Manifest,
  type Pack,
  type PackPart,
  type RemovedSecret,
  sizeOf,
} from './pack.ts'
import { fileReason, hiddenByWitanignore, pathReason, shownPath } from './path-rules.ts'

// Pieces of a diff as they may be sent. A withheld piece keeps its heading: that a file was added or changed
// is useful to know, its content is not to be sent.

/** The heading of a piece, without any line of content. */
function headingOf(piece: string): string {
  const lines = piece.split('\n')
  const content = lines.findIndex((line) => /^(?:@@ |Binary files |GIT binary patch)/.test(line))
  const heading = lines.slice(0, content === -1 ? lines.length : content).filter((line) => line !== '')
  return `${heading.join('\n')}\n`
}

const isBinaryPiece = (piece: string): boolean => /^(?:Binary files .* differ|GIT binary patch)$/m.test(piece)

const name = (prefix: string, path: string) =>
  // Quoted as JSON, which every reader of headings understands.
  /["\\\s]|[^ -~]/.test(path) ? JSON.stringify(`${prefix}/${path}`) : `${prefix}/${path}`

/** The heading of a file that is not tracked yet. */
const newHeading = (path: string): string =>
  `diff --git ${name('a', path)} ${name('b', path)}\nnew file mode 100644\n`

/** A file that is not tracked yet, as the diff that would add it. */
function newPiece(path: string, text: string): string {
  if (text === '') return newHeading(path)
  const lines = text.split('\n')
  const ends = lines.at(-1) === ''
  if (ends) lines.pop()
  const body = lines.map((line) => `+${line}`).join('\n')
  return (
    `${newHeading(path)}--- /dev/null\n+++ ${name('b', path)}\n@@ -0,0 +1,${lines.length} @@\n${body}\n` +
    (ends ? '' : '\\ No newline at end of file\n')
  )
}

const MAX_CHANGED = 2_000
const PIECE_BYTES = 100_000
/** The share of the diff in the pack; the files around it get the rest. */
const DIFF_SHARE = 0.6
const CONDENSED_BYTES = 120_000

interface Piece {
  readonly path: string
  readonly change: Changed
  readonly text: string
  readonly heading: string
  readonly reason: Reason | null
  /** The file afterwards; null when there is none to show. */
  readonly after: string | null
  readonly bytes: number
  readonly removed: readonly RemovedSecret[]
}

function reasonOf({ path, before }: Changed): Reason | null {
  const own = pathReason(path)
  return own ?? (before !== null && fileReason(before) === 'secret-path' ? 'secret-path' : null)
}

/** A piece as git gave it: only its heading is clean yet. */
async function rawPiece(
  change: Changed,
  contentOf: (change: Changed) => Promise<Content>,
  hidden: boolean,
): Promise<Piece> {
  const shown = shownPath(change.path)
  const raw = change.patch === null ? '' : (decode(change.patch)?.text ?? '')
  const heading = withoutKnownSecrets(
    change.patch === null ? newHeading(shown.path) : headingOf(raw),
    shown.path,
  )
  const base = {
    path: shown.path,
    change,
    heading: heading.text,
    text: '',
    after: null,
    bytes: 0,
    removed: [],
  }
  const early = shown.hadSecret || heading.removed.length > 0 ? 'secret-path' : reasonOf(change)
  if (hidden || early !== null) return { ...base, reason: early ?? 'ignored' }
  if (isBinaryPiece(raw)) return { ...base, reason: 'binary' }
  if (raw.length > PIECE_BYTES) return { ...base, reason: 'too-large' }
  const content = await contentOf(change)
  const known = 'text' in content
  if (!known && (change.patch === null || content.reason === 'binary'))
    return { ...base, reason: content.reason }
  const after = known && change.status !== 'deleted' ? content.text : null
  return { ...base, reason: null, text: raw, after, bytes: known ? content.bytes : 0 }
}

/** The same pieces, cleaned. */
async function cleanPieces(pieces: readonly Piece[]): Promise<Piece[]> {
  const texts = pieces.flatMap(({ text, after, path }) => [
    { text, path },
    { text: after ?? '', path },
  ])
  const cleaned = await allWithoutSecrets(texts)
  return pieces.map((piece, i) => {
    const [patch, after] = [cleaned[2 * i], cleaned[2 * i + 1]]
    if (piece.reason !== null || !patch || !after) return { ...piece, text: piece.heading }
    const fresh = piece.change.patch === null
    const text = fresh ? newPiece(piece.path, after.text) : patch.text
    const removals = after.removed.length > 0 ? after.removed : patch.removed
    return {
      ...piece,
      text,
      reason: text.length > PIECE_BYTES ? 'too-large' : null,
      after: piece.after === null ? null : after.text,
      removed: removals.map((each) => ({ path: piece.path, ...each })),
    }
  })
}

const LAST =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]+\.lock|pnpm-lock\.yaml|go\.sum)$|\.snap$/

/** Which pieces fit into this many bytes: lock files last, else in order. */
function fitting(pieces: readonly Piece[], room: number): ReadonlySet<Piece> {
  let remaining = room
  const ranked = [...pieces].sort((a, b) => Number(LAST.test(a.path)) - Number(LAST.test(b.path)))
  const chosen = ranked.filter((piece) => {
    const size = sizeOf([piece])
    if (piece.reason !== null || size > remaining) return false
    remaining -= size
    return true
  })
  return new Set(chosen)
}

function diffPart(pieces: readonly Piece[], whole: ReadonlySet<Piece>, room: number): PackPart {
  let remaining = room
  const texts = pieces.flatMap((piece) => {
    const text = whole.has(piece) ? piece.text : piece.heading
    remaining -= text.length
    return remaining < 0 && !whole.has(piece) ? [] : [text]
  })
  const text = texts.join('')
  return {
    name: 'diff',
    path: null,
    text,
    lines: linesOf(text).length,
    truncated: whole.size < pieces.length,
  }
}

const lineCount = (piece: Piece): number => (piece.after === null ? 0 : linesOf(piece.after).length)

function manifestOf(
  why: string | null,
  index: readonly IndexEntry[],
  excluded: readonly Exclusion[],
  removed: number,
): Manifest {
  const sum = (of: (entry: IndexEntry) => number) => index.reduce((total, entry) => total + of(entry), 0)
  return {
    version: 1,
    kind: why === null ? 'full' : 'summary',
    why,
    files: index.length,
    bytes: sum(({ bytes }) => bytes),
    lines: sum(({ lines }) => lines),
    endings: {},
    excluded: countsOf(excluded),
    secretsRemoved: removed,
  }
}

/** Null when nothing differs. */
export async function diffPack(
  repo: Repository,
  compared: Compared,
  paths: readonly string[],
  limits: Partial<PackLimits> = {},
): Promise<Pack | null> {
  const changed = await changedIn(repo, compared, paths)
  if (changed.length === 0) return null
  const isWithheld = hiddenByWitanignore(repo.top)
  const looked = changed.slice(0, MAX_CHANGED)
  const contentOf = await readContents(repo, compared.to, looked)
  const raw: Piece[] = []
  for (const change of looked) raw.push(await rawPiece(change, contentOf, await isWithheld(change.path)))
  const pieces = await cleanPieces(raw.sort(byPath))
  const { bytes, overview: most } = { ...PACK_LIMITS, ...limits }
  const limit = Math.max(bytes, 4_000)
  const whole = fitting(pieces, limit * DIFF_SHARE)
  const excluded: Exclusion[] = pieces.flatMap((piece) =>
    whole.has(piece) ? [] : [{ path: piece.path, reason: piece.reason ?? ('over-limit' as const) }],
  )
  const omitted = changed.length - pieces.length
  if (omitted > 0) excluded.push({ path: './', reason: 'over-limit', detail: `${omitted} changed files` })
  const diff = diffPart(pieces, whole, limit * DIFF_SHARE)
  const files: PackPart[] = []
  let room = limit - sizeOf([diff]) - limit * 0.2
  for (const piece of [...whole].sort((a, b) => a.bytes - b.bytes || byPath(a, b))) {
    // Added content is in the diff already.
    if (piece.after === null || piece.after === '' || piece.change.status === 'added') continue
    const part = filePart(piece.path, piece.after, lineCount(piece))
    room -= sizeOf([part])
    if (room < 0) break
    files.push(part)
  }
  const removed = pieces.flatMap((piece) => piece.removed)
  const index = pieces.map(
    (piece): IndexEntry => ({
      path: piece.path,
      bytes: piece.bytes,
      lines: lineCount(piece),
      key: null,
      shown: whole.has(piece) ? 'whole' : 'listed',
    }),
  )
  const why = excluded.some(({ reason }) => reason === 'over-limit')
    ? 'the change is too large to show whole'
    : null
  const manifest = manifestOf(why, index, excluded, removed.length)
  const account = { manifest, index, excluded, removed, diff: compared.words }
  const overview = (more: object): PackPart => {
    const text = overviewText({ ...account, ...more }, Math.min(limit * 0.15, most))
    return { name: 'context', path: null, text, lines: linesOf(text).length, truncated: false }
  }
  const outlines = [...whole].flatMap(({ path, after }) =>
    after ? [{ path, outline: outlineOf(after) }] : [],
  )
  const short = fitting(pieces, Math.min(CONDENSED_BYTES, limit * DIFF_SHARE))
  const parts = [overview({}), diff, ...files.sort((a, b) => byPath({ path: a.name }, { path: b.name }))]
  return {
    kind: manifest.kind,
    manifest,
    index,
    parts,
    condensed: [overview({ outlines: outlines.slice(0, 25) }), diffPart(pieces, short, CONDENSED_BYTES)],
    excluded,
    removed,
    reviewed: index
      .filter(({ shown }) => shown === 'whole')
      .map(({ path, lines, bytes }) => ({ path, lines, bytes })),
    diff: compared.words,
    bytes: sizeOf(parts),
    tokens: await countTokens(parts),
  }
}
