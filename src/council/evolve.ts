// Folds one event of a council. Total: an event that was refused, or whose payload was erased, is folded as
// far as its header goes, so that a seat that answered is known to have answered even when its answer can no
// longer be read.

import { CALL_LOST, CALL_STARTED } from '../ledger/calls.ts'
import { msBetween } from '../ledger/clock.ts'
import { FORKED } from '../ledger/fork.ts'
import type { Occurrence } from '../protocol.ts'
import { readAction } from './actions.ts'
import { UNREADABLE } from './closing.ts'
import * as is from './events.ts'
import { extendSpan, foldIncomplete, foldOpinion, foldReport, foldReview, idOf } from './evolve-outcome.ts'
import { readable } from './payload-check.ts'
import { withoutFailures } from './retry.ts'
import { joinedOutcome } from './size/join.ts'
import { shortDueChair } from './size/parts.ts'
import { type CouncilState, isOpenedCouncil, pendingOf, type Span } from './state.ts'

function foldStarted(state: CouncilState, event: Occurrence): CouncilState {
  const action = String(event.payload?.action ?? '')
  const call = readAction(action)
  if (!call) return state
  const seat = call.round === 'R3' ? chairOf(state, Number(call.subject)) : call.subject
  const span = state.spans[call.round]
  const asked = span?.asked ?? []
  const known: Span = {
    start: span?.start ?? event.at,
    end: span?.end ?? event.at,
    last: span?.last ?? idOf(event),
    asked: asked.includes(seat) ? asked : [...asked, seat],
  }
  return {
    ...state,
    open: new Map(state.open).set(action, { round: call.round, seat }),
    called: { [call.round]: event.hash, ...state.called },
    spans: { ...state.spans, [call.round]: known },
  }
}

/**
 * Who is asked for the n-th report: the chairs in turn; a correction is asked from its author, a shorter prompt
 * goes to the chair that refused.
 */
function chairOf(state: CouncilState, n: number): string {
  const again = pendingOf(state, 'R3')?.seat ?? shortDueChair(state)
  if (again !== null) return again
  const last = state.reports.at(-1)
  if (last?.outcome.ok && n === last.n + 1) return last.seat
  const chairs = state.opened?.chairs ?? []
  const failed = state.reports.filter(({ outcome }) => !outcome.ok).length
  return chairs[failed % Math.max(1, chairs.length)] ?? ''
}

/** A joined opinion. The seat was not asked for it. */
function foldJoined(state: CouncilState, event: Occurrence): CouncilState {
  if (!isOpenedCouncil(state)) return state
  const seat = event.actor.agent
  const opinions = new Map(state.opinions).set(seat, joinedOutcome(state, seat, event))
  return { ...state, opinions, spans: { ...state.spans, R1: extendSpan(state.spans.R1, event) } }
}

function foldLost(state: CouncilState, event: Occurrence): CouncilState {
  const open = new Map(state.open)
  open.delete(String(event.payload?.action ?? ''))
  return {
    ...state,
    open,
    cost: { ...state.cost, unknown: state.cost.unknown + 1, lost: state.cost.lost + 1 },
  }
}

function foldOpened(state: CouncilState, event: Occurrence): CouncilState {
  const payload = event.payload && is.payloadOf(event, is.OPENED)
  const seats = Array.isArray(payload?.seats) ? payload.seats : []
  return {
    ...state,
    opened: payload,
    openedEvent: idOf(event),
    began: event.at,
    begun: event.hash,
    seats,
    seated: new Set(seats.map(({ seat }) => seat)),
  }
}

