// Folds one event into the state of a session. Total: an erased or malformed payload changes nothing but the
// time, and a session that has ended accepts nothing more, except to be forked.

import type { Sha256 } from '../ledger/bytes.ts'
import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../ledger/calls.ts'
import { momentMs } from '../ledger/clock.ts'
import { FORKED } from '../ledger/fork.ts'
import { RAW } from '../ledger/raw-reply.ts'
import type { Occurrence } from '../protocol.ts'
import { gapKey } from './attached/attached.ts'
import { decide } from './decide.ts'
import { type EventType, type Payloads, payloadOf, SHAPES, shapeFault } from './events.ts'
import {
  foldAct,
  foldApproval,
  foldCall,
  foldExecution,
  foldExecutor,
  foldIntent,
  foldVoiding,
} from './evolve/acts.ts'
import { foldClaim, foldStatement, foldWeighing, foldWithdrawal } from './evolve/claims.ts'
import {
  foldClosing,
  foldConsulting,
  foldOpening,
  foldPlanner,
  foldProposal,
  foldReview,
  replaced,
} from './evolve/plans.ts'
import { isTerminal, type Phase, phaseAfter } from './lifecycle.ts'
import { baseOf } from './prompts/completing.ts'
import { withSource } from './quoted-sources.ts'
import { EMPTY, type Intent, isExecuting, isOpen, opinionKey, type SessionState } from './state.ts'

const isEventType = (type: string): type is EventType => Object.hasOwn(SHAPES, type)

/**
 * What a fork takes over: everything except pending actions and the end. What the parent had started may have run
 * there, so it is not repeated unasked.
 */
function foldFork(state: SessionState): SessionState {
  const reason = 'the session was forked'
  const intents = new Map<string, Intent>()
  for (const [id, intent] of state.intents) {
    const status = isExecuting(intent) ? 'indeterminate' : 'void'
    intents.set(id, isOpen(intent) ? { ...intent, status, approvals: [], reason } : intent)
  }
  const phase = isTerminal(state.phase) ? (state.left ?? 'initialized') : state.phase
  return { ...state, phase, left: null, intents, audit: null, asked: EMPTY.asked }
}

const ended = (state: SessionState, phase: Phase): SessionState =>
  phase === state.phase ? state : { ...state, phase, left: state.phase }

/** How often approvals of an intent were asked for; other subjects are judged once. */
const roundOf = (state: SessionState, subject: string): number => state.intents.get(subject)?.round ?? 1

const costOf = (payload: object): number => {
  const cost = (payload as { readonly cost?: { readonly usd?: unknown } | null }).cost
  return typeof cost?.usd === 'number' ? cost.usd : 0
}

/** What the failed answer lacked, where it says so. */
function missingIn(payload: object): readonly string[] {
  const { reading } = payload as { readonly reading?: { readonly missing?: unknown } | null }
  const missing: readonly unknown[] = Array.isArray(reading?.missing) ? reading.missing : []
  return missing.filter((place) => typeof place === 'string')
}

function foldAsking(state: SessionState, type: EventType, payload: Payloads[EventType]): SessionState {
  const known = { ...state, cost: state.cost + costOf(payload) }
  const asked = { ...known, planning: { ...state.planning, asked: state.planning.asked + 1 } }
  switch (type) {
    case 'planner_answered':
      return foldPlanner(asked, (payload as Payloads['planner_answered']).reply)
    case 'planner_failed':
      return { ...asked, planning: { ...asked.planning, failures: state.planning.failures + 1 } }
    case 'executor_answered': {
      const { subject, reply } = payload as Payloads['executor_answered']
      return foldExecutor(known, subject, reply)
    }
    case 'executor_failed':
      return foldExecutor(known, (payload as Payloads['executor_failed']).subject, null, missingIn(payload))
    default: {
      const { subject, seat } = payload as Payloads['critic_failed']
      const opinion = type === 'critic_answered' ? (payload as Payloads['critic_answered']).reply : 'failed'
      const key = opinionKey(subject, seat, roundOf(state, subject))
      return { ...known, opinions: new Map(state.opinions).set(key, opinion) }
    }
  }
}

/** Paid for, but not an answer yet. */
function foldIncomplete(
  state: SessionState,
  { trace, seq }: Occurrence,
  { action, artifacts, reading, cost }: Payloads['planner_incomplete'],
): SessionState {
  const raw = artifacts.find(({ name }) => name === RAW)?.hash ?? null
  const lacking = { event: `${trace}/${seq}`, raw, missing: reading.missing }
  return {
    ...state,
    cost: state.cost + costOf({ cost }),
    incomplete: new Map(state.incomplete).set(baseOf(action), lacking),
  }
}

