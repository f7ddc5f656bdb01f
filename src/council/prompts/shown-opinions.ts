// What each reader of opinions is shown, in which order and under which names. A reviewer sees the others
// under letters, in its own order; the chair sees all under their ids. Order and letters follow from the
// seed. What was shown and is erased since keeps its place and its letter, so that the rest keeps its own.

import type { Sha256 } from '../../ledger/bytes.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import { type ErasedWords, erasedOpinions, erasedReviews } from '../erased-evidence.ts'
import type { CouncilOpinion } from '../replies/opinion.ts'
import type { CouncilReview } from '../replies/review.ts'
import { opinionId, opinionsOf, othersThan, reviewsOf } from '../seat-ids.ts'
import type { OpenedCouncil } from '../state.ts'
import { shuffled } from './chance.ts'

export interface Shown {
  /** The label for a reviewer, the id for the chair. */
  readonly name: string
  readonly opinion: CouncilOpinion
}

/** What was shown and is erased since. */
export interface Absent {
  readonly opinions: readonly ErasedWords[]
  readonly reviews: readonly ErasedWords[]
}

export const NOTHING_ABSENT: Absent = { opinions: [], reviews: [] }

/** A place in the order: what is shown there, or whose it was. */
type Place<Words> = { readonly seat: string; readonly event: string; readonly words: Words | null }

function places<Words extends ErasedWords>(
  { seats }: OpenedCouncil,
  known: readonly Words[],
  absent: readonly ErasedWords[],
): readonly Place<Words>[] {
  return seats.flatMap(({ seat }) => {
    const words = known.find((each) => each.seat === seat) ?? null
    const { event } = words ?? absent.find((each) => each.seat === seat) ?? {}
    return event === undefined ? [] : [{ seat, event, words }]
  })
}

const LABELS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** In any order of the table: every reviewer's own opinion is absent. */
function placesFor(
  sha256: Sha256,
  state: OpenedCouncil,
  reviewer: string,
  { opinions }: Absent,
): readonly (Place<CouncilOpinion> & { readonly name: string })[] {
  const others = opinions.filter(({ seat }) => seat !== reviewer)
  const all = places(state, othersThan(state, reviewer), others)
  const order = shuffled(sha256, state.opened.seed, `R2 ${reviewer}`, all)
  return order.map((place, i) => ({ ...place, name: LABELS[i] ?? `A${i}` }))
}

export const shownTo = (
  sha256: Sha256,
  state: OpenedCouncil,
  reviewer: string,
  absent: Absent = NOTHING_ABSENT,
): readonly Shown[] =>
  placesFor(sha256, state, reviewer, absent).flatMap(({ name, words }) =>
    words ? [{ name, opinion: words }] : [],
  )

/** Label → id of the opinion, for reading the review that comes back. */
export const labelsFor = (
  sha256: Sha256,
  state: OpenedCouncil,
  reviewer: string,
  absent: Absent = NOTHING_ABSENT,
): ReadonlyMap<string, string> =>
  new Map(placesFor(sha256, state, reviewer, absent).map(({ name, seat }) => [name, opinionId(state, seat)]))

const chairPlaces = (sha256: Sha256, state: OpenedCouncil, n: number, { opinions, reviews }: Absent) => ({
  opinions: shuffled(
    sha256,
    state.opened.seed,
    `R3 ${n} opinions`,
    places(state, opinionsOf(state), opinions),
  ),
  reviews: shuffled(sha256, state.opened.seed, `R3 ${n} reviews`, places(state, reviewsOf(state), reviews)),
})

export function shownToChair(
  sha256: Sha256,
  state: OpenedCouncil,
  n: number,
  absent: Absent = NOTHING_ABSENT,
): { readonly opinions: readonly Shown[]; readonly reviews: readonly CouncilReview[] } {
  const { opinions, reviews } = chairPlaces(sha256, state, n, absent)
  return {
    opinions: opinions.flatMap(({ words }) => (words ? [{ name: words.id, opinion: words }] : [])),
    reviews: reviews.flatMap(({ words }) => words ?? []),
  }
}

/** The events that are quoted as opinions and as reviews, in the order of the prompt. */
export interface Quoting {
  readonly opinions: readonly string[]
  readonly reviews: readonly string[]
}

const eventsOf = (list: readonly Place<unknown>[]): readonly string[] => list.map(({ event }) => event)

export const quotedFor = (
  sha256: Sha256,
  state: OpenedCouncil,
  reviewer: string,
  absent: Absent,
): Quoting => ({
  opinions: eventsOf(placesFor(sha256, state, reviewer, absent)),
  reviews: [],
})

export function quotedForChair(sha256: Sha256, state: OpenedCouncil, n: number, absent: Absent): Quoting {
  const { opinions, reviews } = chairPlaces(sha256, state, n, absent)
  return { opinions: eventsOf(opinions), reviews: eventsOf(reviews) }
}

export const eventsIn = (parts: readonly PromptPart[], named: 'opinions' | 'reviews'): readonly string[] =>
  parts.flatMap(({ quotes, name }) => (quotes?.kind === 'event' && name === named ? [quotes.id] : []))

/** What the prompt showed that was erased since. */
export function absentFrom(
  state: OpenedCouncil,
  { parts }: { readonly parts: readonly PromptPart[] },
): Absent {
  const [opinions, reviews] = [eventsIn(parts, 'opinions'), eventsIn(parts, 'reviews')]
  return {
    opinions: erasedOpinions(state).filter(({ event }) => opinions.includes(event)),
    reviews: erasedReviews(state).filter(({ event }) => reviews.includes(event)),
  }
}
