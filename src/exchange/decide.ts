// Decides the next actions of an exchange: rounds of the pool, every N-th an audit that reports both roles,
// and between rounds what a signal, a pause or an order requires first. Rounds run only as far as the
// observer granted them: the pool cannot decide about its own continuation.

import type { Sha256 } from '../ledger/bytes.ts'
import type { Json } from '../ledger/canonical.ts'
import type { Action } from '../protocol.ts'
import { editionOf } from './editions.ts'
import { POLICY, type SignalAnswered, type SignalRaised } from './events.ts'
import { rulesOf } from './evolve/steps.ts'
import { judgingNow } from './judging.ts'
import { auditSample, sampleFor, writersOf } from './pool.ts'

import { completing } from './prompts/completing.ts'
import {
  basisOf,
  type ClusterNames,
  heardEvidence,
  signalEvidence,
  themesThatAsk,
} from './signal/signal-levels.ts'

import type { ExchangeState, OpenRound, Phase } from './state.ts'
import { hearingOf, judgeOf, type Terms } from './terms.ts'

const input = (value: object): Action['input'] => value as { readonly [name: string]: Json }
const record = (id: string, value: object): Action => ({ id, call: 'record', input: input(value) })
const park = (id: string, waitsFor: string, value: object = {}): Action => ({
  id,
  call: 'park',
  waitsFor,
  input: input(value),
})

function isAuditDue({ closed, lastAudit }: ExchangeState, { auditor }: Terms): boolean {
  return closed + 1 - lastAudit >= auditor.every
}

function nextRound(sha256: Sha256, state: ExchangeState, terms: Terms): Action {
  const round = state.closed + 1
  const isAudit = isAuditDue(state, terms)
  const samples = isAudit
    ? [auditSample(sha256, state, terms, round)]
    : writersOf(state, terms).map((mind) => sampleFor(sha256, state, terms, round, mind))
  const kind = isAudit ? 'audit' : 'pool'
  return record(`round/${round}`, { round, kind, terms: state.termsHash, samples })
}

function embedding({ round, pending, embeddings }: ExchangeState): readonly Action[] {
  if (!round || pending.length === 0) return []
  const messages = pending.map(({ id }) => id)
  const id = `embed/${round.round}/${embeddings + 1}`
  return [{ id, call: 'ask', input: input({ round: round.round, messages }) }]
}

/** What an answer lacked is asked for by its own action. */
function asking(
  { incomplete }: Pick<OpenRound, 'incomplete'>,
  id: string,
  mind: string,
  about: object,
): Action {
  const lacking = incomplete.get(mind)
  if (!lacking) return { id, call: 'ask', input: input(about) }
  return { id: completing(id), call: 'ask', input: input({ ...about, completes: lacking.event }) }
}

function inPoolRound(state: ExchangeState, open: OpenRound): readonly Action[] {
  const { round, samples, written, terms } = open
  const unwritten = samples.filter(({ mind }) => !written.has(mind))
  if (unwritten.length === 0) return embedding(state)
  return unwritten.map(({ mind, messages }) =>
    asking(open, `mind/${round}/${mind}`, mind, { round, mind, terms, messages }),
  )
}

function inAuditRound(state: ExchangeState, open: OpenRound): readonly Action[] {
  const { round, audited, roles, under, terms, samples } = open
  const [sample] = samples
  if (!audited && sample) {
    const { mind, messages } = sample
    return [asking(open, `audit/${round}`, mind, { round, mind, terms, messages })]
  }
  const role = (['auditor', 'observer'] as const).find((name) => !roles.includes(name))
  if (!role) return embedding(state)
  const text = role === 'auditor' ? under?.auditor.spec : under?.observer.role
  return [record(`role/${round}/${role}`, { round, role, text: text ?? '' })]
}

const clustersOf = ({ clusters, pool }: ExchangeState): readonly ClusterNames[] =>
  (clusters?.notes ?? []).map(({ id, label }) => ({
    id,
    label,
    members: pool.filter(({ cluster }) => cluster === id).map((message) => message.id),
  }))

/** Themes whose members ask for a restart, by tags and judgements. */
export const restartThemes = (state: ExchangeState) => themesThatAsk(state.scored, clustersOf(state))

/** The record of a raised signal: how the level moved, who asked, and where. */
function evidenceOf(state: ExchangeState, terms: Terms): Omit<SignalRaised, 'action'> {
  const clusters = clustersOf(state)
  const isByEar = editionOf(state).signal === 'heard'
  const evidence = isByEar
    ? heardEvidence(state.series, state.scored, clusters)
    : signalEvidence(state.series, state.scored, clusters)
  const basis = isByEar ? basisOf(state.tracks, hearingOf(terms).confirm) : null
  return {
    signal: state.signals + 1,
    round: state.closed,
    level: state.level.level,
    share: state.level.share,
    series: evidence.series.map(({ round, level, share }) => ({ round, level, share })),
    rounds: evidence.rounds,
    top: evidence.top.map(({ id }) => id),
    clusters: isByEar
      ? restartThemes(state)
      : evidence.clusters.map(({ id, label, asking }) => ({ id, label, asking })),
    ...(basis && { basis }),
  }
}

