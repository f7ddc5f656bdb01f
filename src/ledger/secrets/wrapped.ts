// Secrets inside base64, in any text: long runs are decoded and scanned like any other text, to a small
// depth. A run that contains a secret is removed as a whole. Each depth has three quarters of the one before,
// so the cost stays linear.

import { decode } from '../decode.ts'
import { type Span, span } from './format.ts'

/** Scans the decoded text. */
export type Look = (text: string, depth: number) => Iterable<Span>

const MOST_DEPTH = 3
const LEAST = 20
const PROBE = 24

function bytesOf(run: string): Uint8Array | null {
  const standard = run.replace(/[-_=]/g, (char) => (char === '-' ? '+' : char === '_' ? '/' : ''))
  const usable = standard.length % 4 === 1 ? standard.slice(0, -1) : standard
  try {
    const binary = atob(usable)
    const bytes = new Uint8Array(binary.length)
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
    return bytes
  } catch {
    return null
  }
}

/** Text at least at its beginning: letters, or letters with zeros between them. */
function beginsAsText(run: string): boolean {
  const bytes = bytesOf(run.slice(0, PROBE))
  if (bytes === null) return false
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return true
  for (const [i, byte] of bytes.entries()) {
    if (byte < 32 ? byte !== 0 && byte !== 9 && byte !== 10 && byte !== 13 : byte === 127) return false
    const isRest = byte >= 0x80 && byte < 0xc0
    if (isRest !== (i > 0 && restsAt(bytes, i))) return false
  }
  return true
}

/** Whether the byte here has to continue an earlier character. */
function restsAt(bytes: Uint8Array, i: number): boolean {
  const before = (n: number): number => bytes[i - n] ?? 0
  return (
    before(1) >= 0xc2 ||
    (before(2) >= 0xe0 && before(1) >= 0x80) ||
    (before(3) >= 0xf0 && before(1) >= 0x80 && before(2) >= 0x80)
  )
}

/** The text inside; null where there is none. */
function unwrapped(run: string): string | null {
  if (run.length < LEAST || !beginsAsText(run)) return null
  const bytes = bytesOf(run)
  const decoded = bytes && decode(bytes)
  return decoded === null || decoded.encoding === 'latin-1' ? null : decoded.text
}

/** The first that looks real, else the first. */
function worst(spans: Iterable<Span>): Span | null {
  let first: Span | null = null
  for (const span of spans) {
    if (span.excuse === null) return span
    first ??= span
  }
  return first
}

const PIECES = /[^/_-]+/g

function* inRun(run: string, start: number, look: Look, depth: number): Generator<Span> {
  const text = unwrapped(run)
  const secret = text === null ? null : worst(look(text, depth + 1))
  if (secret) {
    yield { ...secret, start, end: start + run.length }
    return
  }
  if (text !== null || !/[/_-]/.test(run)) return
  // A name or a path may be before it without a gap.
  for (const piece of run.matchAll(PIECES)) {
    const inner = unwrapped(piece[0])
    const own = inner === null ? null : worst(look(inner, depth + 1))
    if (own) yield { ...own, start: start + piece.index, end: start + piece.index + piece[0].length }
  }
}

/** Characters of base64 one after another. */
interface Run {
  readonly start: number
  readonly end: number
}

const IN_RUN = new Uint8Array(128)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-') {
  IN_RUN[char.charCodeAt(0)] = 1
}

/**
 * Every long run from its beginning to its end: none is so short that checking every twentieth place could miss
 * it. Searching again takes less time than storing them.
 */
function* runsIn(text: string): Generator<Run> {
  let free = 0
  for (let at = LEAST - 1; at < text.length; at += LEAST) {
    if (IN_RUN[text.charCodeAt(at)] !== 1) continue
    let start = at
    while (start > free && IN_RUN[text.charCodeAt(start - 1)] === 1) start--
    let end = at + 1
    while (end < text.length && IN_RUN[text.charCodeAt(end)] === 1) end++
    const isLong = end - start >= LEAST
    free = end
    for (let n = 0; isLong && n < 2 && text[end] === '='; n++) end++
    if (isLong) yield { start, end }
    at = Math.max(at, end - (end % LEAST) - 1)
  }
}

