// Folds outcomes of asking a seat: an answer, a failure, an incomplete answer, or a refused length. An
// outcome with an erased payload is known to have arrived, from which seat and in which round, and ends the
// call that waited for it.

import { type AskingFields, RAW } from '../ledger/raw-reply.ts'
import type { Occurrence } from '../protocol.ts'
import type { ReadingRecord } from '../reply/reading-record.ts'
import { readAction } from './actions.ts'
import { editionOf } from './editions.ts'
import type * as is from './events.ts'
import type { OpinionAnswer } from './replies/opinion.ts'
import type { ReportAnswer } from './report/report.ts'
import { lengthKey, partName, shortDueChair } from './size/parts.ts'
import { type CallRecord, type CouncilState, type Outcome, pendingOf, type Span } from './state.ts'

type Asked = Partial<AskingFields> & {
  readonly action?: string
  readonly seat?: string
  readonly failure?: is.ProviderFailure
  readonly reading?: ReadingRecord | null
  readonly prose?: OpinionAnswer | null
}

export const idOf = ({ trace, seq }: Occurrence): string => `${trace}/${seq}`

function tookOf(event: Occurrence, p: Asked | null): CallRecord {
  return {
    event: idOf(event),
    at: event.at,
    transport: p?.transport ?? 'unknown',
    model: p?.model ?? null,
    input_tokens: p?.input_tokens ?? null,
    output_tokens: p?.output_tokens ?? null,
    cost_usd: p?.cost?.usd ?? null,
    latency_ms: p?.latency_ms ?? 0,
    attempts: (p?.attempts ?? []).map(({ transport, error_type, cause, error_message }) => ({
      transport,
      error_type,
      cause,
      error_message,
    })),
    reading: p?.reading ?? null,
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
function withoutEndedCall(state: CouncilState, event: Occurrence, round: is.Round): CouncilState['open'] {
  const action = event.payload?.action
  const open = new Map(state.open)
  if (typeof action === 'string') open.delete(action)
  else
    for (const [id, call] of open)
      if (call.round === round && call.seat === event.actor.agent) open.delete(id)
  return open
}

function addCost(state: CouncilState, took: CallRecord): CouncilState['cost'] {
  const { known, unknown, calls, lost } = state.cost
  const made = callsMade(state, took)
  return took.cost_usd === null
    ? { known, unknown: unknown + Math.min(made, 1), calls: calls + made, lost }
    : { known: known + took.cost_usd, unknown, calls: calls + made, lost }
}

/** A seat that could not be asked at all was sent nothing. */
function callsMade({ opened }: CouncilState, { attempts }: CallRecord): number {
  if (!opened || editionOf({ opened }).calls === 'outcomes') return 1
  return attempts.filter(({ cause }) => cause !== 'unavailable').length
}

export const extendSpan = (span: Span | undefined, event: Occurrence): Span => ({
  start: span?.start ?? event.at,
  asked: span?.asked ?? [],
  end: event.at,
  last: idOf(event),
})

function foldCallEnd(state: CouncilState, event: Occurrence, round: is.Round): CouncilState {
  const took = tookOf(event, event.payload as Asked | null)
  return {
    ...state,
    open: withoutEndedCall(state, event, round),
    cost: addCost(state, took),
    shortened: lengthsAfter(state, event, round),
    spans: { ...state.spans, [round]: extendSpan(state.spans[round], event) },
  }
}

/** Which part of round one was answered: as its action says, or, once that was erased, the call of this seat. */
function partOf({ open }: CouncilState, event: Occurrence, round: is.Round): number | null {
  if (round !== 'R1') return null
  const own = event.payload?.action
  if (typeof own === 'string') return readAction(own)?.part ?? null
  const calls = [...open].filter(([, call]) => call.round === 'R1' && call.seat === event.actor.agent)
  return readAction(calls[0]?.[0] ?? '')?.part ?? null
}

/** After a refused length a shorter prompt is due, where something can be left out; any other outcome settles it. */
function lengthsAfter(state: CouncilState, event: Occurrence, round: is.Round): CouncilState['shortened'] {
  const { opened, shortened } = state
  const key = lengthKey(round, event.actor.agent, partOf(state, event, round))
  const isTooLong = (event.payload as Asked | null)?.failure?.cause === 'context_too_long'
  const canBeShorter = round !== 'R1' || opened?.context.kind !== 'none'
  const isFirst = !shortened.has(key) && opened !== null && editionOf({ opened }).condensing === 2
  if (isTooLong && isFirst && canBeShorter) return new Map(shortened).set(key, true)
  return shortened.get(key) === true ? new Map(shortened).set(key, false) : shortened
}

/** The opinion of a seat, or its answer to one part. */
const withOpinion = (
  { opinions, parts }: CouncilState,
  seat: string,
  part: number | null,
  outcome: Outcome<OpinionAnswer>,
): Partial<Pick<CouncilState, 'opinions' | 'parts'>> =>
  part === null
    ? { opinions: new Map(opinions).set(seat, outcome) }
    : { parts: new Map(parts).set(partName(seat, part), outcome) }

/** One more call to a chair; if it was asked again about the same, the earlier call no longer counts. */
function withTry(
  state: CouncilState,
  seat: string,
  outcome: Outcome<ReportAnswer>,
): Pick<CouncilState, 'reports' | 'reportAsks'> {
  const isAgain = pendingOf(state, 'R3') !== null || shortDueChair(state) !== null
  const earlier = isAgain ? state.reports.slice(0, -1) : state.reports
  const purpose = earlier.at(-1)?.outcome.ok ? 'mend' : 'synthesis'
  const n = state.reportAsks + 1
  return { reports: [...earlier, { n, seat, purpose, outcome }], reportAsks: n }
}

export function foldOpinion(state: CouncilState, event: Occurrence): CouncilState {
  const seat = event.actor.agent
  const outcome = outcomeOf<OpinionAnswer>(event, 'opinion')
  const pendingProse = pendingOf(state, 'R1', seat)?.prose
  const incomplete = withoutPending(state, 'R1', seat)
  const part = partOf(state, event, 'R1')
  const answered = outcome.ok || !pendingProse ? withOpinion(state, seat, part, outcome) : {}
  return { ...foldCallEnd(state, event, 'R1'), ...answered, incomplete }
}

export function foldReview(state: CouncilState, event: Occurrence): CouncilState {
  const seat = event.actor.agent
  const reviews = new Map(state.reviews).set(seat, outcomeOf(event, 'review'))
  return { ...foldCallEnd(state, event, 'R2'), reviews, incomplete: withoutPending(state, 'R2', seat) }
}

export function foldReport(state: CouncilState, event: Occurrence): CouncilState {
  const seat = event.actor.agent
  const tried = withTry(state, seat, outcomeOf<ReportAnswer>(event, 'report'))
  return { ...foldCallEnd(state, event, 'R3'), ...tried, incomplete: withoutPending(state, 'R3', seat) }
}

/** Once the seat was asked again, what it lacked is settled, regardless of the outcome. */
const withoutPending = (state: CouncilState, round: is.Round, seat: string): CouncilState['incomplete'] =>
  state.incomplete.some((each) => each.isPending && each.round === round && each.seat === seat)
    ? state.incomplete.map((each) =>
        each.round === round && each.seat === seat ? { ...each, isPending: false } : each,
      )
    : state.incomplete

/** What counts for a seat until it has answered completely, or if it never does. */
export function foldIncomplete(state: CouncilState, event: Occurrence, round: is.Round): CouncilState {
  const p = event.payload as Asked | null
  const seat = event.actor.agent
  const took = tookOf(event, p)
  const raw = p?.artifacts?.find(({ name }) => name === RAW)?.hash ?? null
  const prose = p?.prose ?? null
  const provider = state.seats.find((each) => each.seat === seat)?.provider ?? seat
  const failure: is.ProviderFailure = {
    provider,
    round,
    error_type: 'parse_error',
    cause: null,
    error_message: `the answer lacks ${(p?.reading?.missing ?? []).join(', ')}`,
    retried: false,
    fallback_used: false,
  }
  const unanswered = { ok: false, failure: p && failure, took } as const
  const part = partOf(state, event, round)
  const pending = { event: idOf(event), round, seat, part, raw, took, prose, isPending: true }
  const next = {
    ...foldCallEnd(state, event, round),
    incomplete: [...withoutPending(state, round, seat), pending],
  }
  if (round === 'R3') return { ...next, ...withTry(state, seat, unanswered) }
  if (round === 'R2') return { ...next, reviews: new Map(state.reviews).set(seat, unanswered) }
  return {
    ...next,
    ...withOpinion(state, seat, part, prose ? { ok: true, answer: prose, took } : unanswered),
  }
}
