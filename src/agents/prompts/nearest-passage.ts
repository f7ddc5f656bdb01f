// Finds the passage of an artifact that is nearest to a quote that it does not contain: the stretch that
// shares most short runs of characters with it, ignoring case, blanks and typography. One pass over the
// artifact, no matter what both contain, so that neither a long text nor a hostile quote costs more than its
// length.

import { fromUtf8, utf8 } from '../../ledger/bytes.ts'

/** Length of a run in characters; a shorter quote is one run. */
const RUN = 6
/** With less in common, two texts are not similar. */
const LEAST_SHARE = 0.3
/** Text around the passage is shown as well, up to the ends of its lines. */
const AROUND = 200
const SPACE = 32

const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...[...'‘’‚‛′`´'].map((sign) => [sign, "'"] as const),
  ...[...'“”„‟″«»'].map((sign) => [sign, '"'] as const),
  ...[...'‐‑‒–—−'].map((sign) => [sign, '-'] as const),
])
const FOLDED: ReadonlyMap<number, number> = new Map(
  [...LOOKALIKES].map(([sign, plain]) => [sign.charCodeAt(0), plain.charCodeAt(0)]),
)
const isBlank = (code: number): boolean => code <= SPACE || code === 0xa0

function foldedCode(code: number): number {
  if (code >= 65 && code <= 90) return code + 32
  return code < 128 ? code : (FOLDED.get(code) ?? code)
}

interface Folded {
  readonly codes: Uint16Array
  /** The position of each run in the text. */
  readonly places: Int32Array
  readonly length: number
}

/** Without capitals, and with one space for any blanks. */
function fold(text: string): Folded {
  const codes = new Uint16Array(text.length)
  const places = new Int32Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isRepeated = isBlank(code) && (length === 0 || codes[length - 1] === SPACE)
    if (isRepeated) continue
    codes[length] = isBlank(code) ? SPACE : foldedCode(code)
    places[length++] = at
  }
  return { codes, places, length }
}

/** Calls back with the hash of every run, in order. Two runs with the same hash only make the search less precise. */
function eachRun({ codes, length }: Folded, run: number, visit: (hash: number, at: number) => void): void {
  const factor = 0x01000193
  let highest = 1
  for (let i = 1; i < run; i++) highest = Math.imul(highest, factor)
  let hash = 0
  for (let at = 0; at < length; at++) {
    if (at >= run) hash = (hash - Math.imul(codes[at - run] ?? 0, highest)) | 0
    hash = (Math.imul(hash, factor) + (codes[at] ?? 0)) | 0
    if (at >= run - 1) visit(hash, at - run + 1)
  }
}

/** Numbers the runs of a quote. */
function runsOf(quote: Folded, run: number): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>()
  eachRun(quote, run, (hash) => {
    if (!numbers.has(hash)) numbers.set(hash, numbers.size)
  })
  return numbers
}

/** How often each run of the quote is in the window that moves over the artifact. */
class Window {
  matched = 0
  private readonly times: Int32Array

  constructor(kinds: number) {
    this.times = new Int32Array(kinds)
  }

  add(run: number, by: 1 | -1): void {
    if (run < 0) return
    const times = (this.times[run] ?? 0) + by
    this.times[run] = times
    if (times === (by === 1 ? 1 : 0)) this.matched += by
  }
}

/** The window of this width that holds most different runs of the quote; the first one if several do. */
function bestWindow(hits: Int32Array, kinds: number, width: number) {
  const window = new Window(kinds)
  let best = { end: 0, matched: 0 }
  for (let at = 0; at < hits.length; at++) {
    if (at >= width) window.add(hits[at - width] ?? -1, -1)
    window.add(hits[at] ?? -1, 1)
    if (window.matched > best.matched) best = { end: at, matched: window.matched }
  }
  let first = Math.max(0, best.end - width + 1)
  while (first < best.end && (hits[first] ?? -1) < 0) first++
  return { first, last: best.end, matched: best.matched }
}

/** Extends to the ends of the lines, or by this many characters. */
function widened(text: string, from: number, to: number): readonly [number, number] {
  const before = text.slice(Math.max(0, from - AROUND), from)
  const after = text.slice(to, to + AROUND)
  const isPair = (at: number): boolean => /[\udc00-\udfff]/.test(text.charAt(at))
  const start = from - (before.length - 1 - before.lastIndexOf('\n'))
  const stop = after.indexOf('\n')
  const end = to + (stop < 0 ? after.length : stop)
  return [isPair(start) ? start - 1 : start, isPair(end) ? end + 1 : end]
}

const bytesIn = (text: string): number => utf8(text).length

/** Bytes [start, end); null where nothing is similar to the quote, or the artifact is not text. */
export function nearestPassage(bytes: Uint8Array, quote: string): readonly [number, number] | null {
  const text = fromUtf8(bytes)
  const wanted = fold(quote.trim())
  const whole = fold(text ?? '')
  const run = Math.min(RUN, wanted.length)
  if (text === null || run === 0 || whole.length < run) return null
  const numbers = runsOf(wanted, run)
  const hits = new Int32Array(whole.length - run + 1)
  eachRun(whole, run, (hash, at) => {
    hits[at] = numbers.get(hash) ?? -1
  })
  const { first, last, matched } = bestWindow(hits, numbers.size, Math.ceil(wanted.length * 1.5))
  if (matched === 0 || matched < numbers.size * LEAST_SHARE) return null
  const from = whole.places[first] ?? 0
  const to = (whole.places[last + run - 1] ?? text.length - 1) + 1
  const [start, end] = widened(text, from, to)
  const before = bytesIn(text.slice(0, start))
  return [before, before + bytesIn(text.slice(start, end))]
}
