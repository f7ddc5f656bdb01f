// How recorded text is searched: what a word is, what a query means, and the passage shown for a match.
// Stores index only the words from `wordsIn`, so that every store finds the same. Case and accents do not
// matter; scripts written without blanks are searched letter by letter.

import type { Json } from '../canonical.ts'

/** Adjacent words in this order; the last one may continue when `isPrefix`. */
export interface SearchTerm {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** All of the terms must be in one event. */
export type SearchQuery = readonly SearchTerm[]

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, 'gu')
const WORD = /[\p{L}\p{N}]+/gu
const ASCII_WORD = /[a-z0-9]+/g
const NOT_ASCII = /[^\0-\x7f]/
/** Hashes, keys and encoded bytes are searched separately, and would only fill an index. */
const LONGEST_WORD = 60

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(UNSPACED_LETTER, ' $& ')

/** The words of a text in order, in the form in which they are compared. */
export function wordsIn(text: string): readonly string[] {
  const words = NOT_ASCII.test(text) ? folded(text).match(WORD) : text.toLowerCase().match(ASCII_WORD)
  return words?.filter((word) => word.length <= LONGEST_WORD) ?? []
}

/** `"words in quotes"` must be adjacent; `begin*` is the beginning of a word. Empty when there is nothing to search. */
export function readQuery(text: string): SearchQuery {
  const pieces = text.match(/"[^"]*"\*?|[^\s"]+/g) ?? []
  return pieces
    .map((piece) => ({ words: wordsIn(piece), isPrefix: piece.endsWith('*') }))
    .filter(({ words }) => words.length > 0)
}

/** Where a term begins among the words; -1 when it does not stand there. */
function placeOf({ words, isPrefix }: SearchTerm, among: readonly string[]): number {
  const last = words.length - 1
  return among.findIndex((_, at) =>
    words.every((word, i) => {
      const other = among[at + i]
      return i === last && isPrefix ? other?.startsWith(word) : other === word
    }),
  )
}

export function isMatch(query: SearchQuery, words: readonly string[]): boolean {
  return query.every((term) => placeOf(term, words) >= 0)
}

/** The strings in a recorded value, in its order, without names of members. */
export function stringsIn(value: Json): readonly string[] {
  const strings: string[] = []
  const visit = (part: Json): void => {
    if (typeof part === 'string') strings.push(part)
    else if (Array.isArray(part)) part.forEach(visit)
    else if (part !== null && typeof part === 'object') Object.values(part).forEach(visit)
  }
  visit(value)
  return strings
}

const patterns = new WeakMap<SearchTerm, RegExp>()

/** A letter, a digit, or a character that may become one when it is folded. */
const MAY_BE_LETTER = String.raw`a-z0-9\x80-\uffff`

/** Words are letters and digits of any script: none of them is special in an expression. */
function asciiPattern(term: SearchTerm): RegExp {
  const known = patterns.get(term)
  if (known) return known
  const { words, isPrefix } = term
  const end = isPrefix ? '' : `(?![${MAY_BE_LETTER}])`
  const between = `[^${MAY_BE_LETTER}]+`
  const pattern = new RegExp(`(?<![${MAY_BE_LETTER}])${words.join(between)}${end}`, 'gi')
  patterns.set(term, pattern)
  return pattern
}

/** The match begins where its first word is: searching that alone takes a tenth of the time. */
function asciiOffsetOf(text: string, term: SearchTerm): number {
  const pattern = asciiPattern(term)
  pattern.lastIndex = text.toLowerCase().indexOf(term.words[0] ?? '')
  return pattern.lastIndex < 0 ? -1 : (pattern.exec(text)?.index ?? -1)
}

/** Where a passage begins with the term, as a position in the original text. */
function offsetOf(text: string, term: SearchTerm): number {
  const offset = asciiOffsetOf(text, term)
  if (offset >= 0 || !NOT_ASCII.test(text)) return offset
  // Folding changes lengths, so the words are searched again one by one in the original.
  let run: string[] = []
  let starts: number[] = []
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    for (const word of wordsIn(match[0])) {
      run = [...run, word].slice(-term.words.length)
      starts = [...starts, match.index].slice(-term.words.length)
      if (run.length === term.words.length && placeOf(term, run) === 0) return starts[0] ?? -1
    }
  }
  return -1
}

const BEFORE = 40
/** Anything other than a single blank between words; replacing those too would take longer than finding the words. */
const GAP = /\s{2,}|[^\S ]/g

/** The position of the first term in the text. */
function firstOffset(text: string, query: SearchQuery): number {
  for (const term of query) {
    const offset = offsetOf(text, term)
    if (offset >= 0) return offset
  }
  return -1
}

/** The part of a text around the first term in it, on one line; null when none of them occurs. */
export function passageOf(text: string, query: SearchQuery, length: number): string | null {
  const at = firstOffset(text, query)
  if (at < 0) return null
  const begin = Math.max(0, at - BEFORE)
  const start = begin === 0 ? 0 : text.indexOf(' ', begin) + 1 || begin
  const from = start > at ? begin : start
  const cut = text
    .slice(from, from + length)
    .replace(GAP, ' ')
    .trim()
  return `${from > 0 ? '…' : ''}${cut}${from + length < text.length ? '…' : ''}`
}