function foldPayload(state: SessionState, event: Occurrence, type: EventType): SessionState {
  const payload = event.payload as NonNullable<Occurrence['payload']>
  const payloadAs = <Type extends EventType>(of: Type): Payloads[Type] => payloadOf({ payload }, of)
  switch (type) {
    case 'session_initialized':
      return state.task ? state : foldOpening(state, payloadAs(type), event.at)
    case 'planner_answered':
    case 'planner_failed':
    case 'critic_answered':
    case 'critic_failed':
    case 'executor_answered':
    case 'executor_failed':
      return foldAsking(state, type, payloadAs(type))
    case 'planner_incomplete':
    case 'critic_incomplete':
    case 'executor_incomplete':
      return foldIncomplete(state, event, payloadAs(type))
    case 'proposal_created':
      return foldProposal(state, event, payloadAs(type))
    case 'proposal_reviewed':
      return foldReview(state, event, payloadAs(type))
    case 'proposal_closed':
      return foldClosing(state, payloadAs(type))
    case 'tool_intent_signed':
      return foldIntent(state, event, payloadAs(type))
    case 'intent_approved':
      return foldApproval(state, event, payloadAs(type))
    case 'approval_voided':
      return foldVoiding(state, payloadAs(type))
    case 'tool_execution_completed':
      return foldExecution(state, payloadAs(type).intent, 'completed', null, payload)
    case 'tool_execution_failed':
      return foldExecution(state, payloadAs(type).intent, 'failed', payloadAs(type).error_message, payload)
    case 'gap_recorded':
      return { ...state, gaps: [...state.gaps, gapKey(payloadAs(type))] }
    case 'host_session_ended':
      return { ...state, hostEnded: payloadAs(type).why }
    case 'limit_reached':
      return foldLimit(state, payloadAs(type))
    case 'claim_issued':
      return foldClaim(state, payloadAs(type))
    case 'claim_withdrawn':
      return foldWithdrawal(state, payloadAs(type))
    case 'claim_accepted':
    case 'claim_challenged':
      return foldWeighing(state, payloadAs(type))
    case 'final_statement_signed':
      return foldStatement(state, payloadAs(type))
    case 'verification_run_started':
      return { ...state, audit: { hash: event.hash, trace: event.trace, size: event.seq + 1 } }
    case 'verification_run_completed':
      return ended(state, phaseAfter(state.phase, payloadAs(type).status === 'fail' ? 7 : 6))
    case 'session_failed':
      return ended(state, phaseAfter(state.phase, 7))
    case 'session_aborted':
      return ended(state, phaseAfter(state.phase, 8))
    default:
      return foldAct(state, type, payload)
  }
}

function foldLimit(state: SessionState, { limit, proposal }: Payloads['limit_reached']): SessionState {
  if (proposal === null) return { ...state, limit }
  const ending = { outcome: 'limit', reason: `the limit of ${limit} is reached` } as const
  return { ...state, proposals: replaced(state.proposals, proposal, { ending, pending: null }) }
}

const DUTIES = ['executor', 'critic', 'auditor'] as const

function withDuty(state: SessionState, { actor }: Occurrence): SessionState {
  const duty = DUTIES.find((name) => name === actor.role)
  if (!duty || state.duties.has(actor.key)) return state
  return { ...state, duties: new Map(state.duties).set(actor.key, duty) }
}

/** What a person says when a session waits for one. */
const ENDS_WAITING: readonly string[] = [
  'proposal_created',
  'proposal_reviewed',
  'intent_approved',
  'intent_blocked',
  'execution_resolved',
  'claim_challenged',
]

/** Time counts as work or as waiting: it counts as waiting for a person only when nothing else was to be done. */
function waitedUntil(before: SessionState, { type, at }: Occurrence, sha256: Sha256): number {
  if (!ENDS_WAITING.includes(type)) return before.waited
  const wanted = decide(before, sha256)
  const isWaiting = wanted.length > 0 && wanted.every(({ call }) => call === 'park')
  return isWaiting ? before.waited + Math.max(0, momentMs(at) - momentMs(before.at)) : before.waited
}

/** A model is shown the session as it was when its call started. */
function withAsking(before: SessionState, state: SessionState, { type, payload }: Occurrence): SessionState {
  const action = payload?.action
  if (typeof action !== 'string') return state
  if (type === CALL_STARTED) {
    if (payload?.call !== 'ask') return state
    const asked = new Map(state.asked).set(action, { ...before, asked: EMPTY.asked })
    return { ...state, asked }
  }
  if (!state.asked.has(action) || (type !== CALL_LOST && !isEventType(type))) return state
  const asked = new Map(state.asked)
  asked.delete(action)
  return { ...state, asked }
}

export function evolve(before: SessionState, event: Occurrence, sha256: Sha256): SessionState {
  if (event.type === FORKED) return { ...foldFork(before), trace: event.trace, at: event.at }
  if (isTerminal(before.phase)) return before
  const passed = { ...before, trace: event.trace, at: event.at, waited: waitedUntil(before, event, sha256) }
  const state = withAsking(before, passed, event)
  const { payload, type } = event
  if (!payload) return state
  if (type === CALL_INDETERMINATE) return foldCall(state, type, payload)
  if (type === CALL_STARTED) return foldConsulting(state, event)
  if (!isEventType(type) || shapeFault(type, payload)) return state
  return withDuty(withSource(foldPayload(state, event, type), event, type), event)
}
