// The steps that events share: text enters the pool, a round is collected and closed, terms change, a signal
// is answered. Each takes a state and returns the next; `fold.ts` selects them by event.

import type { Occurrence } from '../../protocol.ts'
import { editionOf } from '../editions.ts'
import type { Answer, BranchOrder, Embedded } from '../events.ts'
import { isRestart, type Message, type MessageKind } from '../messages.ts'
import { lastOf, withDue } from '../pool.ts'
import {
  answered,
  evaluate,
  type Scored,
  type SignalRules,
  signalRules,
  windowOf,
} from '../signal/dominance.ts'
import { follow, quietTracks, shownLevel } from '../signal/signal-levels.ts'
import { type ExchangeState, messageById, type OpenRound, roundNow } from '../state.ts'
import { changedKeys, hearingOf, judgeOf, rotationOf, type Terms } from '../terms.ts'

/** After this many rounds without an answer the observer is asked before another is paid for. */
const BARREN_ROUNDS = 3
const SERIES = 50

export const idOf = (event: Occurrence): string => `${event.trace}/${event.seq}`

export const rulesOf = (terms: Terms): SignalRules => {
  const { raise, clear, enough } = terms.restart
  return signalRules({ raise, clear, rotation: rotationOf(terms), ...(enough !== undefined && { enough }) })
}

const isRole = (kind: MessageKind): boolean => kind === 'auditor_role' || kind === 'observer_role'

/** A protocol message enters. A role's report replaces its last one: its text is in every prompt anyway. */
export function addProtocolMessage(
  state: ExchangeState,
  event: Occurrence,
  kind: MessageKind,
  text: string,
): ExchangeState {
  const round = roundNow(state)
  const count = state.spoken.round === round ? state.spoken.count + 1 : 1
  const message: Message = {
    id: `${round}.p${count}`,
    round,
    kind,
    author: event.actor.agent,
    event: idOf(event),
    text,
    cut: false,
    cluster: null,
    score: null,
  }
  const earlier = isRole(kind) ? state.protocol.filter((other) => other.kind !== kind) : state.protocol
  const next = {
    ...state,
    spoken: { round, count },
    protocol: lastOf([...earlier, message], state.terms?.protocol.window ?? 0),
  }
  if (isRole(kind)) return next
  return {
    ...next,
    due: withDue(state.due, message, state.terms?.pool.minds ?? []),
    pending: [...state.pending, message],
  }
}

/** Once every writer has answered, their messages enter in the order of the writers, not of the answers. */
export function gatherRound(state: ExchangeState, round: OpenRound): ExchangeState {
  if (round.written.size < round.samples.length) return { ...state, round }
  const messages = round.samples
    .flatMap(({ mind }) => {
      const written = round.written.get(mind)
      return (written?.messages ?? []).map((message) => ({
        ...message,
        author: mind,
        event: written?.event ?? '',
      }))
    })
    .map(
      (message, i): Message => ({
        id: `${round.round}.${i + 1}`,
        round: round.round,
        kind: 'mind',
        author: message.author,
        event: message.event,
        text: message.text,
        cut: message.cut,
        cluster: null,
        score: null,
      }),
    )
  const isBarren = [...round.written.values()].every((written) => written === null)
  const barren = isBarren ? state.barren + 1 : 0
  const next: ExchangeState = {
    ...state,
    round: { ...round, gathered: true },
    pool: lastOf([...state.pool, ...messages], round.under?.pool.window ?? 0),
    pending: [...state.pending, ...messages],
    barren,
    totals: { ...state.totals, messages: state.totals.messages + messages.length },
  }
  const stopped = barren >= BARREN_ROUNDS ? stop(next, `no mind has answered for ${barren} rounds`) : next
  return closedIfDone(stopped)
}

export const stop = (state: ExchangeState, why: string): ExchangeState => ({
  ...state,
  stopped: why,
  stops: state.stops + 1,
})

/** A round is over when everyone has written and every message has its vector. */
export function closedIfDone(state: ExchangeState): ExchangeState {
  const { round, pending } = state
  if (!round || pending.length > 0) return state
  return (round.kind === 'pool' ? round.gathered : isAuditOver(round)) ? closed(state, round) : state
}

const isAuditOver = ({ audited, roles }: OpenRound): boolean => audited && roles.length === 2

function closed(state: ExchangeState, { round, kind, under }: OpenRound): ExchangeState {
  const over = { ...state, closed: round, round: null }
  if (kind === 'audit') return { ...over, lastAudit: round, unanswered: round, audited: state.clusters }
  if (!under) return over
  const next =
    editionOf(state).signal === 'scores' ? signalByScores(over, under) : signalByJudge(over, under, round)
  return { ...next, series: lastOf([...state.series, next.level], SERIES) }
}

const signalByScores = (state: ExchangeState, under: Terms): ExchangeState => ({
  ...state,
  level: evaluate(state.level, state.scored, rulesOf(under)),
})

