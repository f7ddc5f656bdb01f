// Finds secrets in text. A secret is never repeated: what is reported is its kind and place. Long lines are read in
// overlapping windows, each match bounded, so the cost is linear in the length.

import {
  ASSIGNED,
  ASSIGNED_BARE,
  AWS_SECRET,
  HINTS,
  SECRET_FORMATS,
  type SecretWeight,
  SOURCE_PASSWORD,
  URL_PASSWORD,
} from './formats.ts'
import { looksRandom, placeholderReason, STAND_IN } from './placeholder.ts'

export interface Secret {
  readonly rule: string
  readonly what: string
  readonly severity: SecretWeight
  readonly line: number
  readonly start: number
  readonly end: number
  /** Why it is probably made up; null when it looks real. */
  readonly excuse: string | null
}

type Span = Omit<Secret, 'line'>

const WINDOW = 2_000
const OVERLAP = 600

const isHex = (value: string) => /^[0-9a-f]+$/i.test(value)

function* matches(
  pattern: RegExp,
  text: string,
  group: number,
): Generator<{ match: RegExpMatchArray; start: number; value: string }> {
  for (const match of text.matchAll(pattern)) {
    const value = match[group] ?? match[0]
    yield { match, value, start: match.index + match[0].lastIndexOf(value) }
  }
}

/** A kind of secret, as findings name it. */
interface Kind {
  readonly rule: string
  readonly what: string
  readonly severity: SecretWeight
}

const kind = (number: string, what: string, severity: SecretWeight): Kind => ({
  rule: `WITAN-SECRET-${number}`,
  what,
  severity,
})

const IN_ADDRESS = kind('012', 'a password inside an address', 'high')
const ASSIGNED_VALUE = kind('013', 'a random-looking value under a secret name', 'medium')
const AWS_KEY = kind('006', 'an AWS secret access key', 'critical')
const PRIVATE_KEY = kind('001', 'a private key', 'critical')

const span = (of: Kind, start: number, value: string, excuse: string | null): Span => ({
  ...of,
  start,
  end: start + value.length,
  excuse,
})

const LOCAL = /@(?:localhost|127\.|\[::1\]|0\.0\.0\.0|host\.docker\.internal|[a-z0-9-]{1,40}(?:[:/]|$))/
const WEAK = /^(?:pass|passw(?:or)?d|pw|secret|postgres|mysql|root|admin|test|user|p|x+)$/i

function* inUrl(text: string): Generator<Span> {
  for (const { match, value, start } of matches(URL_PASSWORD, text, 1)) {
    const host = text.slice(start + value.length, start + value.length + 60)
    const weak = WEAK.test(value) ? STAND_IN : null
    const excuse = weak ?? placeholderReason(value) ?? (LOCAL.test(host) ? 'It opens a local service.' : null)
    if (!match[0].includes('${')) yield span(IN_ADDRESS, start, value, excuse)
  }
  for (const { value, start } of matches(SOURCE_PASSWORD, text, 1)) {
    const excuse = WEAK.test(value) ? STAND_IN : placeholderReason(value)
    yield span(IN_ADDRESS, start, value, excuse)
  }
}

function* assigned(text: string, bare: boolean): Generator<Span> {
  for (const pattern of bare ? [ASSIGNED, ASSIGNED_BARE] : [ASSIGNED]) {
    for (const { match, value, start } of matches(pattern, text, 2)) {
      if (!looksRandom(match[1] ?? '', value)) continue
      yield span(ASSIGNED_VALUE, start, value, placeholderReason(value))
    }
  }
}

function* inWindow(text: string, bare: boolean): Generator<Span> {
  if (!HINTS.test(text)) return
  for (const { rule, what, severity, pattern } of SECRET_FORMATS) {
    for (const { value, start } of matches(pattern, text, 0)) {
      // A short `sk-` word without digits is a CSS class or a locale, not a key.
      if (/^sk-[A-Za-z]+$/.test(value) && value.length < 40) continue
      yield { rule, what, severity, start, end: start + value.length, excuse: placeholderReason(value) }
    }
  }
  for (const { value, start } of matches(AWS_SECRET, text, 1)) {
    if (isHex(value) || !/\d/.test(value) || !/[a-z]/.test(value)) continue
    yield span(AWS_KEY, start, value, placeholderReason(value))
  }
  yield* inUrl(text)
  yield* assigned(text, bare)
}

/** Secrets of one line, in order; `bare` also believes assignments without quotes. */
export function inLine(text: string, bare: boolean): Span[] {
  const found: Span[] = []
  let nearby: Span[] = []
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += WINDOW - OVERLAP) {
    nearby = nearby.filter(({ end }) => end > from)
    for (const each of inWindow(text.slice(from, from + WINDOW), bare)) {
      const moved = { ...each, start: each.start + from, end: each.end + from }
      // The most telling format comes first; a second reading of the same characters adds nothing.
      if (nearby.some(({ start, end }) => moved.start < end && start < moved.end)) continue
      nearby.push(moved)
      found.push(moved)
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

export const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/
const BODY = /(?:^|[\s"'`\\n])[A-Za-z0-9+/]{32,76}={0,2}(?:$|[\s"'`\\])/

/** A private key counts with its body: the heading alone stands in every program that reads keys. */
export function keyHeading(lines: readonly { readonly text: string }[], i: number): Span | null {
  const text = (lines[i]?.text ?? '').slice(0, WINDOW)
  const match = text.includes('-----BEGIN ') ? BEGIN.exec(text) : null
  if (!match) return null
  const after = [
    text.slice(match.index + match[0].length),
    ...lines.slice(i + 1, i + 5).map((line) => line.text.slice(0, 200)),
  ]
  if (!after.some((each) => BODY.test(each.replace(/^[+-]/, '')))) return null
  return span(PRIVATE_KEY, match.index, match[0], null)
}

const SETTINGS = /(?:^|\/)\.env(?:\.[^/]*)?$|\.(?:toml|ini|cfg|conf|properties|env|ya?ml)$/i

/** Secrets in lines of one file; `bare` assignments are believed in settings files only. */
export function* secretsIn(
  path: string,
  lines: readonly { readonly number: number; readonly text: string }[],
): Generator<Secret> {
  const bare = SETTINGS.test(path)
  for (const [i, { number, text }] of lines.entries()) {
    const block = keyHeading(lines, i)
    if (block) yield { ...block, line: number }
    for (const each of inLine(text, bare)) yield { ...each, line: number }
  }
}
