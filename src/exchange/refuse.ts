// Whether an event may be recorded, once its actor has the power. Records of the clerk must be exactly what
// the protocol computes from earlier events; what people and minds say is checked against the terms and
// against what is open.

import { canonicalize } from '../ledger/canonical.ts'
import { type Artifact, artifactsOf } from '../ledger/event.ts'
import { FORKED } from '../ledger/fork.ts'
import { dimensionOf } from '../ledger/vector.ts'
import type { Action, Occurrence, Refusal } from '../protocol.ts'
import { leftOut } from './audit.ts'
import { editionOf } from './editions.ts'
import {
  type AuditWritten,
  type Embedded,
  type MindWrote,
  OUTCOMES,
  type RestartJudged,
  type SignalAnswered,
} from './events.ts'
import { vectorsProblem } from './examine.ts'
import { meansRefusal } from './means.ts'
import { withoutPrefix } from './messages.ts'
import { unread } from './pool.ts'
import { branchRefusal, orderRefusal, policyRefusal } from './refuse/branching.ts'
import { openingRefusal } from './refuse/opening.ts'
import { readingRefusal } from './refuse/readings.ts'
import {
  courseSince,
  lacking,
  misshapen,
  order,
  POOL,
  ROUNDS,
  SIGNALS,
  termsSince,
} from './refuse/refusals.ts'
import { shapeProblem, speakersOf } from './schema.ts'
import { rounded } from './signal/dominance.ts'
import { type ExchangeState, messageById, visible } from './state.ts'
import { type Terms, termsProblem } from './terms.ts'

const MOST_PINS = 20

/** Records that contain only what the protocol computes: round, roles, signal, phase. */
const WORKED_OUT = new Set([
  'round_opened',
  'role_reported',
  'judging_opened',
  'restart_alarmed',
  'signal_raised',
  'signal_cleared',
  'phase_changed',
])

function notWorkedOut(state: ExchangeState, event: Occurrence, decided: readonly Action[]): Refusal | null {
  const { action, ...recorded } = event.payload ?? {}
  const wanted = decided.find(({ id }) => String(action).startsWith(`${id}/`))
  if (wanted && canonicalize(wanted.input) === canonicalize(recorded)) return null
  const isRole = event.type === 'role_reported'
  const what = isRole ? 'the role is not as the terms state it' : 'it says something else'
  const { termsSince: since, round } = state
  const lacks = wanted && isRole ? termsSince(round?.underSince ?? since) : courseSince(since)
  return lacking(`${event.type} is not what follows from round ${state.closed}: ${what}`, ...lacks)
}

/** An answer names the round, and the mind, that its action is for. */
function namesItsAction({ type, payload }: Occurrence): boolean {
  if (!Object.hasOwn(OUTCOMES, type) || WORKED_OUT.has(type)) return true
  const isNamed = /^(?:mind_|judge_|restart_judged$)/.test(type)
  const mind = isNamed ? `/${payload?.mind}` : ''
  const kind = OUTCOMES[type as keyof typeof OUTCOMES]
  return String(payload?.action).startsWith(`${kind}/${payload?.round}${mind}/`)
}

function hasAsking(artifacts: readonly Artifact[]): boolean {
  return ['request.json', 'reply.json'].every((name) => artifacts.some((artifact) => artifact.name === name))
}

function wroteRefusal(
  state: ExchangeState,
  { round, mind, messages }: MindWrote,
  terms: Terms,
): Refusal | null {
  const open = state.round
  if (open?.kind !== 'pool' || open.round !== round) return lacking('no such round is open', ...ROUNDS)
  const isWriter = open.samples.some((sample) => sample.mind === mind)
  if (!isWriter || open.written.has(mind)) return order(`${mind} has no turn in round ${round}`)
  const { max_messages, max_chars } = open.under?.pool ?? terms.pool
  if (messages.length > max_messages) return misshapen('more messages than the terms allow')
  const blank = messages.some(({ text }) => text.trim() !== text || text === '')
  if (blank) return misshapen('a message is empty or untrimmed')
  return messages.some(({ text }) => text.length > max_chars)
    ? misshapen('a message is longer than the terms allow')
    : null
}

