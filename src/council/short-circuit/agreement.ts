// How much round one agrees, from 0 to 1. Two things are compared: the stance, and the words of the
// recommendation (or an encoder's recorded scores). Seats of one vendor make similar errors, so agreement
// within a vendor counts half. Agreement is not truth: it only says what a review is likely to add.

import type { Criteria } from '../events.ts'
import { type CouncilOpinion, UNSTATED } from '../replies/opinion.ts'
import { countStances } from '../report/majority.ts'
import { seatOf, voicesOf } from '../seat-ids.ts'
import type { OpenedCouncil } from '../state.ts'
import { rounded } from './budget.ts'

const STANCE_WEIGHT = 0.6
/** Where the stance only says that it is not a yes-or-no question, the words must agree more. */
const OPEN_STANCE_WEIGHT = 0.2
/** The weight of agreement between two seats of one vendor. */
const SAME_VENDOR = 0.5

const STOP = new Set(
  (
    'a an and any are as at be been but by can could do does for from had has have how if in into is it its may might ' +
    'more most must no not of on only or other our should so some such than that the their them then there these ' +
    'they this those to use used using was we were what when where which while who will with would you your'
  ).split(' '),
)

/** A crude stem: enough to match "caches", "cached" and "caching". */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word)

export const contentWords = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP.has(word)).map(stem))

/** The share of the smaller vocabulary that both have. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = Math.min(a.size, b.size)
  if (smaller === 0) return 0
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return both / smaller
}

export const pairsOf = <Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] =>
  items.flatMap((a, i) => items.slice(i + 1).map((b) => [a, b] as const))

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

function recommendationSimilarity(state: OpenedCouncil, voices: readonly CouncilOpinion[]): number {
  const ids = new Set(voices.map(({ id }) => id))
  const scores = (state.scored?.pairs ?? []).filter(({ a, b }) => ids.has(a) && ids.has(b))
  if (scores.length > 0) return mean(scores.map(({ cosine }) => Math.max(0, cosine)))
  const words = voices.map(({ details }) => contentWords(details.recommendation))
  return mean(pairsOf(words).map(([a, b]) => overlap(a, b)))
}

function vendorFactor(state: OpenedCouncil, voices: readonly CouncilOpinion[]): number {
  const vendors = voices.map(({ seat }) => seatOf(state, seat)?.vendor)
  const pairs = pairsOf(vendors)
  if (pairs.length === 0) return 1
  return 1 - (1 - SAME_VENDOR) * mean(pairs.map(([a, b]) => (a === b ? 1 : 0)))
}

export function agreementOf(state: OpenedCouncil): Criteria['agreement'] {
  const voices = voicesOf(state).filter(({ stance }) => stance !== UNSTATED)
  const stances = countStances(voices.map(({ stance }) => stance))
  const largest = Math.max(0, ...Object.values(stances))
  const stance = voices.length === 0 ? 0 : largest / voices.length
  const recommendation = recommendationSimilarity(state, voices)
  const isOpen = stances.answer === largest
  const weight = isOpen ? OPEN_STANCE_WEIGHT : STANCE_WEIGHT
  const factor = vendorFactor(state, voices)
  // A single opinion agrees with no one.
  const raw = voices.length < 2 ? 0 : weight * stance + (1 - weight) * recommendation
  return {
    score: rounded(raw * factor),
    stance: rounded(stance),
    recommendation: rounded(recommendation),
    by: (state.scored?.pairs ?? []).length > 0 ? 'embeddings' : 'words',
    vendor_factor: rounded(factor),
    stances,
  }
}
