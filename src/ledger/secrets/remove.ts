// Takes secrets out of text and leaves a visible marker where each stood. Lines stay where they were, so that a place
// in the cleaned text is the same place in the file; the values are gone for good.

import { BEGIN, inLine, keyHeading } from './find.ts'
import { FILLED_IN, STAND_IN } from './placeholder.ts'

/** Where a secret was taken out, and of what kind. */
export interface Removal {
  readonly rule: string
  readonly line: number
  /** It had the form of a secret and was probably made up; it is taken out all the same. */
  readonly madeUp: boolean
}

/** A text without its secrets, and what was taken out. */
export interface Cleaned {
  readonly text: string
  readonly removed: readonly Removal[]
}

/** Text without its secrets; the path, where there is one, says what kind of file it is. */
export type Cleaner = (text: string, path?: string) => Promise<Cleaned>

/** Where a secret stands, in code units of the whole text. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly rule: string
  readonly madeUp: boolean
}

const markerOf = (rule: string, madeUp = false): string =>
  `[secret removed: ${rule}${madeUp ? ', looks made up' : ''}]`

/** The rule a marker names; group 2 says whether the value looked made up. */
export const MARKER = /\[secret removed: ([A-Za-z0-9-]{1,60})(, looks made up)?\]/g

interface Line {
  readonly text: string
  readonly start: number
}

function linesWithPlaces(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line) => {
    const place = { text: line.endsWith('\r') ? line.slice(0, -1) : line, start }
    start += line.length + 1
    return place
  })
}

/** The mark of a diff, indentation and an opening quote stay; what follows may be key. */
const PREFIX = /^[+-]?[\s"'`]{0,60}/
const KEY_LINE =
  /^[A-Za-z0-9+/=\\]{0,120}["'`]?,?\\?\s*[+]?\s*$|^(?:Proc-Type|DEK-Info|Version|Comment|Hash):/
const END = /-----END [A-Z0-9 ]{0,60}-----/
const MAX_KEY_LINES = 2_000

const bodyOf = ({ text }: Line): string => text.replace(PREFIX, '')

/** From the heading to the end of the key, or as far as the lines look like one. */
function keyBlock(lines: readonly Line[], i: number): { readonly mark: Mark; readonly last: number } | null {
  const first = lines[i]
  const found = first && keyHeading(lines, i)
  if (!first || !found) return null
  const mark = (last: Line, end: number): Mark => ({
    start: first.start + found.start,
    end: last.start + end,
    rule: found.rule,
    madeUp: false,
  })
  const heading = BEGIN.exec(first.text.slice(found.start))?.[0] ?? ''
  const rest = first.text.slice(found.start + heading.length)
  const close = END.exec(rest)
  if (close) {
    return { last: i, mark: mark(first, found.start + heading.length + close.index + close[0].length) }
  }
  let last = i
  for (const [n, line] of lines.slice(i + 1, i + MAX_KEY_LINES).entries()) {
    const closed = END.exec(line.text)
    if (closed) return { last: i + 1 + n, mark: mark(line, closed.index + closed[0].length) }
    if (!KEY_LINE.test(bodyOf(line).slice(0, 400))) break
    last = i + 1 + n
  }
  const line = lines[last] ?? first
  return { last, mark: mark(line, line.text.length) }
}

const BLOB = /^[A-Za-z0-9+/]{64}$|^[A-Za-z0-9+/]{76}$/
const BLOB_LINES = 4

/** A key whose heading is out of sight, as in the middle of a diff: lines of key width, one after another. */
function* headless(lines: readonly Line[]): Generator<Mark> {
  let from = -1
  const isPublic = (i: number) => /-----BEGIN (?!.{0,60}PRIVATE)/.test(lines[i]?.text.slice(0, 200) ?? '')
  for (let i = 0; i <= lines.length; i++) {
    const line = lines[i]
    if (line && line.text.length < 200 && BLOB.test(bodyOf(line).replace(/["'`],?$/, ''))) {
      if (from === -1) from = i
      continue
    }
    const [first, last] = [lines[from], lines[i - 1]]
    if (first && last && i - from >= BLOB_LINES && !isPublic(from - 1)) {
      const start = first.start + first.text.length - bodyOf(first).length
      yield { start, end: last.start + last.text.length, rule: 'key-material', madeUp: false }
    }
    from = -1
  }
}

/** A program names its secrets in quotes; anywhere else a bare assignment may be one. */
const PROGRAM =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|rb|go|rs|java|kts?|scala|groovy|cs|fs|vb|cc?|h|cpp|cxx|hpp|hh|mm?|php|swift|dart|css|scss|html?)$/i

/** Every secret of the text by our own rules; what is filled in from elsewhere is code and stays. */
export function marksIn(text: string, path?: string): Mark[] {
  const bare = path === undefined || !PROGRAM.test(path)
  const lines = linesWithPlaces(text)
  const marks: Mark[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]
    if (!line) break
    const block = keyBlock(lines, i)
    if (block) {
      marks.push(block.mark)
      i = block.last
      continue
    }
    for (const { rule, start, end, excuse } of inLine(line.text, bare)) {
      if (excuse === FILLED_IN || excuse === STAND_IN) continue
      marks.push({ rule, start: line.start + start, end: line.start + end, madeUp: excuse !== null })
    }
  }
  return [...marks, ...headless(lines)]
}

/** Marks in order, those that overlap made one; of two that begin together the first given names it. */
function merged(marks: readonly Mark[], length: number): Mark[] {
  const out: Mark[] = []
  const inside = marks.filter(({ start, end }) => start >= 0 && start < end && end <= length)
  for (const mark of inside.sort((a, b) => a.start - b.start)) {
    const before = out.at(-1)
    if (before === undefined || mark.start >= before.end) out.push(mark)
    else {
      out[out.length - 1] = {
        ...before,
        end: Math.max(before.end, mark.end),
        madeUp: before.madeUp && mark.madeUp,
      }
    }
  }
  return out
}

/** The text with each mark replaced, line by line: a key of thirty lines leaves thirty lines. */
export function removeMarks(text: string, marks: readonly Mark[]): Cleaned {
  const removed: Removal[] = []
  let out = ''
  let at = 0
  let line = 1
  for (const { start, end, rule, madeUp } of merged(marks, text.length)) {
    const before = text.slice(at, start)
    line += before.split('\n').length - 1
    removed.push({ rule, line, madeUp })
    const lines = text.slice(start, end).split('\n')
    const marker = markerOf(rule, madeUp)
    const blank = (each: string, i: number) => {
      const ending = each.endsWith('\r') && i < lines.length - 1 ? '\r' : ''
      return i === 0 ? marker + ending : (/^(?:[+-](?!----))?[ \t]*/.exec(each)?.[0] ?? '') + marker + ending
    }
    out += before + lines.map(blank).join('\n')
    line += lines.length - 1
    at = end
  }
  return { text: out + text.slice(at), removed }
}

/** Our own rules alone: at once, and without any library. */
export const withoutKnownSecrets = (text: string, path?: string): Cleaned =>
  removeMarks(text, marksIn(text, path))
