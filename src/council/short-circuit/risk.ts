// The risk class of a topic, by words. It errs towards higher risk: a word too many costs a review, a word
// too few costs what the review would have found. Reviews of code and decisions of architecture are never
// low.

import type { Criteria } from '../events.ts'
import type { OpenedCouncil } from '../state.ts'
import { CHINESE, HIGH, MEDIUM, WORDS_OF_RISK } from './risk-words.ts'

/** A word to look for: as an expression, and the letters that are at its beginning in any case. */
interface Wanted {
  readonly expression: string
  readonly stem: string
}

const wantedOf = (words: string): readonly Wanted[] =>
  words.split(' ').map((expression) => ({ expression, stem: /^[^\\[*]*/.exec(expression)?.[0] ?? '' }))

/** Words in a language that sets them apart. */
const apart = (words: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu')

const within = (words: readonly string[]): RegExp => new RegExp(words.join('|'), 'gu')

/** A list of words, and how one of them is recognised in a text. */
interface List {
  readonly words: readonly Wanted[]
  readonly pattern: (words: readonly string[]) => RegExp
}

const HIGH_WORDS: List = { words: wantedOf(HIGH), pattern: apart }
const MEDIUM_WORDS: List = { words: wantedOf(MEDIUM), pattern: apart }
const SET_APART: List = { words: wantedOf(WORDS_OF_RISK.replaceAll('*', '\\p{L}*')), pattern: apart }
const WITHIN: List = { words: wantedOf(CHINESE), pattern: within }

/** In lower case, as a case-insensitive expression compares letters: the long s is one. */
const folded = (text: string): string => text.replaceAll('\u017f', 's').toLowerCase()

/**
 * Compiling an expression of hundreds of words takes longer than anything else: only words whose stems occur are included.
 */
function matchesIn(text: string, { words, pattern }: List): readonly string[] {
  const lower = folded(text)
  const here = words.filter(({ stem }) => lower.includes(stem)).map(({ expression }) => expression)
  if (here.length === 0) return []
  return [...new Set((text.match(pattern(here)) ?? []).map((word) => word.toLowerCase()))].sort()
}

/** At most this many words are listed as an explanation. */
const MOST_WORDS = 8

/** The rule of edition 1, whose words are English only. */
export const riskByWords = (state: OpenedCouncil): Criteria['risk'] => riskBy(state, [HIGH_WORDS])

/** Needed by every decision and every guard, and depends on the opening alone. */
const known = new WeakMap<object, Criteria['risk']>()

/** Since edition 2. */
export function riskInSixLanguages(state: OpenedCouncil): Criteria['risk'] {
  const before = known.get(state.opened)
  if (before) return before
  const risk = riskBy(state, [HIGH_WORDS, SET_APART, WITHIN])
  known.set(state.opened, risk)
  return risk
}

function riskBy({ opened }: OpenedCouncil, highest: readonly List[]): Criteria['risk'] {
  const text = [opened.question, ...opened.constraints, ...opened.focus].join('\n')
  const high = [...new Set(highest.flatMap((words) => matchesIn(text, words)))].sort()
  if (high.length > 0) return { class: 'high', words: high.slice(0, MOST_WORDS) }
  const medium = matchesIn(text, MEDIUM_WORDS)
  if (medium.length > 0 || opened.mode !== 'ask')
    return { class: 'medium', words: medium.slice(0, MOST_WORDS) }
  return { class: 'low', words: [] }
}
