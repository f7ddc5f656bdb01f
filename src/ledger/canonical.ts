// RFC 8785: one JSON value has exactly one text here, and bytes are canonical only if they are that text.
// What is not plain JSON is refused rather than dropped or converted, because a dropped member would be
// signed as if it had never existed. Keys are read as own members only, so `__proto__` is a name like any
// other.

import { fromUtf8 } from './bytes.ts'
import { WitanError } from './errors.ts'

// Whether a text is the canonical text of some JSON value, decided in one pass without serializing the value
// again, which would take twice as long. What is accepted here is exactly what `canonicalize` writes; a test
// compares the two.

/** Containers within containers; this also stops at cycles. */
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

/** The end of the string that begins at `at`. */
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
    // By UTF-16 code units, which is how strings compare here; equal names are next to each other.
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

/** For well-formed text, as from decoding UTF-8: a lone surrogate would not be noticed. */
export const isCanonicalText = (text: string): boolean =>
  text.length > 0 && valueEnd(text, 0, 0) === text.length

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/**
 * The value, where everything in it is JSON; otherwise a type that nothing matches. Members of interfaces count
 * like any other.
 */
export type Jsonable<Value> = Value extends Json | undefined
  ? Value
  : Value extends (...args: never) => unknown
    ? never
    : Value extends object
      ? { readonly [Name in keyof Value]: Jsonable<Value[Name]> }
      : never

/** The value of an interface as JSON: the compiler checks that every member of it is JSON. */
export const asJson = <Value>(value: Value & Jsonable<Value>): Json => value as unknown as Json

/** The same for a value that must be an object, like a payload. */
export const asJsonObject = <Value extends object>(
  value: Value & Jsonable<Value>,
): { readonly [name: string]: Json } => asJson<Value>(value) as { readonly [name: string]: Json }

const PLAIN_ASCII = /^[ !#-[\]-~]*$/
/** Searching for characters to escape takes half the time of JSON.stringify, and ends at the first one. */
const SCANNED = 4096
const SIMPLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

type Path = (string | number)[]

/** The RFC 8785 text of a plain JSON value. Throws CANONICAL_INVALID with the place of anything else. */
export const canonicalize = (value: unknown): string => write(value, 0, [])

/** Undefined unless the bytes are strict UTF-8 and exactly the canonical text of one JSON value. */
export function parseCanonical(bytes: Uint8Array): Json | undefined {
  const text = fromUtf8(bytes)
  // JSON.parse alone accepts many forms, and keeps the last of two equal keys.
  return text !== null && isCanonicalText(text) ? JSON.parse(text) : undefined
}

/** JSON text from outside, in any form, but unambiguous. Throws CANONICAL_INVALID. */
export function parseJson(text: string): Json {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new WitanError(
      'CANONICAL_INVALID',
      `The text is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
      'Correct the JSON text and try again.',
      { cause },
    )
  }
  canonicalize(value)
  refuseDuplicates(text)
  return value
}

function write(value: unknown, depth: number, path: Path): string {
  switch (typeof value) {
    case 'string':
      return quote(value, depth, path, 'the string')
    case 'number':
      if (!Number.isFinite(value)) throw fault(path, depth, `${value} is not a JSON number`)
      return `${value}`
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depth === MAX_DEPTH) throw fault(path, depth, `more than ${MAX_DEPTH} levels, or a cycle`)
      return Array.isArray(value) ? writeArray(value, depth, path) : writeObject(value, depth, path)
    default:
      throw fault(path, depth, `${typeof value} is not JSON`)
  }
}

function writeArray(array: readonly unknown[], depth: number, path: Path): string {
  if (Object.getPrototypeOf(array) !== Array.prototype) throw fault(path, depth, 'not a plain array')
  let out = '['
  for (let i = 0; i < array.length; i++) {
    path[depth] = i
    if (i > 0) out += ','
    out += write(array[i], depth + 1, path)
  }
  return `${out}]`
}

function writeObject(object: object, depth: number, path: Path): string {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) throw fault(path, depth, 'not a plain object')
  if (Object.getOwnPropertySymbols(object).length > 0) throw fault(path, depth, 'a symbol is not a JSON key')
  const members = object as { readonly [name: string]: unknown }
  let out = '{'
  // Strings compare and sort by UTF-16 code units, as the RFC asks.
  for (const name of sorted(Object.keys(members))) {
    path[depth] = name
    if (out.length > 1) out += ','
    out += `${quote(name, depth + 1, path, 'the key')}:${write(members[name], depth + 1, path)}`
  }
  return `${out}}`
}

/** Most objects have few members, many in order: checking that takes less time than sorting. */
function sorted(names: string[]): string[] {
  for (let i = 1; i < names.length; i++)
    if ((names[i - 1] as string) > (names[i] as string)) return names.sort()
  return names
}

function quote(text: string, depth: number, path: Path, what: string): string {
  if (text.length < SCANNED && PLAIN_ASCII.test(text)) return `"${text}"`
  if (!text.isWellFormed()) throw fault(path, depth, `${what} holds a lone surrogate`)
  return JSON.stringify(text)
}

/** `text` is known to be well-formed JSON, so only strings, commas and brackets need to be distinguished. */
function refuseDuplicates(text: string): void {
  const path: Path = []
  const seen: (Set<string> | null)[] = []
  let expectKey = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    const last = path.at(-1)
    if (char === '{' || char === ',') expectKey = true
    if (char === '{' || char === '[') {
      seen.push(char === '{' ? new Set() : null)
      path.push(0)
    } else if (char === '}' || char === ']') {
      seen.pop()
      path.pop()
    } else if (char === ',' && typeof last === 'number') {
      path[path.length - 1] = last + 1
    } else if (char === '"') {
      const start = at
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
      const names = seen.at(-1)
      if (!names || !expectKey) continue
      expectKey = false
      const name: string = JSON.parse(text.slice(start, at + 1))
      path[path.length - 1] = name
      if (names.has(name)) throw fault(path, path.length, 'the key occurs twice in one object')
      names.add(name)
    }
  }
}

function fault(path: Path, depth: number, reason: string): WitanError {
  let place = '$'
  for (const step of path.slice(0, depth)) {
    if (typeof step === 'string' && SIMPLE_NAME.test(step)) place += `.${step}`
    else place += `[${JSON.stringify(step)}]`
    if (place.length > 200) {
      place += '…'
      break
    }
  }
  return new WitanError(
    'CANONICAL_INVALID',
    `Not canonical JSON at ${place}: ${reason}.`,
    'Give plain JSON: null, booleans, finite numbers, well-formed strings, arrays and plain objects.',
  )
}
