// Asking failed seats again. A fork names failures of its parent, and they are void there: a failed seat is
// asked again, and conclusions that were drawn without it are drawn again. Answers stay. Since edition 2.

import type { Refusal } from '../protocol.ts'
import { editionOf } from './editions.ts'
import type { Round } from './events.ts'
import { isInParts, missingParts } from './size/parts.ts'
import { type CouncilState, isOpenedCouncil, type OpenedCouncil, type Outcome } from './state.ts'

/** A failure that can be made void. */
export interface RetryableFailure {
  /** `trace/seq` of its event. */
  readonly event: string
  readonly round: Round
  readonly seat: string
}

type Outcomes<Answer> = ReadonlyMap<string, Outcome<Answer>>

const failedIn = <Answer>(outcomes: Outcomes<Answer>, round: Round): readonly RetryableFailure[] =>
  [...outcomes].flatMap(([seat, { ok, took }]) => (ok ? [] : [{ event: took.event, round, seat }]))

/** Seats that answered some parts of round one and not others: the missing parts can be asked for again. */
function joinedInPart(state: CouncilState): readonly RetryableFailure[] {
  if (!isOpenedCouncil(state) || !isInParts(state)) return []
  return [...state.opinions].flatMap(([seat, { ok, took }]) =>
    ok && missingParts(state, seat).length > 0 ? [{ event: took.event, round: 'R1', seat } as const] : [],
  )
}

/** In the order of the rounds. A chair's failure counts only where no chair reported. */
export function retryableFailures(state: CouncilState): readonly RetryableFailure[] {
  const { opinions, reviews, reports, seated } = state
  const isReported = reports.some(({ outcome }) => outcome.ok)
  const chairs = reports.map(
    ({ seat, outcome }) => ({ event: outcome.took.event, round: 'R3', seat }) as const,
  )
  const all = [
    ...failedIn(opinions, 'R1'),
    ...joinedInPart(state),
    ...failedIn(reviews, 'R2'),
    ...(isReported ? [] : chairs),
  ]
  return all.filter(({ seat }) => seated.has(seat))
}

/** Whether a failure can be asked again in a fork of this council. */
export const canRetry = (state: CouncilState): boolean =>
  isOpenedCouncil(state) && editionOf(state).additions && retryableFailures(state).length > 0

export function refuseRetry(state: OpenedCouncil, retry: readonly string[] | undefined): Refusal | null {
  if (retry === undefined) return null
  const invalid = (message: string): Refusal => ({ code: 'SCHEMA_INVALID', message })
  const known = retryableFailures(state)
  if (retry.length === 0 || new Set(retry).size !== retry.length)
    return invalid('a retry names failures, each once')
  const stray = retry.find((event) => known.every((failure) => failure.event !== event))
  if (stray !== undefined) return invalid(`${stray} is no failure that can be asked again`)
  // The number of failures decides whose turn it is to chair: some of them cannot be void alone.
  const chairs = known.filter(({ round }) => round === 'R3')
  const named = chairs.filter(({ event }) => retry.includes(event)).length
  return named === 0 || named === chairs.length ? null : invalid('the failures of chairs are void together')
}

const without = <Answer>(outcomes: Outcomes<Answer>, events: readonly string[]): Outcomes<Answer> =>
  new Map([...outcomes].filter(([, { took }]) => !events.includes(took.event)))

/** Parts that those seats did answer stay. */
const withoutFailedParts = ({ parts }: CouncilState, seats: ReadonlySet<string>): CouncilState['parts'] =>
  new Map([...parts].filter(([name, { ok }]) => ok || !seats.has(name.slice(0, name.lastIndexOf('/')))))

/** The state in which these failures never happened, and nothing was concluded from them. */
export function withoutFailures(state: CouncilState, retry: readonly string[] = []): CouncilState {
  if (retry.length === 0) return state
  const named = retryableFailures(state).filter(({ event }) => retry.includes(event))
  const rounds = new Set(named.map(({ round }) => round))
  const { decisions } = state
  return {
    ...state,
    opinions: without(state.opinions, retry),
    parts: withoutFailedParts(
      state,
      new Set(named.flatMap(({ round, seat }) => (round === 'R1' ? [seat] : []))),
    ),
    reviews: without(state.reviews, retry),
    // A report was written without the seats that are asked now.
    reports: [],
    incomplete: state.incomplete.filter(
      ({ round, seat }) =>
        round !== 'R3' && !named.some((each) => each.round === round && each.seat === seat),
    ),
    scored: rounds.has('R1') ? null : state.scored,
    decisions: {
      R1: rounds.has('R1') ? null : decisions.R1,
      R2: rounds.has('R1') || rounds.has('R2') ? null : decisions.R2,
    },
  }
}
