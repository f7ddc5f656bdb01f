// The subject as checks read it: each examined file with the lines that count as its author's, numbered as in
// the new file. A file that is shown as it is counts completely; of a change only added lines count. A line
// that the change merely moves is not new. Lines are cut and totals limited, so that no input can cost more
// than linear time.

import { linesOf } from '../../ledger/text/lines.ts'
import { type DiffFile, type DiffLine, parseDiff } from './diff.ts'
import type { Subject, SubjectFile } from './terms.ts'

/** Longest part of a line that rules read; secrets are searched in the rest as well. */
export const MAX_LINE = 2_000
const MAX_DIFF = 16_000_000
const MAX_EXAMINED = 8_000_000

export interface AddedLine {
  readonly number: number
  readonly text: string
  /** False when an equal line was removed elsewhere: moved, not new. */
  readonly fresh: boolean
}

export interface ChangedFile {
  readonly path: string
  readonly from: string | null
  /** `present`: shown as it stands, with no change known. */
  readonly status: 'added' | 'modified' | 'deleted' | 'present'
  readonly binary: boolean
  readonly added: readonly AddedLine[]
  readonly removed: readonly string[]
  /** Runs of neighbouring lines before and after, where known. */
  readonly views: {
    readonly before: readonly (readonly string[])[]
    readonly after: readonly (readonly string[])[]
  }
  /** The whole file as it is, when it was given. */
  readonly text: string | null
}

export interface Change {
  readonly files: readonly ChangedFile[]
  /** Paths given beside the change, that are read but not examined. */
  readonly surroundings: ReadonlySet<string>
  /** What the limits excluded from examination, as text. */
  readonly unseen: readonly string[]
}

type Draft = Omit<ChangedFile, 'added'> & { readonly added: readonly Omit<AddedLine, 'fresh'>[] }

const numbered = (lines: readonly string[]) => lines.map((text, i) => ({ number: i + 1, text }))

function count(lines: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

/** Takes one of a multiset; false when none is left. */
function spend(counts: Map<string, number>, key: string): boolean {
  const remaining = counts.get(key) ?? 0
  if (remaining > 0) counts.set(key, remaining - 1)
  return remaining > 0
}

/** A line that was anywhere before is not added: linear, and deliberately blind to moves. */
function compared(file: SubjectFile, before: string, text: string): Draft {
  const [old, now] = [linesOf(before), linesOf(text)]
  const oldCounts = count(old)
  const added = numbered(now).filter((line) => !spend(oldCounts, line.text))
  const newCounts = count(now)
  const removed = old.filter((line) => !spend(newCounts, line))
  const status = file.status ?? 'modified'
  return {
    path: file.path,
    from: null,
    status,
    binary: false,
    added,
    removed,
    views: { before: [old], after: [now] },
    text,
  }
}

function alone(file: SubjectFile): Draft {
  const { path, text } = file
  const status = file.status ?? 'present'
  if (status === 'deleted') {
    const removed = linesOf(file.before ?? text ?? '')
    const views = { before: [removed], after: [] }
    return {
      path,
      from: null,
      status,
      binary: text === null && file.before === undefined,
      added: [],
      removed,
      views,
      text: null,
    }
  }
  if (text !== null && file.before !== undefined) return compared(file, file.before, text)
  const lines = linesOf(text ?? '')
  const views = { before: [], after: [lines] }
  return { path, from: null, status, binary: text === null, added: numbered(lines), removed: [], views, text }
}

const side = (file: DiffFile, gone: DiffLine['kind']) =>
  file.hunks.map((hunk) => hunk.filter(({ kind }) => kind !== gone).map(({ text }) => text))

function patched(file: DiffFile, text: string | null): Draft {
  const lines = file.hunks.flat()
  return {
    path: file.path,
    from: file.from,
    status: file.status,
    binary: file.binary,
    added: lines.flatMap(({ after, kind, text }) =>
      kind === 'added' && after !== null ? [{ number: after, text }] : [],
    ),
    removed: lines.flatMap(({ kind, text }) => (kind === 'removed' ? [text] : [])),
    views: { before: side(file, 'added'), after: side(file, 'removed') },
    text,
  }
}

/** A hostile diff may name a file twice; its parts are combined. */
function merged(files: readonly DiffFile[]): DiffFile[] {
  const byPath = new Map<string, DiffFile>()
  for (const file of files) {
    const known = byPath.get(file.path)
    byPath.set(file.path, known ? { ...known, hunks: [...known.hunks, ...file.hunks] } : file)
  }
  return [...byPath.values()]
}

function drafts(subject: Subject): Draft[] {
  const diffed = merged(parseDiff((subject.diff ?? '').slice(0, MAX_DIFF)))
  const filesByPath = new Map(subject.files.map((file) => [file.path, file]))
  const named = new Set(diffed.map(({ path }) => path))
  const others = [...filesByPath.values()].filter(({ path }) => !named.has(path))
  const isChanged = ({ status, before }: SubjectFile) => status !== undefined || before !== undefined
  const anyChange = diffed.length > 0 || others.some(isChanged)
  return [
    ...diffed.map((file) =>
      patched(file, file.status === 'deleted' ? null : (filesByPath.get(file.path)?.text ?? null)),
    ),
    ...others.filter((file) => !anyChange || isChanged(file)).map(alone),
  ]
}

/** Keeps to the limit of characters, in order; null when nothing of the file is left out. */
function bounded(file: Draft, budget: { left: number }): { file: Draft; cut: boolean } {
  const added = file.added.filter(({ text }) => {
    budget.left -= text.length + 1
    return budget.left >= 0
  })
  return { file: { ...file, added }, cut: added.length < file.added.length }
}

export function changeOf(subject: Subject): Change {
  const all = drafts(subject).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const budget = { left: MAX_EXAMINED }
  const parts = all.map((file) => bounded(file, budget))
  const cut = parts.filter((part) => part.cut).length
  const moved = count(all.flatMap(({ removed }) => removed.map((line) => line.trim())))
  const files = parts.map(({ file }) => ({
    ...file,
    added: file.added.map((line) => ({ ...line, fresh: !spend(moved, line.text.trim()) })),
  }))
  const examined = new Set(files.map(({ path }) => path))
  const surroundings = new Set(subject.files.map(({ path }) => path).filter((path) => !examined.has(path)))
  const unseen = [
    ...((subject.diff?.length ?? 0) > MAX_DIFF
      ? ['The diff is longer than 16 million characters: the rest was not read.']
      : []),
    ...(cut > 0
      ? [`Over 8 million characters were added: ${cut} file(s) were examined in part or not at all.`]
      : []),
  ]
  return { files, surroundings, unseen }
}