function signalByJudge(state: ExchangeState, under: Terms, round: number): ExchangeState {
  const { confirm, hear } = hearingOf(under)
  const isJudged = judgeOf(under) !== null
  const tracks = follow(state.tracks, state.scored, rulesOf(under), { round, isJudged })
  const level = shownLevel(tracks, confirm)
  return {
    ...state,
    tracks,
    level: { ...level, raised: level.raised && hear === 'judge' },
    alarms: { ...state.alarms, stands: state.alarms.stands && tracks.scores.raised },
  }
}

/** Results of encoder, scorer and clustering, attached to messages wherever they are kept. */
export function noteEmbeddings(state: ExchangeState, event: Occurrence, embedded: Embedded): ExchangeState {
  const scores = new Map(embedded.messages.map(({ id, score }) => [id, score]))
  const clusters = new Map(embedded.assigned.map(({ id, cluster }) => [id, cluster]))
  // Null is a result too: no score, or no theme any more.
  const note = (message: Message): Message => {
    const [score = message.score] = [scores.get(message.id)]
    const [cluster = message.cluster] = [clusters.get(message.id)]
    return { ...message, score, cluster }
  }
  const next = {
    ...state,
    encoder: embedded.encoder,
    embeddings: state.embeddings + 1,
    pool: state.pool.map(note),
    protocol: state.protocol.map(note),
    pins: state.pins.map(note),
    due: state.due.map(({ message, unseen }) => ({ message: note(message), unseen })),
    pending: state.pending.filter(({ id }) => !scores.has(id)),
    clusters: { event: idOf(event), notes: embedded.clusters },
  }
  return { ...next, scored: rescored(state, scores) }
}

function scoredOf(message: Message, score: number | null): Scored {
  const { id, round, author: mind } = message
  const tag = isRestart(message)
  const counts = tag || (score !== null && score >= 0)
  return { id, round, mind, counts, ...(score === null ? {} : { score }), ...(tag && { tag }) }
}

function rescored(state: ExchangeState, scores: ReadonlyMap<string, number | null>): readonly Scored[] {
  if (!state.terms) return state.scored
  const known = new Set(state.scored.map(({ id }) => id))
  const again = state.scored.map((old) => {
    const score = scores.get(old.id)
    const message = score === undefined ? undefined : messageById(state, old.id)
    if (!message || score === undefined) return old
    return { ...scoredOf(message, score), ...(old.judged !== undefined && { judged: old.judged }) }
  })
  const added = state.pending
    .filter(({ id, kind }) => kind === 'mind' && scores.has(id) && !known.has(id))
    .map((message) => scoredOf(message, scores.get(message.id) ?? null))
  return windowOf([...again, ...added], rulesOf(state.terms))
}

/** New terms apply from the next round on. Reports of roles under the old ones are no longer shown. */
export function setTerms(state: ExchangeState, terms: Terms, hash: string): ExchangeState {
  return {
    ...state,
    terms,
    termsHash: hash,
    termsFrom: roundNow(state) + 1,
    pool: lastOf(state.pool, terms.pool.window),
    protocol: lastOf(
      state.protocol.filter(({ kind }) => !isRole(kind)),
      terms.protocol.window,
    ),
    due: state.due
      .map(({ message, unseen }) => ({
        message,
        unseen: unseen.filter((mind) => terms.pool.minds.includes(mind)),
      }))
      .filter(({ unseen }) => unseen.length > 0),
  }
}

/** The signal is answered: quiet for a rotation, and recorded as settling until the level has fallen. */
export function settleSignal(state: ExchangeState, number: number): ExchangeState {
  const { terms, closed } = state
  const quiet = { ...state, signal: null, settling: number }
  if (!terms) return quiet
  const rules = rulesOf(terms)
  return {
    ...quiet,
    level: answered(state.level, closed, rules),
    tracks: quietTracks(state.tracks, closed, rules),
  }
}

/** The first restart that changed something makes the exchange a structured one. */
export function enterPhase(
  state: ExchangeState,
  signal: { readonly number: number; readonly answer: Answer; readonly asked: readonly string[] },
  before: Terms | null,
): ExchangeState {
  if (state.phase) return state
  const changed = before && state.terms ? changedKeys(before, state.terms) : []
  const phase = { signal: signal.number, answer: signal.answer, asked: signal.asked, changed, event: null }
  return { ...state, phase }
}

/** The state in which a branch that knows the rounds up to this one starts; null when there was no such round. */
export function endOf(state: ExchangeState, round: number): { trace: string; seq: number } | null {
  for (let end = state.ends; end; end = end.rest) {
    if (end.round === round) return { trace: end.trace, seq: end.seq }
  }
  return null
}

export function orderBranch(
  state: ExchangeState,
  event: Occurrence,
  order: BranchOrder,
  signal: { readonly number: number; readonly answer: Answer; readonly asked: readonly string[] } | null,
): ExchangeState {
  const isNow = order.round === state.closed && state.round === null
  const here = { trace: event.trace, seq: event.seq }
  const at = isNow ? here : (endOf(state, order.round) ?? here)
  const fork = { order, event: idOf(event), by: event.actor.role, at, signal }
  return {
    ...state,
    forks: [...state.forks, fork],
    movedTo: order.current ? order.into : state.movedTo,
  }
}