const BEFORE = /(?:^|\n)[+-]?[^\S\n]{0,60}["'`]?$/
const AFTER = /["'`]?,?\\?[^\S\n]{0,20}\+?[^\S\n]{0,20}(?:\n|$)/y
const TAIL = /[+-]?[^\S\n]{0,60}["'`]?([A-Za-z0-9+/]{1,19}={0,2})["'`]?[^\S\n]{0,20}(?=\n|$)/y

interface Block {
  readonly runs: readonly Run[]
  /** A last short line that may belong to them. */
  readonly tail: Run | null
}

function tailAt(text: string, runs: readonly Run[], line: number): Run | null {
  const widths = new Set(runs.map(({ start, end }) => end - start))
  if (widths.size !== 1) return null
  TAIL.lastIndex = line
  const tail = TAIL.exec(text)
  const start = tail ? tail.index + tail[0].indexOf(tail[1] ?? '') : 0
  return tail && { start, end: start + (tail[1] ?? '').length }
}

/** Consecutive lines that only contain a run. */
function* blocksIn(text: string): Generator<Block> {
  let block: Run[] = []
  let nextLine = -1
  for (const run of runsIn(text)) {
    const isAlone = BEFORE.test(text.slice(Math.max(0, run.start - 63), run.start))
    AFTER.lastIndex = run.end
    const isLast = isAlone && AFTER.test(text)
    const following = isLast ? AFTER.lastIndex : -1
    const lineStart = isLast ? text.lastIndexOf('\n', run.start - 1) + 1 : -1
    if (isLast && block.length > 0 && lineStart === nextLine) block.push(run)
    else {
      if (block.length > 0) yield { runs: block, tail: tailAt(text, block, nextLine) }
      block = isLast ? [run] : []
    }
    nextLine = following
  }
  if (block.length > 0) yield { runs: block, tail: tailAt(text, block, nextLine) }
}

const BLOB = /^[A-Za-z0-9+/]{64}$|^[A-Za-z0-9+/]{76}$/
const BLOB_LINES = 4
const PUBLIC = /-----BEGIN (?![^\n]{0,60}PRIVATE)[^\n]{0,80}\r?\n[^\n]{0,63}$/
const KEY_MATERIAL = { rule: 'key-material', what: 'lines of a key', severity: 'critical' } as const

/** A key whose heading is not visible, as in the middle of a diff: consecutive lines of key width. */
export function* headless(text: string): Generator<Span> {
  for (const block of blocksIn(text)) {
    const wide = block.runs.filter(({ start, end }) =>
      BLOB.test(text.slice(start, Math.min(end, start + 77))),
    )
    const [first, last] = [wide[0], wide.at(-1)]
    if (!first || !last || wide.length < BLOB_LINES) continue
    if (PUBLIC.test(text.slice(Math.max(0, first.start - 240), first.start))) continue
    yield span(KEY_MATERIAL, first.start, last.end - first.start, null)
  }
}

function inBlock(text: string, { runs, tail }: Block, look: Look, depth: number): Span | null {
  const tries = tail ? [[...runs, tail], runs] : [runs]
  for (const block of tries) {
    const [first, last] = [block[0], block.at(-1)]
    if (!first || !last || block.length < 2) continue
    const inner = unwrapped(block.map(({ start, end }) => text.slice(start, end)).join(''))
    if (inner === null) continue
    const secret = worst(look(inner, depth + 1))
    return secret && { ...secret, start: first.start, end: last.end }
  }
  return null
}

export function* inBase64(text: string, look: Look, depth: number): Generator<Span> {
  if (depth >= MOST_DEPTH) return
  for (const { start, end } of runsIn(text)) yield* inRun(text.slice(start, end), start, look, depth)
  for (const block of blocksIn(text)) {
    const secret = inBlock(text, block, look, depth)
    if (secret) yield secret
  }
}
