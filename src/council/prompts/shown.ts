// What each reader of opinions is shown, in which order and under which names. A reviewer sees the others under letters,
// in an order of its own; the chair sees all under their ids. Order and letters follow from the seed.

import type { Sha256 } from '../../ledger/bytes.ts'
import { shuffled } from '../chance.ts'
import type { CouncilOpinion } from '../replies/opinion.ts'
import type { CouncilReview } from '../replies/review.ts'
import { opinionsOf, othersThan, reviewsOf } from '../seat-ids.ts'
import type { Convened } from '../state.ts'

export interface Shown {
  /** The label for a reviewer, the id for the chair. */
  readonly name: string
  readonly opinion: CouncilOpinion
}

const LABELS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Whatever the order at the table: every reviewer's own opinion is absent. */
export function shownTo(sha256: Sha256, state: Convened, reviewer: string): readonly Shown[] {
  const order = shuffled(sha256, state.opened.seed, `R2 ${reviewer}`, othersThan(state, reviewer))
  return order.map((opinion, i) => ({ name: LABELS[i] ?? `A${i}`, opinion }))
}

/** Label → id of the opinion, for reading the review that comes back. */
export const labelsFor = (sha256: Sha256, state: Convened, reviewer: string): ReadonlyMap<string, string> =>
  new Map(shownTo(sha256, state, reviewer).map(({ name, opinion }) => [name, opinion.id]))

export function shownToChair(
  sha256: Sha256,
  state: Convened,
  n: number,
): { readonly opinions: readonly Shown[]; readonly reviews: readonly CouncilReview[] } {
  const { seed } = state.opened
  const opinions = shuffled(sha256, seed, `R3 ${n} opinions`, opinionsOf(state))
  return {
    opinions: opinions.map((opinion) => ({ name: opinion.id, opinion })),
    reviews: shuffled(sha256, seed, `R3 ${n} reviews`, reviewsOf(state)),
  }
}
