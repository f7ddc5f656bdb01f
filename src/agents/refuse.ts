// Decides whether an event may be recorded: first by the table, regardless of its content; then by its shape,
// its actor, the action that it answers, and the guard of its type. The first objection is reported.

import type { Sha256 } from '../ledger/bytes.ts'
import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../ledger/calls.ts'
import type { Payload } from '../ledger/event.ts'
import { FORKED } from '../ledger/fork.ts'
import type { Occurrence, Refusal } from '../protocol.ts'
import { actionFault } from './answered-action.ts'
import { isAttached } from './attached/attached.ts'
import { refuseAttachedIntent, refuseHostEvent } from './attached/refuse-attached.ts'
import { type EventType, type Payloads, payloadOf, shapeFault } from './events.ts'
import { isTerminal, PHASES, type Row, rowOf, TRANSITIONS } from './lifecycle.ts'
import { withoutRevision } from './proposal-progress.ts'
import {
  refuseAssessment,
  refuseCall,
  refuseExecution,
  refuseIndeterminate,
  refuseIntent,
  refuseOpinion,
  refuseResolution,
  refuseStart,
  refuseVerdict,
  refuseVoiding,
} from './refuse/acts.ts'
import {
  refuseAudit,
  refuseClaim,
  refuseStatement,
  refuseWeighing,
  refuseWithdrawal,
} from './refuse/claims.ts'
import { refuseCouncil } from './refuse/councils.ts'
import { refuseClosing, refuseProposal, refuseReview } from './refuse/plans.ts'
import { refuseReading } from './refuse/readings.ts'
import { malformed, outOfOrder } from './refuse/refusals.ts'
import { refuseOpening, refuseRole, refuseSpeaker } from './refuse/roles.ts'
import type { SessionState } from './state.ts'

/** What would have moved the session on. */
const MOVERS = TRANSITIONS.filter(({ number }) => number < 6).flatMap(({ on }) => on)

function refusePhase({ phases }: Row, state: SessionState, type: string): Refusal | null {
  const { phase } = state
  if (phases.includes(phase)) return null
  if (isTerminal(phase)) return outOfOrder(`the session is ${phase}: nothing may follow`)
  const message = `${type} has no place in the phase ${phase}`
  if (phases.every((accepted) => PHASES.indexOf(accepted) > PHASES.indexOf(phase)))
    return outOfOrder(message, ...MOVERS)
  // An unknown proposal would have kept the session from claiming.
  const replaced = phase === 'claiming' && phases.includes('executing') ? withoutRevision(state) : null
  return outOfOrder(message, ...(replaced ? [{ types: ['proposal_created'], since: replaced.hash }] : []))
}

function guard(state: SessionState, event: Occurrence, payload: Payload, sha256: Sha256): Refusal | null {
  const type = event.type as EventType
  const payloadAs = <Type extends EventType>(of: Type): Payloads[Type] => payloadOf({ payload }, of)
  switch (type) {
    case 'session_initialized':
      return refuseOpening(payloadAs(type))
    case 'proposal_created':
      return refuseProposal(state, event, payloadAs(type))
    case 'proposal_reviewed':
      return refuseReview(state, event, payloadAs(type))
    case 'proposal_closed':
      return refuseClosing(state, payloadAs(type))
    case 'planner_answered':
    case 'planner_failed':
    case 'planner_incomplete':
    case 'executor_answered':
    case 'executor_failed':
    case 'executor_incomplete':
      return refuseReading(state, type, payload)
    case 'critic_answered':
    case 'critic_failed':
    case 'critic_incomplete':
      return refuseReading(state, type, payload) ?? refuseOpinion(state, payloadAs('critic_failed'))
    case 'tool_intent_signed':
      return state.task && isAttached(state.task)
        ? refuseAttachedIntent(state, payloadAs(type))
        : refuseIntent(state, payloadAs(type), sha256)
    case 'gap_recorded':
    case 'host_session_ended':
      return refuseHostEvent(state, type)
    case 'intent_assessed':
      return refuseAssessment(state, payloadAs(type))
    case 'council_convened':
    case 'council_heard':
      return refuseCouncil(state, type, payloadAs(type))
    case 'intent_approved':
    case 'intent_blocked':
      return refuseVerdict(state, event, payloadAs(type))
    case 'tool_execution_started':
      return refuseStart(state, event, payloadAs(type))
    case 'approval_voided':
      return refuseVoiding(state, event, payloadAs(type))
    case 'tool_execution_completed':
    case 'tool_execution_failed':
      return refuseExecution(state, payload)
    case 'tool_execution_indeterminate':
      return refuseIndeterminate(state, payloadAs(type))
    case 'execution_resolved':
      return refuseResolution(state, event, payloadAs(type))
    case 'claim_issued':
      return refuseClaim(state, payloadAs(type))
    case 'claim_withdrawn':
      return refuseWithdrawal(state, payloadAs(type))
    case 'claim_accepted':
    case 'claim_challenged':
      return refuseWeighing(state, event, payloadAs(type))
    case 'final_statement_signed':
      return refuseStatement(state, payloadAs(type))
    case 'verification_run_started':
      return state.audit ? outOfOrder('a verification was started already') : null
    case 'verification_run_completed':
      return refuseAudit(state, payloadAs(type))
    default:
      return null
  }
}

const isCall = (type: string): boolean =>
  type === CALL_STARTED || type === CALL_LOST || type === CALL_INDETERMINATE

export function refuse(state: SessionState, event: Occurrence, sha256: Sha256): Refusal | null {
  const row = rowOf(event.type)
  if (!row) return malformed(`${event.type} is no event of a session`)
  const misplaced = refusePhase(row, state, event.type)
  if (misplaced && !misplaced.lacks) return misplaced
  const besides = state.task || !misplaced ? refuseInPhase(row, state, event, sha256) : refuseRole(row, event)
  return misplaced && besides ? { ...misplaced, besides } : (misplaced ?? besides)
}

/** Objections that apply in any phase of the session. */
function refuseInPhase(row: Row, state: SessionState, event: Occurrence, sha256: Sha256): Refusal | null {
  const unfit = refuseRole(row, event)
  if (unfit || event.type === FORKED) return unfit
  if (isCall(event.type)) return refuseCall(state, event)
  if (!event.payload) return malformed(`${event.type} says nothing`)
  const fault = shapeFault(event.type as EventType, event.payload)
  if (fault) return malformed(fault)
  return (
    refuseSpeaker(state, event) ??
    actionFault(event.type as EventType, event.payload) ??
    guard(state, event, event.payload, sha256)
  )
}
