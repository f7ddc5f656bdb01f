// Folds an exchange: how each event changes the state. Total: of an erased event only its header counts.

import type { Sha256 } from '../ledger/bytes.ts'
import { FORKED } from '../ledger/fork.ts'
import { RAW } from '../ledger/raw-reply.ts'
import type { Occurrence } from '../protocol.ts'
import { auditText } from './audit.ts'
import { foldBranch } from './branch.ts'
import { editionOf, isUnknownIn, namedIn } from './editions.ts'
import type {
  Asked,
  AskingFailed,
  AskingIncomplete,
  AuditWritten,
  ExchangeOpened,
  JudgingOpened,
  MessagesEmbedded,
  MindWrote,
  PhaseChanged,
  RestartAlarmed,
  RestartJudged,
  RoleReported,
  RoundOpened,
  SignalAnswered,
  SignalRaised,
} from './events.ts'
import { payloadOf } from './events.ts'
import { foldJudged, foldJudgingOpened } from './evolve/judged.ts'
import {
  addProtocolMessage,
  closedIfDone,
  enterPhase,
  gatherRound,
  idOf,
  noteEmbeddings,
  orderBranch,
  setTerms,
  settleSignal,
  stop,
} from './evolve/steps.ts'
import type { Message } from './messages.ts'
import { shownTo } from './pool.ts'
import { shapeProblem } from './schema.ts'
import { type ExchangeState, messageById, type Totals, type Written } from './state.ts'
import { type Terms, termsHash, termsProblem } from './terms.ts'

/** An actor that could not be asked at all was sent nothing; an outcome without a list of attempts had one. */
function callsIn({ attempts }: Partial<Asked>): number {
  if (!Array.isArray(attempts)) return 1
  return attempts.filter((attempt) => attempt?.cause !== 'unavailable').length
}

function addCost(totals: Totals, asked: Partial<Asked>, failed: number): Totals {
  return {
    ...totals,
    asked: totals.asked + 1,
    calls: totals.calls + callsIn(asked),
    failed: totals.failed + failed,
    input_tokens: totals.input_tokens + (asked.input_tokens ?? 0),
    output_tokens: totals.output_tokens + (asked.output_tokens ?? 0),
    usd: totals.usd + (asked.cost?.usd ?? 0),
  }
}

function roundOpened(state: ExchangeState, event: Occurrence, foldOpened: RoundOpened): ExchangeState {
  const { round, kind, terms, samples } = foldOpened
  const material = new Map<string, Message>()
  for (const id of samples.flatMap((sample) => sample.messages)) {
    const message = messageById(state, id)
    if (message) material.set(id, message)
  }
  const isPool = kind === 'pool'
  return {
    ...state,
    round: {
      ...{ round, kind, terms, samples, material },
      under: state.terms,
      underSince: state.termsSince,
      written: new Map(),
      gathered: false,
      // There is nothing to audit in an empty pool.
      audited: !isPool && material.size === 0,
      roles: [],
      incomplete: new Map(),
    },
    ends: { round: state.closed, trace: event.trace, seq: event.seq - 1, rest: state.ends },
    turns: state.turns + (isPool ? 1 : 0),
    due: isPool ? shownTo(state.due, samples) : state.due,
    unanswered: null,
  }
}

function foldWritten(
  state: ExchangeState,
  mind: string,
  written: Written | null,
  asked: Partial<Asked>,
): ExchangeState {
  const { round } = state
  if (!round) return state
  const totals = addCost(state.totals, asked, written ? 0 : 1)
  return gatherRound({ ...state, totals }, { ...round, written: new Map(round.written).set(mind, written) })
}

