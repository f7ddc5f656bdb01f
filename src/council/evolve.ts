// Folds one event of a council. Total: an event that was refused, or whose payload was erased, is folded as far as its
// header goes, so that a seat that answered is known to have answered even when nobody may read any more what.

import type { AskingFields } from '../ledger/asking.ts'
import { CALL_LOST, CALL_STARTED } from '../ledger/calls.ts'
import { msBetween } from '../ledger/clock.ts'
import { FORKED } from '../ledger/fork.ts'
import type { Occurrence } from '../protocol.ts'
import * as is from './events.ts'
import { readable } from './payload-check.ts'
import type { ReportAnswer } from './report/report.ts'
import type { CouncilState, Outcome, Span, Took } from './state.ts'

type Asked = Partial<AskingFields> & {
  readonly action?: string
  readonly seat?: string
  readonly failure?: is.ProviderFailure
}

const idOf = ({ trace, seq }: Occurrence): string => `${trace}/${seq}`

const ROUND_OF: ReadonlyMap<string, is.Round> = new Map([
  ['opinion', 'R1'],
  ['review', 'R2'],
  ['report', 'R3'],
])

/** Of `review/claude/2`: round two, claude. Of `report/1/1`, whose seat is not in its id, the payload says it. */
export function readAction(action: string): { readonly round: is.Round; readonly subject: string } | null {
  const from = action.indexOf('/')
  const to = action.lastIndexOf('/')
  const round = ROUND_OF.get(action.slice(0, from))
  return round && from > 0 && to > from ? { round, subject: action.slice(from + 1, to) } : null
}

function tookOf(event: Occurrence, p: Asked | null): Took {
  return {
    event: idOf(event),
    at: event.at,
    transport: p?.transport ?? 'unknown',
    model: p?.model ?? null,
    input_tokens: p?.input_tokens ?? null,
    output_tokens: p?.output_tokens ?? null,
    cost_usd: p?.cost?.usd ?? null,
    latency_ms: p?.latency_ms ?? 0,
    attempts: (p?.attempts ?? []).map(({ transport, error_type }) => ({ transport, error_type })),
  }
}

function outcomeOf<Answer>(event: Occurrence, member: string): Outcome<Answer> {
  const took = tookOf(event, event.payload as Asked | null)
  if (!event.type.endsWith('_given'))
    return { ok: false, failure: (event.payload as Asked | null)?.failure ?? null, took }
  const answer = (event.payload as { readonly [name: string]: unknown } | null)?.[member]
  return { ok: true, answer: (answer as Answer | undefined) ?? null, took }
}

/** Without the action of an erased outcome, its round and seat tell which call it ended. */
function ended(state: CouncilState, event: Occurrence, round: is.Round): CouncilState['open'] {
  const action = event.payload?.action
  const open = new Map(state.open)
  if (typeof action === 'string') open.delete(action)
  else
    for (const [id, call] of open)
      if (call.round === round && call.seat === event.actor.agent) open.delete(id)
  return open
}

function spent(state: CouncilState, took: Took): CouncilState['cost'] {
  const { known, unknown, calls, lost } = state.cost
  return took.cost_usd === null
    ? { known, unknown: unknown + 1, calls: calls + 1, lost }
    : { known: known + took.cost_usd, unknown, calls: calls + 1, lost }
}

const widened = (span: Span | undefined, event: Occurrence): Span => ({
  start: span?.start ?? event.at,
  asked: span?.asked ?? [],
  end: event.at,
  last: idOf(event),
})

function answered(state: CouncilState, event: Occurrence, round: is.Round): CouncilState {
  const took = tookOf(event, event.payload as Asked | null)
  return {
    ...state,
    open: ended(state, event, round),
    cost: spent(state, took),
    spans: { ...state.spans, [round]: widened(state.spans[round], event) },
  }
}

function started(state: CouncilState, event: Occurrence): CouncilState {
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
    spans: { ...state.spans, [call.round]: known },
  }
}

/** Who is asked for the n-th report: the chairs in turn; a mend goes back to who wrote. */
function chairOf(state: CouncilState, n: number): string {
  const last = state.reports.at(-1)
  if (last?.outcome.ok && n === last.n + 1) return last.seat
  const chairs = state.opened?.chairs ?? []
  const failed = state.reports.filter(({ outcome }) => !outcome.ok).length
  return chairs[failed % Math.max(1, chairs.length)] ?? ''
}