function auditRefusal(state: ExchangeState, audit: AuditWritten): Refusal | null {
  const open = state.round
  if (open?.kind !== 'audit' || open.round !== audit.round || open.audited) {
    return lacking('no audit is due here', ...ROUNDS)
  }
  const { material } = open
  for (const { cites } of audit.points) {
    const unknown = cites.find((id) => !material.has(id))
    if (cites.length === 0) return { code: 'CLAIM_UNPROVEN', message: 'a point of the audit cites nothing' }
    if (unknown !== undefined) {
      const message = 'a point of the audit cites a message that the auditor was not shown'
      return { code: 'CLAIM_UNPROVEN', message, lacks: POOL }
    }
  }
  const expected = leftOut(audit.points, { material, clusters: state.clusters?.notes ?? [] })
  return canonicalize(expected) === canonicalize(audit.left_out)
    ? null
    : lacking('the clusters that the audit left out are listed wrongly', ...POOL)
}

function judgedRefusal(
  { judging }: ExchangeState,
  event: Occurrence,
  payload: RestartJudged,
): Refusal | null {
  if (!judging) return lacking('no judge is asked here', ...SIGNALS)
  if (payload.mind !== judging.mind || payload.round !== judging.round)
    return misshapen('another judge is asked here')
  if (!hasAsking(artifactsOf(event.payload ?? {})))
    return misshapen('what was asked and answered is not kept')
  const ids = payload.asks.map(({ id }) => id)
  if (new Set(ids).size < ids.length) return misshapen('a message is cited twice')
  return ids.every((id) => judging.shown.includes(id))
    ? null
    : { code: 'CLAIM_UNPROVEN', message: 'a message is cited that the judge was not shown', lacks: SIGNALS }
}

/** For a finished round, by its id: the fold no longer knows what left the window. */
function isOfEarlier({ closed }: ExchangeState, id: string): boolean {
  const round = /^(\d{1,9})\.p?\d{1,9}$/.exec(id)?.[1]
  return round !== undefined && Number(round) <= closed
}

function embeddedRefusal(state: ExchangeState, event: Occurrence, embedded: Embedded): Refusal | null {
  const again = event.type === 'reembedded'
  if (again && state.round) return lacking('vectors are made again between rounds, not within one', ...ROUNDS)
  if (dimensionOf(embedded.encoder) === 0) return misshapen('the encoder names no dimension')
  if (!again && embedded.encoder !== state.encoder) {
    return order('another encoder than the one of this exchange; make all vectors again first')
  }
  const ids = new Set(embedded.messages.map(({ id }) => id))
  const known = new Map([...visible(state), ...state.pending].map((message) => [message.id, message]))
  const isHere = (id: string): boolean => known.has(id) || (again && isOfEarlier(state, id))
  const stranger =
    [...ids].find((id) => !isHere(id)) ?? embedded.assigned.find(({ id }) => !known.has(id))?.id
  if (stranger !== undefined) return lacking('vectors of a message that is not here', ...POOL)
  if (ids.size < embedded.messages.length) return misshapen('a message has two vectors')
  const uncounted = vectorsProblem(event)
  if (uncounted) return misshapen(uncounted)
  const owed = again
    ? state.pool.filter(() => embedded.encoder !== state.encoder)
    : state.pending.filter(({ kind }) => kind === 'mind')
  if (owed.some(({ id }) => !ids.has(id)))
    return lacking('a message of the window is left without a vector', ...POOL)
  if (!again && [...ids].some((id) => !state.pending.some((message) => message.id === id))) {
    return lacking('a message that has its vector is given another', ...POOL)
  }
  for (const { id, score } of embedded.messages) {
    if (score !== null && known.get(id)?.kind !== 'mind') return misshapen('only what minds write is scored')
    if (score !== null && rounded(score) !== score) return misshapen('a score is not rounded to 1e-4')
  }
  return null
}

function answerRefusal(
  state: ExchangeState,
  event: Occurrence,
  payload: SignalAnswered,
  terms: Terms,
): Refusal | null {
  const { signal } = state
  if (signal?.number !== payload.signal) {
    return lacking(
      'no such signal waits for an answer: it was answered before, or never raised',
      'signal_raised',
    )
  }
  const { answer, branch } = payload
  const leadsOn = answer === 'branch' || answer === 'rollback'
  if (leadsOn !== (branch !== null)) return misshapen(`${answer} and a branch do not go together`)
  if ((answer === 'amend') !== (payload.terms !== null))
    return misshapen(`${answer} and new terms do not go together`)
  if (event.actor.role === 'policy') return policyRefusal(state, event, payload, terms)
  if (payload.terms !== null) return amendRefusal(state, payload.terms)
  if (branch && !branch.current) return misshapen('an answer that leads on makes the branch the current one')
  return branch ? orderRefusal(state, event, branch) : null
}

