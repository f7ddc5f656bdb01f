// Whether a text is the canonical text of some JSON value, decided in one walk and without writing the value again:
// that would take twice as long. What is accepted here is exactly what `canonicalize` writes; a test holds the two
// against each other.

/** Containers within containers; also what ends a cycle. */
export const MAX_DEPTH = 256

const NOWHERE = -1
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON wants escaped
const PLAIN = /[^"\\\u0000-\u001f]*/y
const NUMBER = /[-+.0-9e]+/y
/** A control character is escaped by its letter if it has one, else by four digits in lower case. */
const ESCAPE = /\\(?:["\\bfnrt]|u00(?:0[0-7bef]|1[0-9a-f]))/y

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : NOWHERE
}

/** Where the string that begins at `at` ends. */
function stringEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x22) return NOWHERE
  let end = endOf(PLAIN, text, at + 1)
  while (text.charCodeAt(end) !== 0x22) {
    const escaped = endOf(ESCAPE, text, end)
    if (escaped === NOWHERE) return NOWHERE
    end = endOf(PLAIN, text, escaped)
  }
  return end + 1
}

function numberEnd(text: string, at: number): number {
  const end = endOf(NUMBER, text, at)
  if (end === NOWHERE) return NOWHERE
  const token = text.slice(at, end)
  return `${Number(token)}` === token ? end : NOWHERE
}

const wordEnd = (text: string, at: number, word: string): number =>
  text.startsWith(word, at) ? at + word.length : NOWHERE

function arrayEnd(text: string, start: number, depth: number): number {
  let at = start + 1
  if (text.charCodeAt(at) === 0x5d) return at + 1
  for (;;) {
    at = valueEnd(text, at, depth + 1)
    if (at === NOWHERE) return NOWHERE
    const next = text.charCodeAt(at++)
    if (next === 0x5d) return at
    if (next !== 0x2c) return NOWHERE
  }
}

function nameOf(quoted: string): string {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1)
}

function objectEnd(text: string, start: number, depth: number): number {
  let at = start + 1
  if (text.charCodeAt(at) === 0x7d) return at + 1
  let before: string | null = null
  for (;;) {
    const end = stringEnd(text, at)
    if (end === NOWHERE || text.charCodeAt(end) !== 0x3a) return NOWHERE
    const name = nameOf(text.slice(at, end))
    // By UTF-16 code units, which is how strings compare here; equal names stand next to each other.
    if (before !== null && name <= before) return NOWHERE
    before = name
    at = valueEnd(text, end + 1, depth + 1)
    if (at === NOWHERE) return NOWHERE
    const next = text.charCodeAt(at++)
    if (next === 0x7d) return at
    if (next !== 0x2c) return NOWHERE
  }
}

function valueEnd(text: string, at: number, depth: number): number {
  switch (text[at]) {
    case '"':
      return stringEnd(text, at)
    case '{':
      return depth < MAX_DEPTH ? objectEnd(text, at, depth) : NOWHERE
    case '[':
      return depth < MAX_DEPTH ? arrayEnd(text, at, depth) : NOWHERE
    case 't':
      return wordEnd(text, at, 'true')
    case 'f':
      return wordEnd(text, at, 'false')
    case 'n':
      return wordEnd(text, at, 'null')
    default:
      return numberEnd(text, at)
  }
}

/** For well-formed text, such as decoding UTF-8 gives: a lone surrogate would not be noticed. */
export const isCanonicalText = (text: string): boolean =>
  text.length > 0 && valueEnd(text, 0, 0) === text.length