/** Paid for, but not an answer yet. */
function foldIncomplete(state: ExchangeState, event: Occurrence, payload: AskingIncomplete): ExchangeState {
  const { round, judging, judgings } = state
  const raw = payload.artifacts.find(({ name }) => name === RAW)?.hash ?? null
  const lacking = { event: idOf(event), raw, missing: payload.reading.missing }
  const totals = addCost(state.totals, payload, 0)
  if (event.type === 'judge_incomplete') {
    if (!judging) return state
    const paid = { ...judgings, asked: judgings.asked + 1, usd: judgings.usd + (payload.cost?.usd ?? 0) }
    const incomplete = new Map(judging.incomplete).set(payload.mind, lacking)
    return { ...state, totals, judgings: paid, judging: { ...judging, incomplete } }
  }
  if (!round) return state
  const incomplete = new Map(round.incomplete).set(payload.mind, lacking)
  return { ...state, totals, round: { ...round, incomplete } }
}

function foldAudit(
  state: ExchangeState,
  audit: AuditWritten | null,
  event: Occurrence,
  asked: Partial<Asked>,
) {
  const { round } = state
  if (!round) return state
  const totals = addCost(state.totals, asked, audit ? 0 : 1)
  const next = { ...state, totals, round: { ...round, audited: true } }
  return closedIfDone(audit ? addProtocolMessage(next, event, 'audit', auditText(audit)) : next)
}

function foldReport(state: ExchangeState, event: Occurrence, { role, text }: RoleReported): ExchangeState {
  const { round } = state
  if (!round) return state
  const next = { ...state, round: { ...round, roles: [...round.roles, role] } }
  return closedIfDone(
    addProtocolMessage(next, event, role === 'auditor' ? 'auditor_role' : 'observer_role', text),
  )
}

/** Of an event with an erased payload only its header is known: who answered. */
function foldErased(state: ExchangeState, event: Occurrence): ExchangeState {
  if (event.type === 'mind_wrote')
    return foldWritten(state, event.actor.agent, { event: idOf(event), messages: [] }, {})
  if (event.type === 'audit_written') return foldAudit(state, null, event, {})
  if (event.type === 'restart_judged') return foldJudged(state, null, {})
  if (event.type === 'exchange_halted') return { ...state, halted: true }
  if (event.type === 'paused') return stop(state, 'paused by the observer')
  return { ...state, trace: event.trace }
}

const areTerms = (terms: unknown, { edition }: Pick<ExchangeState, 'edition'>): terms is Terms =>
  termsProblem(terms, editionOf({ edition }).signal) === null

