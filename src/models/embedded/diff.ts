// Reads a unified diff without trusting it: a hunk takes only as many lines as its header announces, so text
// inside a hunk can never pose as a new file, and anything that is not a diff is ignored. It never throws.

import { linesOf } from '../../ledger/text/lines.ts'
import { pathIn, pathsInHeader } from './diff-paths.ts'

type LineKind = 'added' | 'removed' | 'same'

export interface DiffLine {
  readonly kind: LineKind
  readonly text: string
  /** Line numbers in the old and the new file; null where the line does not exist. */
  readonly before: number | null
  readonly after: number | null
}

export interface DiffFile {
  readonly path: string
  /** Its earlier name; null when it had none. */
  readonly from: string | null
  readonly status: 'added' | 'modified' | 'deleted'
  readonly binary: boolean
  readonly hunks: readonly (readonly DiffLine[])[]
}

interface Draft {
  old: string | null | undefined
  now: string | null | undefined
  status: DiffFile['status'] | null
  binary: boolean
  hunks: DiffLine[][]
}

const draft = (): Draft => ({ old: undefined, now: undefined, status: null, binary: false, hunks: [] })

function finished(file: Draft): DiffFile | null {
  const path = file.now ?? file.old
  if (path === undefined || path === null || path === '') return null
  const gone = file.now === null
  const fresh = file.old === null
  const status = file.status ?? (gone ? 'deleted' : fresh ? 'added' : 'modified')
  const from = file.old && file.now && file.old !== file.now ? file.old : null
  return { path, from, status, binary: file.binary, hunks: file.hunks }
}

/** In a combined diff (`@@@`, a merge) each line has one column for each parent. */
const HUNK = /^(@{2,9}) ((?:-\d{1,9}(?:,\d{1,9})? ){1,8})\+(\d{1,9})(?:,(\d{1,9}))? \1/

interface Hunk {
  readonly columns: number
  before: number
  after: number
  left: number
  right: number
  readonly lines: DiffLine[]
}

function openHunk(text: string): Hunk | null {
  const match = HUNK.exec(text)
  if (!match) return null
  const columns = (match[1]?.length ?? 2) - 1
  const olds = (match[2] ?? '').trim().split(' ')
  const [start = '1', count = '1'] = (olds[0] ?? '').slice(1).split(',')
  return {
    columns,
    before: Number(start),
    after: Number(match[3]),
    // With several parents the old side has no single count; only the new side says where the hunk ends.
    left: columns === 1 ? Number(count) : 0,
    right: Number(match[4] ?? '1'),
    lines: [],
  }
}

/** True when the line belonged to the hunk. */
function take(hunk: Hunk, text: string): boolean {
  if (text.startsWith('\\')) return true
  const marks = text.slice(0, hunk.columns)
  if (!/^[ +-]*$/.test(marks)) return false
  const removed = marks.includes('-')
  const added = !removed && marks.includes('+')
  if (removed && hunk.columns === 1 && hunk.left === 0) return false
  if (!removed && hunk.right === 0) return false
  if (!removed && !added && hunk.columns === 1 && hunk.left === 0) return false
  const kind: LineKind = removed ? 'removed' : added ? 'added' : 'same'
  hunk.lines.push({
    kind,
    text: text.slice(hunk.columns),
    before: added ? null : hunk.before,
    after: removed ? null : hunk.after,
  })
  if (!added) {
    hunk.before++
    hunk.left--
  }
  if (!removed) {
    hunk.after++
    hunk.right--
  }
  return true
}

/** The lines between `diff` and the first hunk. */
function header(file: Draft, text: string): void {
  if (text.startsWith('--- ')) file.old = pathIn(text.slice(4), true)
  else if (text.startsWith('+++ ')) file.now = pathIn(text.slice(4), true)
  else if (text.startsWith('rename from ')) file.old = pathIn(text.slice(12), false)
  else if (text.startsWith('rename to ')) file.now = pathIn(text.slice(10), false)
  else if (text.startsWith('new file mode')) file.status = 'added'
  else if (text.startsWith('deleted file mode')) file.status = 'deleted'
  else if (text.startsWith('Binary files ') || text === 'GIT binary patch') file.binary = true
}

function startsFile(file: Draft | null, text: string, next: string | undefined): Draft | null {
  if (text.startsWith('diff ')) {
    const opened = draft()
    const names = text.startsWith('diff --git ') ? pathsInHeader(text.slice(11)) : null
    if (names) [opened.old, opened.now] = names
    const combined = /^diff --(?:cc|combined) (.{1,4096})$/.exec(text)?.[1]
    if (combined) opened.old = opened.now = pathIn(combined, false)
    return opened
  }
  const bare = text.startsWith('--- ') && next?.startsWith('+++ ') === true
  return bare && (file === null || file.hunks.length > 0) ? draft() : null
}

export function parseDiff(text: string): DiffFile[] {
  const files: DiffFile[] = []
  let file: Draft | null = null
  let hunk: Hunk | null = null
  const close = () => {
    const done = file && finished(file)
    if (done) files.push(done)
  }
  const lines = linesOf(text)
  lines.forEach((line, i) => {
    const open = hunk !== null && (hunk.left > 0 || hunk.right > 0 || line.startsWith('\\'))
    // Mail and editors strip the single space of an empty unchanged line.
    if (open && hunk && take(hunk, line === '' ? ' '.repeat(hunk.columns) : line)) return
    hunk = null
    const started = startsFile(file, line, lines[i + 1])
    if (started) {
      close()
      file = started
    }
    const opened = file && openHunk(line)
    if (file && opened) {
      hunk = opened
      file.hunks.push(opened.lines)
    } else if (file && file.hunks.length === 0) header(file, line)
  })
  close()
  return files
}
