// A kind of secret that is known by its form, and how it is found: required letters are searched in the whole
// text, and only there is the pattern tried. Every pattern is bounded, so that each place has constant cost
// and a text linear cost.

/** How bad it is when it is real. */
export type SecretWeight = 'critical' | 'high' | 'medium' | 'low'

/** A kind of secret, as findings name it. */
export interface Kind {
  readonly rule: string
  readonly what: string
  readonly severity: SecretWeight
}

export interface SecretFormat extends Kind {
  /** Letters at the beginning of the pattern, or after what `back` allows before them. */
  readonly anchors: readonly string[]
  /** Tried at one place; a group is the value where the match is longer than the value. */
  readonly pattern: RegExp
  /** What may be between the beginning and the anchor, and at most how much of it. */
  readonly back?: readonly [chars: RegExp, most: number]
  /** May be inside a longer word. */
  readonly anywhere?: boolean
}

export const kind = (number: string, what: string, severity: SecretWeight): Kind => ({
  rule: `WITAN-SECRET-${number}`,
  what,
  severity,
})

export const form = (
  of: Kind,
  anchors: string,
  pattern: string,
  more: Pick<SecretFormat, 'back' | 'anywhere'> = {},
): SecretFormat => ({ ...of, anchors: anchors.split(' '), pattern: new RegExp(pattern, 'y'), ...more })

/** A secret in a text: its kind and place. */
export interface Span extends Kind {
  readonly start: number
  readonly end: number
  /** Why it is probably made up; null when it looks real. */
  readonly excuse: string | null
}

export const span = (of: Kind, start: number, length: number, excuse: string | null): Span => ({
  rule: of.rule,
  what: of.what,
  severity: of.severity,
  start,
  end: start + length,
  excuse,
})

/** The match of a sticky pattern at exactly this place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const WORD = /[A-Za-z0-9_-]/

/** Not inside a longer word; an escaped line end in a string is a boundary too, and the mark of a line in a diff. */
function isBoundary(text: string, at: number): boolean {
  const before = text[at - 1]
  if (before === undefined || !WORD.test(before)) return true
  if ('nrt'.includes(before) && text[at - 2] === '\\') return true
  return before === '-' && (at === 1 || text[at - 2] === '\n')
}

function backFrom(text: string, at: number, [chars, most]: NonNullable<SecretFormat['back']>): number {
  let start = at
  while (start > 0 && at - start < most && chars.test(text[start - 1] ?? '')) start--
  return start
}

/** The value of the format whose anchor is here, and where it begins. */
function valueAt({ pattern, back, anywhere = false }: SecretFormat, text: string, at: number) {
  const start = back ? backFrom(text, at, back) : at
  const match = anywhere || isBoundary(text, start) ? matchAt(pattern, text, start) : null
  if (!match) return null
  const value = match[1] ?? match[0]
  return { start: match.index + match[0].lastIndexOf(value), value, end: match.index + match[0].length }
}

export interface Found {
  readonly format: SecretFormat
  readonly start: number
  readonly value: string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** How all these formats are searched at once, in one pass over the text. */
export function finderOf(formats: readonly SecretFormat[]): (text: string) => Generator<Found> {
  const anchors = [...new Set(formats.flatMap((format) => format.anchors))]
  const longestFirst = anchors.sort((a, b) => b.length - a.length)
  const anchor = new RegExp(longestFirst.map(escaped).join('|'), 'g')
  // Where a long anchor occurs, so does every shorter one that it begins with.
  const byAnchor = new Map(
    anchors.map((long) => [
      long,
      formats.filter((format) => format.anchors.some((one) => long.startsWith(one))),
    ]),
  )
  return function* (text) {
    anchor.lastIndex = 0
    for (let hit = anchor.exec(text); hit; hit = anchor.exec(text)) {
      let next = hit.index + 1
      for (const format of byAnchor.get(hit[0]) ?? []) {
        const value = valueAt(format, text, hit.index)
        if (!value) continue
        yield { format, start: value.start, value: value.value }
        next = Math.max(next, value.end)
        break
      }
      anchor.lastIndex = next
    }
  }
}
