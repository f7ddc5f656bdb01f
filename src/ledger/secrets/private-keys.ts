// Private keys on their own lines and inside a string. A heading alone is in every program that
// reads keys: a key counts with its body.

import { kind, type Span, span } from './format.ts'

const PRIVATE_KEY = kind('001', 'a private key', 'critical')

const HEADING = '-----BEGIN '
const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const BODY = /(?:^|[\s"'`\\n+-])[A-Za-z0-9+/]{32}/
const END = '-----END '
const END_LINE = /-----END [A-Z0-9 ]{0,60}-----/y
const NEAR = 1_000
const MOST_LINES = 2_000

/** The mark of a diff, indentation and an opening quote stay; what follows may be key. */
const PREFIX = /^[+-]?[\s"'`]{0,60}/
const KEY_LINE =
  /^[A-Za-z0-9+/=\\]{0,120}["'`]?,?\\?\s*[+]?\s*$|^(?:Proc-Type|DEK-Info|Version|Comment|Hash):/

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

const bodyOf = (line: string): string => line.replace(PREFIX, '')

/** The end of the key whose heading ends at `from`: its last line, or as far as lines look like a key. */
function endOfKey(text: string, from: number): number {
  let end = lineEnd(text, from)
  const closing = (start: number, stop: number): number | null => {
    const at = text.indexOf(END, start)
    if (at === -1 || at >= stop) return null
    END_LINE.lastIndex = at
    return END_LINE.test(text) ? END_LINE.lastIndex : null
  }
  const own = closing(from, Math.min(end, from + 20_000))
  if (own !== null) return own
  for (let n = 0; n < MOST_LINES && end < text.length; n++) {
    const next = lineEnd(text, end + 1)
    const line = text.slice(end + 1, Math.min(next, end + 500))
    const last = line.includes(END) ? closing(end + 1, next) : null
    if (last !== null) return last
    if (!KEY_LINE.test(bodyOf(line))) break
    end = next
  }
  return text[end - 1] === '\r' ? end - 1 : end
}

export function* keyBlocks(text: string): Generator<Span> {
  for (let at = text.indexOf(HEADING); at !== -1; ) {
    BEGIN.lastIndex = at
    const heading = BEGIN.exec(text)
    const from = at + (heading?.[0].length ?? 0)
    const near = heading ? text.slice(from, from + NEAR) : ''
    const until = near.indexOf(HEADING)
    const isKey = heading !== null && BODY.test(until === -1 ? near : near.slice(0, until))
    const end = isKey ? endOfKey(text, from) : at + 1
    if (isKey) yield span(PRIVATE_KEY, at, end - at, null)
    at = text.indexOf(HEADING, end)
  }
}