/** Answers stay; conclusions that were drawn from them under other terms are drawn again. */
function foldFork(state: CouncilState, event: Occurrence): CouncilState {
  const amend = (event.payload?.amend ?? null) as is.Amendment | null
  // The parent paid for its own calls.
  const cost = { known: 0, unknown: 0, calls: 0, lost: 0 }
  const own = { began: event.at, begun: event.hash, open: new Map(), called: {}, thinkingMs: 0, cost }
  const base: CouncilState = { ...state, ...own }
  if (!state.opened || !amend) return base
  const remaining = withoutFailures(base, amend.retry)
  const { seats = state.opened.seats, chairs = state.opened.chairs, policy = state.opened.policy } = amend
  const newly = seats.filter(({ seat }) => !state.seats.some((known) => known.seat === seat))
  const reseated = state.seats.map((known) => seats.find(({ seat }) => seat === known.seat) ?? known)
  return {
    ...remaining,
    opened: { ...state.opened, seats, chairs, policy },
    seats: [...reseated, ...newly],
    seated: new Set(seats.map(({ seat }) => seat)),
    reports: amend.chairs || amend.seats ? [] : remaining.reports,
    incomplete: remaining.incomplete.filter(({ round }) => round !== 'R3' || !(amend.chairs || amend.seats)),
    scored: amend.seats ? null : remaining.scored,
    decisions: amend.seats || amend.policy ? { R1: null, R2: null } : remaining.decisions,
    assembled: null,
    closedRounds: new Set(),
    closeRequested: null,
  }
}

function fold(state: CouncilState, event: Occurrence): CouncilState {
  const p = event.payload
  switch (event.type) {
    case is.OPENED:
      return foldOpened(state, event)
    case FORKED:
      return foldFork(state, event)
    case CALL_STARTED:
      return foldStarted(state, event)
    case CALL_LOST:
      return foldLost(state, event)
    case is.OPINION_GIVEN:
    case is.OPINION_FAILED:
      return foldOpinion(state, event)
    case is.OPINION_INCOMPLETE:
      return foldIncomplete(state, event, 'R1')
    case is.OPINION_JOINED:
      return foldJoined(state, event)
    case is.REVIEW_INCOMPLETE:
      return foldIncomplete(state, event, 'R2')
    case is.REPORT_INCOMPLETE:
      return foldIncomplete(state, event, 'R3')
    case is.REVIEW_GIVEN:
    case is.REVIEW_FAILED:
      return foldReview(state, event)
    case is.REPORT_GIVEN:
    case is.REPORT_FAILED:
      return foldReport(state, event)
    case is.AGREEMENT_SCORED:
      return { ...state, scored: p && is.payloadOf(event, is.AGREEMENT_SCORED) }
    case is.SHORT_CIRCUIT_DECIDED: {
      const decided = p && is.payloadOf(event, is.SHORT_CIRCUIT_DECIDED)
      const after = decided?.after ?? (state.decisions.R1 ? 'R2' : 'R1')
      return { ...state, decisions: { ...state.decisions, [after]: decided ?? UNREADABLE[after] } }
    }
    case is.ROUND_CLOSED: {
      const round = p && is.payloadOf(event, is.ROUND_CLOSED).round
      return round ? { ...state, closedRounds: new Set(state.closedRounds).add(round) } : state
    }
    case is.CLOSE_REQUESTED:
      return { ...state, closeRequested: String(p?.reason ?? '') }
    case is.REPORT_ASSEMBLED: {
      const report = p && is.payloadOf(event, is.REPORT_ASSEMBLED).report
      return { ...state, assembled: { event: idOf(event), report } }
    }
    case is.CLOSED:
      return { ...state, closed: p && is.payloadOf(event, is.CLOSED), isClosed: true }
    default:
      return state
  }
}

export function evolve(state: CouncilState, occurrence: Occurrence): CouncilState {
  const event = readable(occurrence)
  const next = fold(state, event)
  // The pause before a call is found lost counts as no one's thinking time.
  const thought = state.open.size > 0 && event.type !== CALL_LOST && event.type !== FORKED
  const thinkingMs = next.thinkingMs + (thought ? msBetween(state.at, event.at) : 0)
  return { ...next, trace: event.trace, at: event.at, thinkingMs }
}
