// A seat's joined opinion over all parts of round one: the union of its answers, by rule. Every finding, risk
// and question is in it; it takes the worst of the stances and the lowest confidence, since a fault in one
// part is a fault of the whole. Nothing in it is a model's summary of itself.

import type { Occurrence } from '../../protocol.ts'
import type { OpinionJoined, ProviderFailure } from '../events.ts'
import { CONFIDENCES } from '../replies/finding.ts'
import { type OpinionAnswer, STAKES, type Stakes, type Stance, UNSTATED } from '../replies/opinion.ts'
import type { CallRecord, OpenedCouncil, Outcome } from '../state.ts'
import { missingParts, partsOf } from './parts.ts'

/** Worst first. An answer without a stance does not count. */
const WORST: readonly Stance[] = ['reject', 'need-info', 'answer', 'adopt']

const worstStance = (stances: readonly Stance[]): Stance =>
  WORST.find((stance) => stances.includes(stance)) ?? UNSTATED

/** Stakes that are unknown for one part are unknown for the whole, unless another part says that they are high. */
function highestStakes(stakes: readonly (Stakes | undefined)[]): Stakes {
  if (stakes.includes('high')) return 'high'
  if (stakes.some((each) => each === undefined || each === UNSTATED)) return UNSTATED
  return STAKES.findLast((each) => stakes.includes(each)) ?? UNSTATED
}

const distinct = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.filter((text) => text.trim() !== '')),
]

export function unionOf(answers: readonly OpinionAnswer[]): OpinionAnswer {
  const all = <Item>(of: (answer: OpinionAnswer) => readonly Item[]): readonly Item[] => answers.flatMap(of)
  const text = (of: (answer: OpinionAnswer) => string): string => distinct(answers.map(of)).join('\n\n')
  const texts = (of: (answer: OpinionAnswer) => readonly string[]): readonly string[] => distinct(all(of))
  return {
    stance: worstStance(answers.map(({ stance }) => stance)),
    summary: text(({ summary }) => summary),
    details: {
      understanding: text(({ details }) => details.understanding),
      key_considerations: texts(({ details }) => details.key_considerations),
      recommendation: text(({ details }) => details.recommendation),
      rationale: text(({ details }) => details.rationale),
    },
    risks: all(({ risks }) => risks),
    assumptions: texts(({ assumptions }) => assumptions),
    questions: texts(({ questions }) => questions),
    stakes: highestStakes(answers.map(({ stakes }) => stakes)),
    confidence: CONFIDENCES.find((each) => answers.some(({ confidence }) => confidence === each)) ?? 'low',
    alternatives: all(({ alternatives }) => alternatives),
    verification_plan: texts(({ verification_plan }) => verification_plan),
    in_scope: texts(({ in_scope }) => in_scope),
    out_of_scope: texts(({ out_of_scope }) => out_of_scope),
    information_needed: texts(({ information_needed }) => information_needed),
    findings: all(({ findings }) => findings),
  }
}

function failureOf(state: OpenedCouncil, seat: string): ProviderFailure {
  const known = partsOf(state, seat).flatMap(({ outcome }) =>
    outcome.ok || !outcome.failure ? [] : [outcome.failure],
  )
  const provider = state.seats.find((each) => each.seat === seat)?.provider ?? seat
  const erased = {
    error_type: 'parse_error',
    cause: null,
    error_message: 'what was recorded was erased',
  } as const
  return known[0] ?? { provider, round: 'R1', ...erased, retried: false, fallback_used: false }
}

/** What `opinion_joined` must contain for this seat now. */
export function joinedNow(state: OpenedCouncil, seat: string): Omit<OpinionJoined, 'action'> {
  const answers = partsOf(state, seat).flatMap(({ outcome }) => (outcome.ok ? (outcome.answer ?? []) : []))
  const missing = missingParts(state, seat)
  return answers.length > 0
    ? { seat, missing, opinion: unionOf(answers), failure: null }
    : { seat, missing, opinion: null, failure: failureOf(state, seat) }
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)

/** What all parts took together. */
function tookOf(state: OpenedCouncil, seat: string, event: Occurrence): CallRecord {
  const tooks = partsOf(state, seat).map(({ outcome }) => outcome.took)
  const answered = partsOf(state, seat).find(({ outcome }) => outcome.ok)?.outcome.took ?? tooks[0]
  const isProse = tooks.every(({ reading }) => reading === null || reading.outcome === 'prose')
  return {
    event: `${event.trace}/${event.seq}`,
    at: event.at,
    transport: answered?.transport ?? 'unknown',
    model: answered?.model ?? null,
    input_tokens: sumOf(tooks.map(({ input_tokens }) => input_tokens)),
    output_tokens: sumOf(tooks.map(({ output_tokens }) => output_tokens)),
    cost_usd: sumOf(tooks.map(({ cost_usd }) => cost_usd)),
    latency_ms: tooks.reduce((sum, { latency_ms }) => sum + latency_ms, 0),
    attempts: tooks.flatMap(({ attempts }) => attempts),
    reading: isProse ? (answered?.reading ?? null) : null,
  }
}

/** What counts for the seat once its parts are joined, whether its event is erased or not. */
export function joinedOutcome(state: OpenedCouncil, seat: string, event: Occurrence): Outcome<OpinionAnswer> {
  const took = tookOf(state, seat, event)
  const joined = event.payload as Pick<OpinionJoined, 'opinion' | 'failure'> | null
  if (joined?.opinion) return { ok: true, answer: joined.opinion, took }
  if (joined) return { ok: false, failure: joined.failure, took }
  const wasAnswered = partsOf(state, seat).some(({ outcome }) => outcome.ok)
  return wasAnswered ? { ok: true, answer: null, took } : { ok: false, failure: null, took }
}
