// The stage of a council: which seats each round still waits for, whether it can continue, and what ends it.
// One function of the state, used for deciding, for refusing and for closing alike.

import { type Edition, editionOf } from './editions.ts'
import type { CouncilStatus, ProviderFailure, Round, SeatRecord } from './events.ts'
import { unknownCitations } from './report/citations.ts'
import { isAsking, isChecksOnly, participants, reviewers, voicesOf } from './seat-ids.ts'
import { isOverBudget } from './short-circuit/budget.ts'
import { isInParts, isShortDue, nextPart, partsOf, shortDueChair } from './size/parts.ts'
import { type OpenedCouncil, pendingOf, type ReportAttempt } from './state.ts'

export type Stage =
  | {
      readonly is: 'asking'
      readonly round: 'R1' | 'R2'
      readonly seats: readonly SeatRecord[]
      /** Seats whose answers to parts of round one are to be joined. */
      readonly joins: readonly string[]
    }
  | {
      readonly is: 'synthesis'
      readonly n: number
      readonly seat: string
      readonly mend: boolean
      /** The event of the incomplete report; null for a new one. */
      readonly completes: string | null
    }
  | { readonly is: 'waiting' }
  | { readonly is: 'scoring' }
  | { readonly is: 'deciding'; readonly after: 'R1' | 'R2' }
  | { readonly is: 'assembling'; readonly synthesis: 'fallback' | 'none' }
  | { readonly is: 'closing'; readonly status: CouncilStatus; readonly reason: string }

const closing = (status: CouncilStatus, reason: string): Stage => ({ is: 'closing', status, reason })

/** Whether anyone may still be asked in this round. */
const mayAsk = (state: OpenedCouncil, round: Round): boolean =>
  state.closeRequested === null && !state.closedRounds.has(round) && !isOverBudget(state)

function unasked(state: OpenedCouncil, round: Round): string {
  if (state.closeRequested !== null) return 'the council was closed before an answer came'
  return state.closedRounds.has(round)
    ? 'the round was closed before an answer came'
    : 'the budget was used up before an answer came'
}

const seatsOf = (state: OpenedCouncil, round: 'R1' | 'R2'): readonly SeatRecord[] =>
  round === 'R1' ? participants(state) : reviewers(state)

/** A failure as results list it: with the seat, since several may be of one provider. */
export type SeatFailure = ProviderFailure & { readonly seat: string }

/** Seats that were to answer in this round and did not, with the recorded reason or ours. */
export function failuresOf(state: OpenedCouncil, round: 'R1' | 'R2'): readonly SeatFailure[] {
  const outcomes = round === 'R1' ? state.opinions : state.reviews
  return seatsOf(state, round).flatMap(({ seat, provider }) => {
    const outcome = outcomes.get(seat)
    if (outcome?.ok) return []
    if (outcome?.failure) return [{ ...outcome.failure, seat }]
    const message = outcome ? 'the recorded failure was erased' : unasked(state, round)
    const details = { error_message: message, retried: false, fallback_used: false }
    return [{ seat, provider, round, error_type: 'timeout', cause: 'aborted', ...details }]
  })
}

/** Seats that are asked about parts, and seats whose answers are joined: once all are there, or no more are asked for. */
function partsStage(state: OpenedCouncil): Stage | null {
  const missing = participants(state).filter(({ seat }) => !state.opinions.has(seat))
  const open = new Set([...state.open.values()].flatMap(({ round, seat }) => (round === 'R1' ? [seat] : [])))
  const mayGoOn = mayAsk(state, 'R1')
  const seats = mayGoOn ? missing.filter(({ seat }) => nextPart(state, seat) !== null) : []
  const joins = missing.flatMap(({ seat }) => {
    const isLeft = mayGoOn && nextPart(state, seat) !== null
    return isLeft || open.has(seat) || partsOf(state, seat).length === 0 ? [] : [seat]
  })
  if (seats.length + joins.length > 0) return { is: 'asking', round: 'R1', seats, joins }
  return isAsking(state, 'R1') ? { is: 'waiting' } : null
}

/** Null once the round is over. */
function roundStage(state: OpenedCouncil, round: 'R1' | 'R2'): Stage | null {
  if (round === 'R1' && isInParts(state)) return partsStage(state)
  const outcomes = round === 'R1' ? state.opinions : state.reviews
  const missing = seatsOf(state, round).filter(
    ({ seat }) =>
      !outcomes.has(seat) || pendingOf(state, round, seat) !== null || isShortDue(state, round, seat),
  )
  if (missing.length > 0 && mayAsk(state, round)) return { is: 'asking', round, seats: missing, joins: [] }
  return isAsking(state, round) ? { is: 'waiting' } : null
}

/** The number of models' opinions, or of the panel's when there are only checks. */
export const opinionCount = (state: OpenedCouncil): number =>
  isChecksOnly(state)
    ? participants(state).filter(({ seat }) => state.opinions.get(seat)?.ok).length
    : voicesOf(state).length

export const opinionQuorum = (state: OpenedCouncil): number =>
  isChecksOnly(state) ? 1 : state.opened.policy.quorum.r1_min

function closeIfRequested(state: OpenedCouncil): Stage | null {
  return state.closeRequested === null ? null : closing('closed_early', state.closeRequested)
}