function lost(state: CouncilState, event: Occurrence): CouncilState {
  const open = new Map(state.open)
  open.delete(String(event.payload?.action ?? ''))
  return {
    ...state,
    open,
    cost: { ...state.cost, unknown: state.cost.unknown + 1, lost: state.cost.lost + 1 },
  }
}

function opened(state: CouncilState, event: Occurrence): CouncilState {
  const payload = event.payload && is.payloadOf(event, is.OPENED)
  const seats = Array.isArray(payload?.seats) ? payload.seats : []
  return {
    ...state,
    opened: payload,
    openedEvent: idOf(event),
    began: event.at,
    seats,
    seated: new Set(seats.map(({ seat }) => seat)),
  }
}

/** What was answered stays; what was concluded from it under other terms is concluded again. */
function forked(state: CouncilState, event: Occurrence): CouncilState {
  const amend = (event.payload?.amend ?? null) as is.Amendment | null
  // The parent paid for what it asked.
  const cost = { known: 0, unknown: 0, calls: 0, lost: 0 }
  const base: CouncilState = { ...state, began: event.at, open: new Map(), thinkingMs: 0, cost }
  if (!state.opened || !amend) return base
  const { seats = state.opened.seats, chairs = state.opened.chairs, policy = state.opened.policy } = amend
  const newly = seats.filter(({ seat }) => !state.seats.some((known) => known.seat === seat))
  const reseated = state.seats.map((known) => seats.find(({ seat }) => seat === known.seat) ?? known)
  return {
    ...base,
    opened: { ...state.opened, seats, chairs, policy },
    seats: [...reseated, ...newly],
    seated: new Set(seats.map(({ seat }) => seat)),
    reports: amend.chairs || amend.seats ? [] : state.reports,
    scored: amend.seats ? null : state.scored,
    decisions: amend.seats || amend.policy ? { R1: null, R2: null } : state.decisions,
    assembled: null,
    closedRounds: new Set(),
    closeRequested: null,
  }
}

function fold(state: CouncilState, event: Occurrence): CouncilState {
  const p = event.payload
  const seat = event.actor.agent
  switch (event.type) {
    case is.OPENED:
      return opened(state, event)
    case FORKED:
      return forked(state, event)
    case CALL_STARTED:
      return started(state, event)
    case CALL_LOST:
      return lost(state, event)
    case is.OPINION_GIVEN:
    case is.OPINION_FAILED: {
      const opinions = new Map(state.opinions).set(seat, outcomeOf(event, 'opinion'))
      return { ...answered(state, event, 'R1'), opinions }
    }
    case is.REVIEW_GIVEN:
    case is.REVIEW_FAILED: {
      const reviews = new Map(state.reviews).set(seat, outcomeOf(event, 'review'))
      return { ...answered(state, event, 'R2'), reviews }
    }
    case is.REPORT_GIVEN:
    case is.REPORT_FAILED: {
      const n = state.reportAsks + 1
      const purpose = state.reports.at(-1)?.outcome.ok ? 'mend' : 'synthesis'
      const outcome = outcomeOf<ReportAnswer>(event, 'report')
      const reports = [...state.reports, { n, seat, purpose, outcome } as const]
      return { ...answered(state, event, 'R3'), reports, reportAsks: n }
    }
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

/** An erased decision skipped nothing that can still be told. */
const unreadable = (after: 'R1' | 'R2'): is.ShortCircuitDecided => {
  const nothing = { triggered: false, reason: 'erased', rounds_skipped: [], confidence_adjustment: 0 }
  const agreement = {
    score: 0,
    stance: 0,
    recommendation: 0,
    by: 'words',
    vendor_factor: 1,
    stances: {},
  } as const
  const budget = { cost_at_least: 0, cost_unknown_calls: 0, minutes: 0, used: null }
  const criteria = { agreement, risk: { class: 'high', words: [] }, budget, r2_confirms: null } as const
  return { action: '', after, enabled: false, ...nothing, shadow: nothing, impossible: [], criteria }
}
const UNREADABLE = { R1: unreadable('R1'), R2: unreadable('R2') }

export function evolve(state: CouncilState, given: Occurrence): CouncilState {
  const event = readable(given)
  const next = fold(state, event)
  // The pause before a call is found lost is nobody's thinking.
  const thought = state.open.size > 0 && event.type !== CALL_LOST && event.type !== FORKED
  const thinkingMs = next.thinkingMs + (thought ? msBetween(state.at, event.at) : 0)
  return { ...next, trace: event.trace, at: event.at, thinkingMs }
}
