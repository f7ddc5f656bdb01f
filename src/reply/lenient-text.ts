// A quoted text as models write it: raw line breaks, other quotes, quotes inside that were not escaped,
// escapes that JSON does not know. A quote closes the text only if what follows can follow a text; so a text
// never ends early and leaves half a sentence to be read as something else. Text that is JSON is read exactly
// as JSON.

import type { NodeState } from './json-node.ts'
import type { RepairKind } from './repairs.ts'

export interface QuotedText {
  readonly value: string
  readonly end: number
  readonly state: Extract<NodeState, 'whole' | 'cut'>
}

/** What may close a text, by what opened it. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”“"',
  '”': '”“"',
  '„': '”“"',
  '«': '»',
  '‘': "’'",
  '’': "’'",
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON wants escaped
const PLAIN = /[^"'`“”„«»‘’\\\u0000-\u001f]*/y
const BLANKS = /[\s\ufeff\u200b]*/y
const NEXT_VALUE =
  /[\s\ufeff\u200b]*(?:["'`“”„«‘’{[\]}\d\-/]|$|[A-Za-z_$][\w$-]{0,63}\s*:|(?:true|false|null|True|False|None)\b)/y
const HEX = /^[0-9a-fA-F]{4}$/

export const isQuote = (char: string): boolean => Object.hasOwn(CLOSERS, char)

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Whether a text that holds a value may end before `at`. */
function mayEnd(text: string, at: number): boolean {
  const next = skip(BLANKS, text, at)
  if (next === text.length) return true
  const char = text.charAt(next)
  if (char === ',') {
    NEXT_VALUE.lastIndex = next + 1
    return NEXT_VALUE.test(text)
  }
  if (char === '}' || char === ']' || char === ':') return true
  if (char === '/') return /[/*]/.test(text.charAt(next + 1))
  return isQuote(char) && text.slice(at, next).includes('\n')
}

/** Reads the text that a quote at `start` opens. A name ends at the first quote; a value where one may end. */
export function readQuoted(
  text: string,
  start: number,
  use: 'name' | 'value',
  note: (kind: RepairKind) => void,
): QuotedText {
  const opener = text.charAt(start)
  const closers = CLOSERS[opener] ?? opener
  if (opener !== '"') note('quotes')
  const pieces: string[] = []
  let at = start + 1
  while (at < text.length) {
    const plain = skip(PLAIN, text, at)
    pieces.push(text.slice(at, plain))
    at = plain
    const char = text.charAt(at)
    if (char === '') break
    if (char === '\\') {
      const { value, end } = readEscape(text, at, note)
      pieces.push(value)
      at = end
      continue
    }
    at += 1
    if (closers.includes(char)) {
      if (use === 'name' || mayEnd(text, at)) return { value: pieces.join(''), end: at, state: 'whole' }
      note('inner-quote')
    } else if (char < ' ') note('raw-control')
    pieces.push(char)
  }
  return { value: pieces.join(''), end: text.length, state: 'cut' }
}

/** An escape that JSON does not know stays as it was written, except that of a single quote. */
function readEscape(
  text: string,
  at: number,
  note: (kind: RepairKind) => void,
): { readonly value: string; readonly end: number } {
  const char = text.charAt(at + 1)
  const simple = Object.hasOwn(SIMPLE_ESCAPES, char) ? SIMPLE_ESCAPES[char] : undefined
  if (simple !== undefined) return { value: simple, end: at + 2 }
  const digits = text.slice(at + 2, at + 6)
  if (char === 'u' && HEX.test(digits))
    return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6 }
  note('escape')
  if (char === "'" || char === '`') return { value: char, end: at + 2 }
  return { value: '\\', end: at + 1 }
}