export function foldWith(sha256: Sha256): (state: ExchangeState, event: Occurrence) => ExchangeState {
  const foldAmendment = (state: ExchangeState, terms: unknown, { hash }: Occurrence): ExchangeState =>
    areTerms(terms, state) ? { ...setTerms(state, terms, termsHash(sha256, terms)), termsSince: hash } : state

  function foldAnswer(state: ExchangeState, event: Occurrence, payload: SignalAnswered): ExchangeState {
    const { answer, terms, branch } = payload
    const signal = { number: payload.signal, answer, asked: state.signal?.asked ?? [] }
    const next = settleSignal(state, payload.signal)
    if (answer === 'halt') return { ...next, halted: true }
    if (answer === 'amend') return enterPhase(foldAmendment(next, terms, event), signal, state.terms)
    return branch ? orderBranch(next, event, branch, signal) : next
  }

  function opened(state: ExchangeState, event: Occurrence, payload: ExchangeOpened): ExchangeState {
    const { terms, encoder, fence, seats } = payload
    const edition = Number(namedIn(event.payload ?? {}))
    if (!areTerms(terms, { edition })) return state
    return {
      ...state,
      trace: event.trace,
      terms,
      termsHash: termsHash(sha256, terms),
      termsSince: event.hash,
      encoder,
      fence,
      edition,
      seats,
    }
  }

  return function evolve(state, event) {
    if (event.type === FORKED)
      return foldBranch(state, event, (fresh, terms) => foldAmendment(fresh, terms, event))
    const { payload } = event
    if (payload === null) return foldErased(state, event)
    if (shapeProblem(event.type, payload) !== null || isUnknownIn(state, event.type)) return state
    const untyped = payload as unknown
    switch (event.type) {
      case 'exchange_opened':
        return opened(state, event, untyped as ExchangeOpened)
      case 'round_opened':
        return roundOpened(state, event, untyped as RoundOpened)
      case 'mind_wrote': {
        const { mind, messages, ...asked } = untyped as MindWrote
        return foldWritten(state, mind, { event: idOf(event), messages }, asked)
      }
      case 'mind_failed':
        return foldWritten(state, (untyped as AskingFailed).mind, null, untyped as AskingFailed)
      case 'mind_incomplete':
      case 'audit_incomplete':
      case 'judge_incomplete':
        return foldIncomplete(state, event, untyped as AskingIncomplete)
      case 'messages_embedded':
        return closedIfDone(noteEmbeddings(state, event, untyped as MessagesEmbedded))
      case 'reembedded':
        return noteEmbeddings(state, event, untyped as MessagesEmbedded)
      case 'embedding_failed':
        return stop(
          { ...state, embeddings: state.embeddings + 1 },
          `no vectors: ${(untyped as { message: string }).message}`,
        )
      case 'audit_written':
        return foldAudit(state, untyped as AuditWritten, event, untyped as AuditWritten)
      case 'audit_failed':
        return foldAudit(state, null, event, untyped as AskingFailed)
      case 'role_reported':
        return foldReport(state, event, untyped as RoleReported)
      case 'observer_spoke':
        return addProtocolMessage({ ...state, unanswered: null }, event, 'observer', String(payload.text))
      case 'observer_passed':
        return { ...state, unanswered: null }
      case 'injected':
        return addProtocolMessage(state, event, 'injection', String(payload.text))
      case 'pinned': {
        const message = messageById(state, String(payload.message))
        return message ? { ...state, pins: [...state.pins, message] } : state
      }
      case 'unpinned':
        return { ...state, pins: state.pins.filter(({ id }) => id !== payload.message) }
      case 'judging_opened':
        return foldJudgingOpened(state, untyped as JudgingOpened)
      case 'restart_judged': {
        const { asks, ...asked } = untyped as RestartJudged
        const totals = addCost(state.totals, asked, 0)
        return foldJudged({ ...state, totals }, new Set(asks.map(({ id }) => id)), asked)
      }
      case 'judge_failed':
        return foldJudged(
          { ...state, totals: addCost(state.totals, untyped as AskingFailed, 1) },
          null,
          untyped as Asked,
        )
      case 'restart_alarmed':
        return { ...state, alarms: { count: (untyped as RestartAlarmed).alarm, stands: true } }
      case 'signal_raised': {
        const { signal: number, round, top } = untyped as SignalRaised
        return { ...state, signals: number, settling: null, signal: { number, round, asked: top } }
      }
      case 'signal_cleared':
        return { ...state, settling: null }
      case 'signal_answered':
        return foldAnswer(state, event, untyped as SignalAnswered)
      case 'phase_changed': {
        const { signal, answer, asked, changed } = untyped as PhaseChanged
        return { ...state, phase: { signal, answer, asked, changed, event: idOf(event) } }
      }
      case 'terms_amended':
        return foldAmendment(state, payload.terms, event)
      case 'branch_ordered':
        return orderBranch(state, event, payloadOf(event, 'branch_ordered').branch, null)
      case 'branched':
        return { ...state, forks: state.forks.filter(({ order }) => order.into !== payload.into) }
      case 'paused':
        return stop(state, typeof payload.reason === 'string' ? payload.reason : 'paused by the observer')
      case 'continued':
        return {
          ...state,
          until: Number(payload.until),
          mode: payload.mode === 'chat' ? 'chat' : 'run',
          stopped: null,
          barren: 0,
          movedTo: null,
        }
      case 'exchange_halted':
        return { ...state, halted: true }
      default:
        return state
    }
  }
}
