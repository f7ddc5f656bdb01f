// Takes secrets out of text and leaves a visible marker where each stood. Lines stay where they were, so that a place
// in the cleaned text is the same place in the file; the values are gone for good.

import { spansIn } from './find.ts'
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

/** A program names its secrets in quotes; anywhere else a bare assignment may be one. */
const PROGRAM =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|rb|go|rs|java|kts?|scala|groovy|cs|fs|vb|cc?|h|cpp|cxx|hpp|hh|mm?|php|swift|dart|css|scss|html?)$/i

/** Inside a string of JSON; zeros stand between letters of two bytes that were read as letters of one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: zeros are what is looked for.
const HIDING = /\x00|\\(?:u[0-9a-fA-F]{4}|[nrtbf"\\/])/g
const NAMED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function meant(written: string): string {
  const [, letter = ''] = written
  if (letter !== 'u') return NAMED[letter] ?? letter
  return String.fromCharCode(Number.parseInt(written.slice(2), 16)).replace('\0', '')
}

/** The text without zeros and with what its escapes mean, and where each of its characters stood. */
function unescaped(text: string): { readonly text: string; readonly places: Uint32Array } | null {
  if (text.search(HIDING) === -1) return null
  const places = new Uint32Array(text.length + 1)
  const pieces: string[] = []
  let [from, size] = [0, 0]
  const take = (until: number): void => {
    pieces.push(text.slice(from, until))
    for (let at = from; at < until; at++) places[size++] = at
  }
  for (const { index, 0: sign } of text.matchAll(HIDING)) {
    take(index)
    const char = meant(sign)
    pieces.push(char)
    if (char !== '') places[size++] = index
    from = index + sign.length
  }
  take(text.length)
  places[size] = text.length
  return { text: pieces.join(''), places }
}

/** Every secret of the text by our own rules. What has no path may be JSON, and its strings are read as they are meant. */
export function marksIn(text: string, path?: string): Mark[] {
  const marks = plainMarks(text, path)
  const inner = path === undefined ? unescaped(text) : null
  if (inner === null) return marks
  const { places } = inner
  const hidden = plainMarks(inner.text).map((mark) => ({
    ...mark,
    start: places[mark.start] ?? 0,
    end: places[mark.end] ?? text.length,
  }))
  return [...marks, ...hidden]
}

/** What is filled in from elsewhere is code and stays. */
function plainMarks(text: string, path?: string): Mark[] {
  const program = path !== undefined && PROGRAM.test(path)
  return spansIn(text, { bare: !program, program }).flatMap(({ rule, start, end, excuse }) =>
    excuse === FILLED_IN || excuse === STAND_IN ? [] : [{ rule, start, end, madeUp: excuse !== null }],
  )
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

function lineEndsIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The text with each mark replaced, line by line: a key of thirty lines leaves thirty lines. */
export function removeMarks(text: string, marks: readonly Mark[]): Cleaned {
  const removed: Removal[] = []
  const out: string[] = []
  let at = 0
  let line = 1
  for (const { start, end, rule, madeUp } of merged(marks, text.length)) {
    line += lineEndsIn(text, at, start)
    removed.push({ rule, line, madeUp })
    const lines = text.slice(start, end).split('\n')
    const marker = markerOf(rule, madeUp)
    const blank = (each: string, i: number) => {
      const ending = each.endsWith('\r') && i < lines.length - 1 ? '\r' : ''
      return i === 0 ? marker + ending : (/^(?:[+-](?!----))?[ \t]*/.exec(each)?.[0] ?? '') + marker + ending
    }
    out.push(text.slice(at, start), lines.map(blank).join('\n'))
    line += lines.length - 1
    at = end
  }
  return { text: out.join('') + text.slice(at), removed }
}

/** Our own rules alone: at once, and without any library. */
export const withoutKnownSecrets = (text: string, path?: string): Cleaned =>
  removeMarks(text, marksIn(text, path))