function failIfPartial(state: OpenedCouncil, round: 'R1' | 'R2'): Stage | null {
  if (state.opened.policy.quorum.allow_partial) return null
  const failed = failuresOf(state, round).map(({ provider }) => provider)
  return failed.length === 0 ? null : closing('failed', `${failed.join(', ')} failed in ${round}`)
}

/** Why round one did not lead to a report; null when it did. */
function shortOfR1(state: OpenedCouncil): Stage | null {
  const [has, needs] = [opinionCount(state), opinionQuorum(state)]
  if (has < needs)
    return closeIfRequested(state) ?? closing('quorum_failed', `${has} of at least ${needs} opinions in R1`)
  return state.closeRequested === null ? failIfPartial(state, 'R1') : null
}

function shortOfR2(state: OpenedCouncil): Stage | null {
  const has = [...state.reviews.values()].filter(({ ok }) => ok).length
  const needs = state.opened.policy.quorum.r2_min
  if (has < needs) return closing('quorum_failed', `${has} of at least ${needs} reviews in R2`)
  return failIfPartial(state, 'R2')
}

export const isR1Complete = (state: OpenedCouncil): boolean =>
  roundStage(state, 'R1') === null && opinionCount(state) >= opinionQuorum(state)

const skipsR2 = (state: OpenedCouncil): boolean => {
  const decided = state.decisions.R1
  return decided !== null && (decided.rounds_skipped.includes('R2') || decided.impossible.includes('R2'))
}

const skipsR3 = (state: OpenedCouncil): boolean => {
  const decided = state.decisions.R2
  return decided !== null && (decided.rounds_skipped.includes('R3') || decided.impossible.includes('R3'))
}

/** The chair's report that counts: the last one given. */
export const lastReport = (state: OpenedCouncil): ReportAttempt | null =>
  state.reports.findLast(({ outcome }) => outcome.ok) ?? null

/** How often chairs are asked in all, by how many there are and whether one must answer. */
const CHAIR_ATTEMPTS: Readonly<Record<Edition['chairing'], (chairs: number, required: boolean) => number>> = {
  1: (chairs, required) => Math.max(required ? 2 : 1, chairs),
  // Once each: the one retry is the seat's own.
  2: (chairs) => chairs,
}

const chairAttempts = (state: OpenedCouncil): number => {
  const { chairs, policy } = state.opened
  return CHAIR_ATTEMPTS[editionOf(state).chairing](chairs.length, policy.quorum.r3_required)
}

function synthesisStage(state: OpenedCouncil): Stage {
  if (isAsking(state, 'R3')) return { is: 'waiting' }
  const report = lastReport(state)
  const n = state.reportAsks + 1
  const pending = pendingOf(state, 'R3')
  const again = pending?.seat ?? shortDueChair(state)
  if (again !== null && mayAsk(state, 'R3')) {
    const mend = state.reports.at(-1)?.purpose === 'mend'
    return { is: 'synthesis', n, seat: again, mend, completes: pending?.event ?? null }
  }
  if (report) {
    const mended = state.reports.some(({ purpose }) => purpose === 'mend')
    const answer = report.outcome.ok ? report.outcome.answer : null
    const unknown = answer && !mended ? unknownCitations(state, answer) : []
    if (unknown.length > 0 && mayAsk(state, 'R3'))
      return { is: 'synthesis', n, seat: report.seat, mend: true, completes: null }
    return closing('reported', 'a chair reported')
  }
  const failed = state.reports.length
  const seat = state.opened.chairs[failed % Math.max(1, state.opened.chairs.length)]
  if (seat !== undefined && failed < chairAttempts(state) && mayAsk(state, 'R3'))
    return { is: 'synthesis', n, seat, mend: false, completes: null }
  if (!state.opened.policy.quorum.allow_partial && failed > 0)
    return closing('failed', 'every chair failed in R3')
  const isChairFault = failed > 0 || state.closedRounds.has('R3')
  return { is: 'assembling', synthesis: isChairFault ? 'fallback' : 'none' }
}

/** After an assembled report: why it was not a chair's. */
function assembledStage(state: OpenedCouncil): Stage {
  if (state.closeRequested !== null) return closing('closed_early', state.closeRequested)
  if (skipsR3(state)) return closing('reported', state.decisions.R2?.reason ?? '')
  if (state.reports.length === 0 && isOverBudget(state))
    return closing('over_budget', 'the budget was used up')
  return closing('degraded', 'no chair answered')
}

export function stageOf(state: OpenedCouncil): Stage {
  if (state.assembled !== null) return assembledStage(state)
  const first = roundStage(state, 'R1') ?? shortOfR1(state)
  if (first) return first
  const none: Stage = { is: 'assembling', synthesis: 'none' }
  const stops = state.closeRequested !== null || (isOverBudget(state) && lastReport(state) === null)
  if (state.decisions.R1 === null) {
    if (state.closeRequested !== null) return none
    const unscored = state.opened.policy.short_circuit.embeddings && state.scored === null
    return unscored && voicesOf(state).length > 1 ? { is: 'scoring' } : { is: 'deciding', after: 'R1' }
  }
  if (!skipsR2(state)) {
    const second = roundStage(state, 'R2') ?? (stops ? null : shortOfR2(state))
    if (second) return second
  }
  if (stops && !isAsking(state, 'R3'))
    return lastReport(state) ? closing('reported', 'a chair reported') : none
  if (state.decisions.R2 === null) return { is: 'deciding', after: 'R2' }
  return skipsR3(state) ? none : synthesisStage(state)
}