function amendRefusal(state: ExchangeState, terms: unknown): Refusal | null {
  const problem = termsProblem(terms, editionOf(state).signal)
  if (problem) return misshapen(`the terms are not sound: ${problem}`)
  return canonicalize(terms) === canonicalize(state.terms) ? order('these terms are in force already') : null
}

function wordsRefusal(state: ExchangeState, event: Occurrence, terms: Terms): Refusal | null {
  const kind = event.type === 'injected' ? 'injection' : 'observer'
  const text = String(event.payload?.text)
  if (withoutPrefix(kind, text) !== text || text === '') {
    return misshapen(
      'words are recorded trimmed and without their prefix, which is added once when they are shown',
    )
  }
  const audit = event.payload?.audit ?? null
  if (audit !== null && audit !== state.lastAudit) return lacking('there was no such audit', ...ROUNDS)
  return unread(state) >= terms.protocol.window
    ? order('as much as the pool may keep waits to be read already; let it run first')
    : null
}

function steeringRefusal(state: ExchangeState, event: Occurrence): Refusal | null {
  const p = event.payload ?? {}
  switch (event.type) {
    case 'pinned': {
      if (state.pins.some(({ id }) => id === p.message)) return order('it is pinned already')
      if (state.pins.length >= MOST_PINS) return order(`no more than ${MOST_PINS} messages can be pinned`)
      const message = messageById(state, String(p.message))
      return message ? null : lacking('no such message is in the pool', ...POOL)
    }
    case 'unpinned':
      return state.pins.some(({ id }) => id === p.message)
        ? null
        : lacking('it is not pinned', 'pinned', ...POOL)
    case 'observer_passed':
      return p.audit === state.unanswered ? null : lacking('no such audit waits for the observer', ...ROUNDS)
    case 'paused':
      return state.stopped === null ? null : order('it is paused already')
    case 'continued':
      if (state.signal) return lacking(`signal ${state.signal.number} waits for an answer first`, ...SIGNALS)
      return Number(p.until) < state.closed ? order('those rounds are over') : null
    case 'branched': {
      const fork = state.forks.find(({ order: { into } }) => into === p.into)
      if (!fork) return lacking('no such branch was ordered', 'branch_ordered', 'signal_answered')
      return fork.by === event.actor.role ? null : order('only the role that ordered a branch can make it')
    }
    default:
      return null
  }
}

export function refuseWith(decide: (state: ExchangeState) => readonly Action[]) {
  return function refuse(state: ExchangeState, event: Occurrence): Refusal | null {
    if (event.type.startsWith('call_')) return null
    if (event.type === FORKED) return branchRefusal(state, event)
    if (!speakersOf(event.type)) return misshapen(`${event.type} is no event of an exchange`)
    const problem = shapeProblem(event.type, event.payload)
    if (problem) return misshapen(problem)
    if (event.type === 'exchange_opened') return openingRefusal(state, event) ?? meansRefusal(state, event)
    const { terms } = state
    if (!terms) return lacking('the exchange is not open', 'exchange_opened')
    const unsaid = meansRefusal(state, event)
    if (unsaid) return unsaid
    if (state.halted) return order('the exchange has halted')
    const p = event.payload as unknown
    if (!namesItsAction(event)) return misshapen('it answers for another round or mind than it names')
    if (WORKED_OUT.has(event.type)) return notWorkedOut(state, event, decide(state))
    const unread = readingRefusal(state, event)
    if (unread) return unread
    switch (event.type) {
      case 'mind_wrote':
      case 'audit_written': {
        if (!hasAsking(artifactsOf(event.payload ?? {})))
          return misshapen('what was asked and answered is not kept')
        return event.type === 'mind_wrote'
          ? wroteRefusal(state, p as MindWrote, terms)
          : auditRefusal(state, p as AuditWritten)
      }
      case 'restart_judged':
        return judgedRefusal(state, event, p as RestartJudged)
      case 'messages_embedded':
      case 'reembedded':
        return embeddedRefusal(state, event, p as Embedded)
      case 'observer_spoke':
      case 'injected':
        return wordsRefusal(state, event, terms)
      case 'signal_answered':
        return answerRefusal(state, event, p as SignalAnswered, terms)
      case 'terms_amended':
        return amendRefusal(state, event.payload?.terms)
      case 'branch_ordered':
        return orderRefusal(state, event, (p as { branch: NonNullable<SignalAnswered['branch']> }).branch)
      default:
        return steeringRefusal(state, event)
    }
  }
}
