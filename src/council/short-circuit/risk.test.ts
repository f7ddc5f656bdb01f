// What counts as a word of risk is recorded and checked again by verifiers: the fast search finds, letter by letter, what one
// expression of all words finds.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpenedCouncil } from '../state.ts'
import { riskByWords, riskInSixLanguages } from './risk.ts'
import { CHINESE, HIGH, MEDIUM, WORDS_OF_RISK } from './risk-words.ts'

const whole = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.split(' ').join('|')})(?![\\p{L}\\p{N}])`, 'giu')

const HIGH_WORDS = whole(HIGH)
const MEDIUM_WORDS = whole(MEDIUM)
const SIX = [
  HIGH_WORDS,
  whole(WORDS_OF_RISK.replaceAll('*', '\\p{L}*')),
  new RegExp(CHINESE.split(' ').join('|'), 'gu'),
]

const wordsIn = (text: string, lists: readonly RegExp[]): readonly string[] =>
  [...new Set(lists.flatMap((list) => (text.match(list) ?? []).map((word) => word.toLowerCase())))].sort()

/** The rule, with every word in one expression. */
function expected(question: string, highest: readonly RegExp[]) {
  const high = wordsIn(question, highest)
  if (high.length > 0) return { class: 'high', words: high.slice(0, 8) }
  const medium = wordsIn(question, [MEDIUM_WORDS])
  return medium.length > 0 ? { class: 'medium', words: medium.slice(0, 8) } : { class: 'low', words: [] }
}

/** Only the opening counts. */
const state = { opened: {} }
const asking = (question: string): OpenedCouncil =>
  ({
    ...state,
    opened: { ...state.opened, mode: 'ask', question, constraints: [], focus: [] },
  }) as unknown as OpenedCouncil

const STEMS = `${HIGH} ${MEDIUM} ${WORDS_OF_RISK} ${CHINESE}`
  .split(' ')
  .map((word) => word.replace(/[\\[*].*$/, ''))

const word = fc.tuple(
  fc.constantFrom('', '', 'x', '_', '7', 'é'),
  fc.constantFrom(...STEMS, 'orders', 'moves', 'ſecret', 'pric\u212aing'),
  fc.constantFrom('', '', '', 's', '_key', '2', 'ung', 'ä', '\u0130', '-'),
  fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => text.replaceAll('s', 'ſ').replaceAll('k', '\u212a'),
  ),
)
const question = fc
  .array(
    word.map(([before, stem, after, cased]) => cased(`${before}${stem}${after}`)),
    { maxLength: 12 },
  )
  .chain((words) => fc.constantFrom(' ', ', ', '\n', '_', '').map((between) => words.join(between)))

describe('words of risk', () => {
  it('COU-S-2 are the same as one expression of all words finds, in both editions', () => {
    fc.assert(
      fc.property(question, (text) => {
        expect(riskByWords(asking(text))).toEqual(expected(text, [HIGH_WORDS]))
        expect(riskInSixLanguages(asking(text))).toEqual(expected(text, SIX))
      }),
      { numRuns: 60 },
    )
  })
})
