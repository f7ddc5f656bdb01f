// Seats and their ids. An id follows from the place at the table: the third seat's opinion is op-3 whether or
// not the first two answered.

import type { LeftOut, Round, SeatRecord } from './events.ts'
import { type CouncilOpinion, type OpinionAnswer, type Provenance, UNSTATED } from './replies/opinion.ts'
import type { CouncilReview, ReviewAnswer } from './replies/review.ts'
import type { CallRecord, CouncilState, OpenedCouncil, Outcome } from './state.ts'

export const seatOf = (state: CouncilState, name: string): SeatRecord | null =>
  state.seats.find(({ seat }) => seat === name) ?? null

const placeOf = (state: CouncilState, name: string): number =>
  state.seats.findIndex(({ seat }) => seat === name) + 1

export const opinionId = (state: CouncilState, seat: string): string => `op-${placeOf(state, seat)}`
const reviewId = (state: CouncilState, seat: string): string => `rv-${placeOf(state, seat)}`

/** Who is asked in round one. */
export const participants = (state: CouncilState): readonly SeatRecord[] =>
  state.seats.filter(({ seat, roles }) => state.seated.has(seat) && roles.includes('participant'))

/** A panel of checks alone: no model is asked, so there is nothing to review and no one to synthesise. */
export const isChecksOnly = (state: CouncilState): boolean => {
  const all = participants(state)
  return all.length > 0 && all.every(({ embedded }) => embedded)
}

function provenance(seat: SeatRecord, took: CallRecord): Provenance {
  return {
    event: took.event,
    seat: seat.seat,
    provider: seat.provider,
    model: took.model ?? seat.model,
    transport: took.transport,
    timestamp: took.at,
    usage: { input_tokens: took.input_tokens, output_tokens: took.output_tokens },
    cost_usd: took.cost_usd,
    latency_ms: took.latency_ms,
  }
}

function inOrder<Answer, Entry>(
  state: CouncilState,
  outcomes: ReadonlyMap<string, Outcome<Answer>>,
  make: (seat: SeatRecord, answer: Answer, took: CallRecord) => Entry,
): readonly Entry[] {
  return state.seats.flatMap((seat) => {
    const outcome = outcomes.get(seat.seat)
    return outcome?.ok && outcome.answer !== null ? [make(seat, outcome.answer, outcome.took)] : []
  })
}

const opinionsKnown = new WeakMap<CouncilState['opinions'], readonly CouncilOpinion[]>()
const reviewsKnown = new WeakMap<CouncilState['reviews'], readonly CouncilReview[]>()

/** The opinions that can be read, in the order of the table. */
export function opinionsOf(state: OpenedCouncil): readonly CouncilOpinion[] {
  const known = opinionsKnown.get(state.opinions)
  if (known) return known
  const { mode } = state.opened
  const made = inOrder(
    state,
    state.opinions,
    (seat, answer: OpinionAnswer, took): CouncilOpinion => ({
      id: opinionId(state, seat.seat),
      round: 'R1',
      mode,
      embedded: seat.embedded,
      ...provenance(seat, took),
      ...answer,
      ...(took.reading?.outcome === 'prose' ? ({ prose: true } as const) : {}),
    }),
  )
  opinionsKnown.set(state.opinions, made)
  return made
}

/** The opinions of models: what counts toward a quorum, a majority, agreement. */
export const voicesOf = (state: OpenedCouncil): readonly CouncilOpinion[] =>
  opinionsOf(state).filter(({ embedded }) => !embedded)

/** What a reviewer may see: every opinion but its own. */
export const othersThan = (state: OpenedCouncil, reviewer: string): readonly CouncilOpinion[] =>
  opinionsOf(state).filter(({ seat }) => seat !== reviewer)

/** Who is asked in round two: models at the table that gave an opinion and have another's to read. */
export const reviewers = (state: OpenedCouncil): readonly SeatRecord[] =>
  participants(state).filter(
    ({ seat, embedded }) =>
      !embedded && state.opinions.get(seat)?.ok === true && othersThan(state, seat).length > 0,
  )

export function reviewsOf(state: OpenedCouncil): readonly CouncilReview[] {
  const known = reviewsKnown.get(state.reviews)
  if (known) return known
  const { mode } = state.opened
  const opinions = opinionsOf(state)
  const made = inOrder(state, state.reviews, (seat, answer: ReviewAnswer, took): CouncilReview => {
    const own = opinions.find((opinion) => opinion.seat === seat.seat)
    const covered = new Set(answer.targets.map(({ opinion }) => opinion))
    return {
      id: reviewId(state, seat.seat),
      round: 'R2',
      mode,
      ...provenance(seat, took),
      ...answer,
      changed_position: own !== undefined && own.stance !== UNSTATED && own.stance !== answer.stance_after,
      uncovered: othersThan(state, seat.seat).flatMap(({ id, timestamp }) =>
        timestamp > took.at || covered.has(id) ? [] : [id],
      ),
    }
  })
  reviewsKnown.set(state.reviews, made)
  return made
}

export const isAsking = (state: CouncilState, round: Round): boolean => {
  for (const call of state.open.values()) if (call.round === round) return true
  return false
}

/** The seats that were left out, as text, with each reason once: three seats of one provider lack one key. */
export function leftOutInWords(
  leftOut: readonly Pick<LeftOut, 'seat' | 'reason'>[],
): readonly { readonly seats: string; readonly isOne: boolean; readonly reason: string }[] {
  const byReason = new Map<string, string[]>()
  for (const { seat, reason } of leftOut) byReason.set(reason, [...(byReason.get(reason) ?? []), seat])
  return [...byReason].map(([reason, names]) => {
    const others = names.slice(0, -1).join(', ')
    const seats = others === '' ? `${names[0]}` : `${others} and ${names.at(-1)}`
    return { seats, isOne: names.length === 1, reason }
  })
}