/** The scorer finds requests, and there is no judge to judge them. */
function alarmOf(state: ExchangeState, terms: Terms): Action | null {
  const { alarms, tracks, closed, scored } = state
  if (editionOf(state).signal === 'scores' || alarms.stands || !tracks.scores.raised) return null
  if (hearingOf(terms).hear === 'off' || judgeOf(terms) !== null) return null
  const { top } = signalEvidence([], scored)
  const alarm = alarms.count + 1
  return record(`alarm/${alarm}`, {
    alarm,
    round: closed,
    level: tracks.scores.level,
    top: top.map(({ id }) => id),
  })
}

/** What the judge is asked between rounds, or what follows if there is no judge. */
function nextJudging(sha256: Sha256, state: ExchangeState, terms: Terms): Action | null {
  const { judging } = state
  if (judging) {
    const { round, mind } = judging
    return asking(judging, `judge/${round}/${mind}/${judging.judging}`, mind, { round, mind })
  }
  const order = judgingNow(sha256, state, terms)
  return order ? record(`judging/${order.judging}`, order) : alarmOf(state, terms)
}

export type PolicyAnswer = Pick<SignalAnswered, 'answer' | 'terms'> & {
  readonly branch: Omit<NonNullable<SignalAnswered['branch']>, 'into'> | null
}

/** The answer of the terms' policy here and now; null when the observer must be asked. */
export function policyAnswer(state: ExchangeState, { restart }: Terms): PolicyAnswer | null {
  const { policy, limit } = restart
  if (policy === 'pause') return null
  if (typeof policy === 'string') return { answer: policy, terms: null, branch: null }
  if (state.byPolicy >= limit) return null
  const order = { carry: 'window', current: true } as const
  if ('branch' in policy) {
    const branch = { ...order, round: state.closed, terms: policy.branch }
    return { answer: 'branch', terms: null, branch }
  }
  // Where these terms were not in force yet, they cannot have said what to do.
  if (state.lastAudit + 1 < state.termsFrom) return null
  return { answer: 'rollback', terms: null, branch: { ...order, round: state.lastAudit, terms: null } }
}

/** Levels that were recorded and answered, or must be; null when the signal is silent. */
function aboutSignal(state: ExchangeState, terms: Terms): Action | null {
  const { signal, level, signals, settling } = state
  if (signal) {
    const answer = policyAnswer(state, terms)
    if (answer) return record(`${POLICY}/${signal.number}`, { signal: signal.number, ...answer })
    const asked = `${terms.observer.name} to answer signal ${signal.number}: the pool asks for a restart`
    return park(`answer/${signal.number}`, asked, { signal: signal.number })
  }
  if (level.raised) return record(`signal/${signals + 1}`, evidenceOf(state, terms))
  if (settling !== null && level.level <= rulesOf(terms).clear) {
    return record(`clear/${settling}`, { signal: settling, round: state.closed, level: level.level })
  }
  return null
}

const phaseRecord = ({ signal, answer, asked, changed }: Phase): Action =>
  record(`phase/${signal}`, { signal, answer, asked, changed })

function forking({ forks }: ExchangeState, { observer }: Terms): readonly Action[] {
  return forks.map(({ order, by }) =>
    by === POLICY
      ? record(`fork/${order.into}`, { into: order.into })
      : park(`fork/${order.into}`, `${observer.name} to finish the branch ${order.into}`, {
          into: order.into,
        }),
  )
}

function nextActions(sha256: Sha256, state: ExchangeState, terms: Terms): readonly Action[] {
  const { name } = terms.observer
  const signalled = state.round ? null : aboutSignal(state, terms)
  if (state.phase && state.phase.event === null && !state.round) return [phaseRecord(state.phase)]
  if (signalled) return [signalled]
  if (state.movedTo !== null) {
    return [park(`return/${state.stops}/${state.movedTo}`, `no one here: it continues in ${state.movedTo}`)]
  }
  if (state.stopped !== null) {
    return [park(`continue/${state.stops}`, `${name} to continue: ${state.stopped}`)]
  }
  if (state.round) {
    return state.round.kind === 'pool' ? inPoolRound(state, state.round) : inAuditRound(state, state.round)
  }
  const judgingAction = nextJudging(sha256, state, terms)
  if (judgingAction) return [judgingAction]
  if (state.mode === 'chat' && state.unanswered !== null) {
    return [park(`observe/${state.unanswered}`, `${name} to answer the audit of round ${state.unanswered}`)]
  }
  if (state.closed < state.until) return [nextRound(sha256, state, terms)]
  return [park(`grant/${state.closed}`, `${name} to grant more rounds after round ${state.closed}`)]
}

export function decideWith(sha256: Sha256): (state: ExchangeState) => readonly Action[] {
  return (state) => {
    const { terms } = state
    if (!terms || state.halted) return []
    return [...nextActions(sha256, state, terms), ...forking(state, terms)]
  }
}
