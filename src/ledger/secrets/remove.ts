// Removes secrets from text and leaves a visible marker at the place of each. Lines keep their numbers, so
// that a place in the cleaned text is the same place in the file; the values cannot be recovered.

import { spansIn } from './find.ts'
import { FILLED_IN, STAND_IN } from './placeholder.ts'

/** Where a secret was removed, and of what kind. */
export interface Removal {
  readonly rule: string
  readonly line: number
  /** It had the form of a secret and was probably made up; it is removed all the same. */
  readonly madeUp: boolean
}

/** A text without its secrets, and what was removed. */
export interface Cleaned {
  readonly text: string
  readonly removed: readonly Removal[]
}

/** The place of a secret, in code units of the whole text. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly rule: string
  readonly madeUp: boolean
}

const markerOf = (rule: string, madeUp = false): string =>
  `[secret removed: ${rule}${madeUp ? ', looks made up' : ''}]`

/** The lines of a removed secret: a key of thirty lines leaves thirty lines. */
function blanked(secret: string, marker: string): string {
  if (!secret.includes('\n')) return marker
  const lines = secret.split('\n')
  const blank = (each: string, i: number) => {
    const ending = each.endsWith('\r') && i < lines.length - 1 ? '\r' : ''
    return i === 0 ? marker + ending : (/^(?:[+-](?!----))?[ \t]*/.exec(each)?.[0] ?? '') + marker + ending
  }
  return lines.map(blank).join('\n')
}

/** Only a few pieces are joined at a time, so that none of them lives long. */
const PIECES = 128

/** The rule a marker names; group 2 says whether the value looked made up. */
export const MARKER = /\[secret removed: ([A-Za-z0-9-]{1,60})(, looks made up)?\]/g

/** A program names its secrets in quotes; anywhere else a bare assignment may be one. */
const PROGRAM =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|rb|go|rs|java|kts?|scala|groovy|cs|fs|vb|cc?|h|cpp|cxx|hpp|hh|mm?|php|swift|dart|css|scss|html?)$/i

/** Inside a string of JSON; zeros are between letters of two bytes that were read as letters of one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: zeros are what is looked for.
const HIDING = /\x00|\\(?:u[0-9a-fA-F]{4}|[nrtbf"\\/])/g
const NAMED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function meant(written: string): string {
  const [, letter = ''] = written
  if (letter !== 'u') return NAMED[letter] ?? letter
  return String.fromCharCode(Number.parseInt(written.slice(2), 16)).replace('\0', '')
}

/** The text without zeros and with its escapes resolved, and the original place of each character. */
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

/** Where the text itself contains secrets. What is inserted from elsewhere is code and stays. */
function* plainMarks(text: string, path?: string): Generator<Mark> {
  const program = path !== undefined && PROGRAM.test(path)
  for (const { rule, start, end, excuse } of spansIn(text, { bare: !program, program })) {
    if (excuse !== FILLED_IN && excuse !== STAND_IN) yield { rule, start, end, madeUp: excuse !== null }
  }
}

function* escapedMarks(text: string): Generator<Mark> {
  const inner = unescaped(text)
  if (inner === null) return
  const { places } = inner
  for (const mark of plainMarks(inner.text)) {
    yield { ...mark, start: places[mark.start] ?? 0, end: places[mark.end] ?? text.length }
  }
}

/** Marks of several sorted sources, sorted; of two that begin together that of the first source is first. */
export function* inOrder(...sources: readonly Iterable<Mark>[]): Generator<Mark> {
  const heads = sources.map((source) => {
    const rest = source[Symbol.iterator]()
    return { rest, next: rest.next() }
  })
  for (;;) {
    let first: (typeof heads)[number] | null = null
    for (const head of heads) {
      if (head.next.done) continue
      if (first === null || head.next.value.start < first.next.value.start) first = head
    }
    if (first === null) return
    yield first.next.value
    first.next = first.rest.next()
  }
}

/**
 * Every secret of the text by our own rules, in order. Text without a path may be JSON, and its strings are read unescaped.
 */
export const marksIn = (text: string, path?: string): Generator<Mark> =>
  inOrder(plainMarks(text, path), path === undefined ? escapedMarks(text) : [])

/** Marks in order, those that overlap made one; of two that begin together the first given names it. */
function* merged(marks: Iterable<Mark>, length: number): Generator<Mark> {
  let before: Mark | null = null
  for (const mark of marks) {
    if (mark.start < 0 || mark.start >= mark.end || mark.end > length) continue
    if (before !== null && mark.start < before.end) {
      const { rule, start, end, madeUp }: Mark = before
      before = { rule, start, end: Math.max(end, mark.end), madeUp: madeUp && mark.madeUp }
      continue
    }
    if (before !== null) yield before
    before = mark
  }
  if (before !== null) yield before
}

function lineEndsIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The text with each mark replaced, line by line. The marks are in order of where they begin. */
export function removeMarks(text: string, marks: Iterable<Mark>): Cleaned {
  const removed: Removal[] = []
  const done: string[] = []
  let out: string[] = []
  let at = 0
  let line = 1
  for (const { start, end, rule, madeUp } of merged(marks, text.length)) {
    line += lineEndsIn(text, at, start)
    removed.push({ rule, line, madeUp })
    out.push(text.slice(at, start), blanked(text.slice(start, end), markerOf(rule, madeUp)))
    line += lineEndsIn(text, start, end)
    at = end
    if (out.length < PIECES) continue
    done.push(out.join(''))
    out = []
  }
  return { text: [...done, ...out, text.slice(at)].join(''), removed }
}

/** Our own rules alone: at once, and without any library. */
export const withoutKnownSecrets = (text: string, path?: string): Cleaned =>
  removeMarks(text, marksIn(text, path))
