// Guards of acting. Nothing runs without an intent signed before it under an approved proposal, assessed by the
// policy in force, approved by every critic whose word it takes, within the time of each approval, once.

import type { Sha256 } from '../../ledger/bytes.ts'
import { CALL_STARTED } from '../../ledger/calls.ts'
import { artifactsOf, type Payload } from '../../ledger/event.ts'
import type { Occurrence, Refusal } from '../../protocol.ts'
import { bindingFault, SAYS } from '../approval-binding.ts'
import { proofFault } from '../approval-proof.ts'
import { isApproved, judgesOf, nextJudge, seatNamed } from '../critics.ts'
import type { Payloads } from '../events.ts'
import { PROGRESS } from '../lacks.ts'
import { boundOn, endingOf, hashOfInput, objectionTo, wishOf } from '../proposal-progress.ts'
import { type Intent, intentsOf, type SessionState } from '../state.ts'
import { malformed, notAllowed, outOfOrder, unapproved } from './refusals.ts'

/** Where the approvals of an intent come from: with minds or a council among its judges, also from what these said. */
function permitsOf({ task }: SessionState, { assessment }: Intent): readonly string[] {
  const judges = task && assessment ? judgesOf(task, assessment) : []
  return [
    'intent_assessed',
    'intent_approved',
    'approval_voided',
    ...judges.flatMap(({ kind }) => SAYS[kind]),
  ]
}

const unknown = (id: string): Refusal => outOfOrder(`no intent ${id} was signed`, 'tool_intent_signed')

function refuseInput(payload: Payloads['tool_intent_signed']): Refusal | null {
  const kept = payload.artifacts.some(({ hash }) => hash === payload.input_hash)
  return kept ? null : malformed('the input of the intent is not among its artifacts')
}

export function refuseIntent(
  state: SessionState,
  payload: Payloads['tool_intent_signed'],
  sha256: Sha256,
): Refusal | null {
  const { task } = state
  const proposal = state.proposals.get(payload.proposal)
  if (!task || !proposal) return outOfOrder(`${payload.proposal} was never proposed`, 'proposal_created')
  if (proposal.status !== 'approved')
    return unapproved(`${proposal.id} is ${proposal.status}, not approved`, 'proposal_reviewed')
  const objection = objectionTo(task, proposal, payload)
  if (objection) return notAllowed(objection)
  if (payload.definition !== task.tools.find(({ name }) => name === payload.tool)?.definition)
    return notAllowed(`${payload.tool} is not defined so in this session`)
  if (state.intents.has(payload.intent)) return outOfOrder(`${payload.intent} was signed already`)
  if (endingOf(state, proposal)) return outOfOrder(`${proposal.id} is at its end`, ...PROGRESS)
  const wish = wishOf(state, proposal)
  if (!wish) return outOfOrder(`${proposal.id} wants nothing done now`, 'proposal_created', ...PROGRESS)
  const same =
    payload.intent === `${proposal.id}-i${intentsOf(state, proposal.id).length + 1}` &&
    payload.tool === wish.tool &&
    payload.step === wish.step &&
    payload.input_hash === hashOfInput(sha256, wish.input) &&
    payload.risk === wish.risk &&
    payload.revises === wish.revises
  if (!same)
    return malformed('the intent is not what was planned or answered', 'proposal_created', ...PROGRESS)
  const bound = boundOn(state, wish, payload.input_hash)
  return bound ? outOfOrder(`the limit of ${bound} is reached`) : refuseInput(payload)
}

export function refuseAssessment(
  state: SessionState,
  { intent: id, policy }: Payloads['intent_assessed'],
): Refusal | null {
  const intent = state.intents.get(id)
  if (!intent) return unknown(id)
  if (intent.status !== 'signed' || intent.assessment)
    return outOfOrder(`${id} is not to be assessed now`, 'approval_voided')
  return policy === state.task?.policy.hash
    ? null
    : notAllowed('assessed under a policy that is not in force')
}

export function refuseVerdict(
  state: SessionState,
  event: Occurrence,
  payload: Payloads['intent_approved'] | Payloads['intent_blocked'],
): Refusal | null {
  const intent = state.intents.get(payload.intent)
  if (!intent || !state.task) return unknown(payload.intent)
  if (intent.status !== 'signed')
    return outOfOrder(`${intent.id} is ${intent.status}: there is nothing to judge`)
  if ('expires' in payload) {
    const fault = bindingFault(state, intent, event, payload)
    if (fault?.of === 'speaker') return notAllowed(fault.message)
    if (fault) return unapproved(`this approves nothing: ${fault.message}`, ...fault.lacks)
  }
  if (intent.approvals.some(({ seat }) => seat === payload.seat))
    return outOfOrder(`${payload.seat} has approved it already`, 'approval_voided')
  const next = nextJudge(state.task, intent)
  return next?.seat === payload.seat
    ? null
    : outOfOrder(`it is not for ${payload.seat} to judge ${intent.id} now`, ...permitsOf(state, intent))
}

