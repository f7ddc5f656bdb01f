// Finds the values in a reply's text. It is read once from left to right: a mark of hidden reasoning hides
// what follows it, a bracket begins a value, and marks inside a value are text of that value. Fences and
// prose are the rest.

import { endOfHidden, HIDDEN_MARK, isClosingMark } from './hidden.ts'
import type { JsonNode } from './json-node.ts'
import { LenientJson } from './lenient-json.ts'
import type { RepairKind } from './repairs.ts'

interface FoundValue {
  readonly node: JsonNode
  readonly flaws: ReadonlySet<RepairKind>
}

export interface Scan {
  readonly values: readonly FoundValue[]
  /** Everything outside of values and hidden reasoning. */
  readonly outside: string
  readonly hidden: boolean
  /** Whether the text ends with a value, apart from blanks and a fence. */
  readonly endsWithValue: boolean
}

/** A bracket followed by something that may be in a value. */
const OPENING_BRACKET = '\\{(?=\\s*[^\\s{[\\]:;,.()])|\\[(?=\\s*[^\\s\\]}:;,.()])'
const INTERESTING = new RegExp(`${HIDDEN_MARK}|${OPENING_BRACKET}`, 'gi')
const ONLY_FENCE = /^\s*(?:`{3,}|~{3,})?\s*$/
/** How often scanning restarts inside a bracket that is never closed and has no content. */
const MOST_RESTARTS = 3

/** `counts`: whether a value, also an unfinished one, is relevant for the request. */
export function scanReply(text: string, counts: (node: JsonNode) => boolean): Scan {
  const reader = new LenientJson(text)
  let values: FoundValue[] = []
  let outside: string[] = []
  let hidden = false
  let restarts = 0
  let at = 0
  for (;;) {
    INTERESTING.lastIndex = at
    const match = INTERESTING.exec(text)
    if (match === null) break
    outside.push(text.slice(at, match.index))
    const behind = match.index + match[0].length
    if (isClosingMark(match[0])) {
      hidden = true
      values = []
      outside = []
      at = behind
    } else if (match[0].length > 1) {
      hidden = true
      at = endOfHidden(text, match[0], behind)
    } else {
      const value = reader.valueAt(match.index)
      const { state, end } = value.node
      const isOurs = counts(value.node)
      if (isOurs || state === 'whole') values.push(value)
      const isProse = !isOurs && (state === 'cut' || state === 'unclosed')
      if (isProse) restarts += 1
      at = isProse && restarts <= MOST_RESTARTS ? behind : Math.max(end, behind)
      if (!isOurs && state !== 'whole') outside.push(text.slice(match.index, at))
    }
  }
  const rest = text.slice(at)
  return {
    values,
    outside: [...outside, rest].join(''),
    hidden,
    endsWithValue: values.at(-1)?.node.end === at && ONLY_FENCE.test(rest),
  }
}