export function refuseCouncil(
  state: SessionState,
  type: string,
  payload: Payloads['council_convened'] | Payloads['council_heard'],
): Refusal | null {
  const intent = state.intents.get(payload.intent)
  if (!intent || !state.task) return unknown(payload.intent)
  const next = nextJudge(state.task, intent)
  if (next?.kind !== 'council' || next.seat !== payload.seat)
    return outOfOrder(`no council is to be heard on ${intent.id} now`, ...permitsOf(state, intent))
  if (type === 'council_convened')
    return intent.council ? outOfOrder('the council was convened already') : null
  if (!intent.council) return outOfOrder('no council was convened', 'council_convened')
  if (intent.council.heard) return outOfOrder('the council was heard already')
  return intent.council.trace === payload.trace ? null : notAllowed('it is not the council that was convened')
}

/** Why the intent may not be run now, whoever asks. */
function refuseRun(state: SessionState, intent: Intent): Refusal | null {
  if (intent.status === 'blocked') return unapproved(`${intent.id} was blocked: ${intent.reason ?? ''}`)
  if (intent.status === 'void') return unapproved(`${intent.id} is void: ${intent.reason ?? ''}`)
  if (intent.status !== 'signed')
    return unapproved(`the approvals of ${intent.id} are used up: it is ${intent.status}`)
  if (state.task && isApproved(state.task, intent)) return null
  return unapproved(`${intent.id} lacks an approval that it needs`, ...permitsOf(state, intent))
}

export function refuseStart(
  state: SessionState,
  event: Occurrence,
  payload: Payloads['tool_execution_started'],
): Refusal | null {
  const intent = state.intents.get(payload.intent)
  if (!intent) return unknown(payload.intent)
  const refused = refuseRun(state, intent)
  if (refused) return refused
  if (payload.input_hash !== intent.inputHash) return unapproved('it starts with other arguments')
  if (payload.definition !== intent.definition) return unapproved('the tool is not the one that was approved')
  const given = intent.approvals.map(({ hash }) => hash)
  const same =
    given.length === payload.approvals.length && given.every((hash) => payload.approvals.includes(hash))
  if (!same)
    return unapproved('it names approvals that are not those of the intent', ...permitsOf(state, intent))
  const late = intent.approvals.find(({ expires }) => event.at >= expires)
  return late ? unapproved(`the approval of ${late.seat} had expired at ${late.expires}`) : null
}

export function refuseVoiding(
  state: SessionState,
  event: Occurrence,
  { intent: id, why }: Payloads['approval_voided'],
): Refusal | null {
  const intent = state.intents.get(id)
  if (!intent) return unknown(id)
  const refused = refuseRun(state, intent)
  if (refused) return { ...refused, code: 'ORDER_VIOLATION' }
  const expired = intent.approvals.some(({ expires }) => event.at >= expires)
  return why !== 'expired' || expired ? null : outOfOrder('no approval of it has expired')
}

/** A tool is called only for an intent that the executor has started. */
export function refuseCall(state: SessionState, event: Occurrence): Refusal | null {
  const [kind, id = ''] = String(event.payload?.action).split('/')
  if (event.type !== CALL_STARTED || kind !== 'tool') return null
  const intent = state.intents.get(id)
  if (!intent) return unknown(id)
  if (intent.status === 'started') return null
  return (
    refuseRun(state, intent) ??
    outOfOrder(`${id} is called without tool_execution_started`, 'tool_execution_started')
  )
}

export function refuseExecution(state: SessionState, payload: Payload): Refusal | null {
  const id = String(payload.intent)
  const intent = state.intents.get(id)
  if (!intent) return unknown(id)
  if (intent.status !== 'started')
    return outOfOrder(`${id} is ${intent.status}: no execution of it is under way`, 'tool_execution_started')
  const kept = artifactsOf(payload).some(({ hash }) => hash === intent.inputHash)
  return kept ? null : malformed('an execution keeps its input among its artifacts')
}

export function refuseIndeterminate(
  state: SessionState,
  { intent: id }: Payloads['tool_execution_indeterminate'],
): Refusal | null {
  const intent = state.intents.get(id)
  if (!intent) return unknown(id)
  return intent.status === 'lost'
    ? null
    : outOfOrder(`the call of ${id} was not cut off`, 'tool_execution_started')
}

export function refuseResolution(
  state: SessionState,
  { actor }: Occurrence,
  { intent: id, via }: Payloads['execution_resolved'],
): Refusal | null {
  const { task } = state
  const intent = state.intents.get(id)
  if (!intent || !task) return unknown(id)
  const seats = task.roles.critics.filter(({ kind }) => kind !== 'human')
  const machine = [task.roles.planner, task.roles.executor, task.roles.auditor, ...seats]
  if (machine.some(({ agent }) => agent === actor.agent))
    return notAllowed('only a person says what became of an execution that was cut off')
  const unproven = proofFault(task.policy, via)
  if (unproven !== null) return notAllowed(unproven)
  return intent.status === 'indeterminate'
    ? null
    : outOfOrder(`${id} is not indeterminate`, 'tool_execution_indeterminate')
}

/** A mind is heard for a seat that has one, on something that exists. */
export function refuseOpinion(
  state: SessionState,
  { subject, seat: name }: Pick<Payloads['critic_failed'], 'subject' | 'seat'>,
): Refusal | null {
  const known = state.proposals.has(subject) || state.intents.has(subject) || state.claims.has(subject)
  if (!known)
    return outOfOrder(
      `there is no ${subject} to be heard on`,
      'proposal_created',
      'tool_intent_signed',
      'claim_issued',
    )
  const seat = state.task && seatNamed(state.task, name)
  return seat?.kind === 'mind' || seat?.kind === 'council' ? null : notAllowed(`no mind sits as ${name}`)
}
