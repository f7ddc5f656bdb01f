// Guards of acts. Nothing runs without an intent signed before it under an approved proposal, assessed by the
// policy in force, approved by every required critic, within the time of each approval, once.

import type { Sha256 } from '../../ledger/bytes.ts'
import { CALL_STARTED } from '../../ledger/calls.ts'
import { artifactsOf, type Payload } from '../../ledger/event.ts'
import type { Lack, Occurrence, Refusal } from '../../protocol.ts'
import { bindingFault, GROUNDS_OF_SEAT, proofFault } from '../approvals.ts'
import { isAttached } from '../attached/attached.ts'
import { isApproved, judgesOf, nextJudge, reviewersOf, seatNamed } from '../critics.ts'
import { editionOf } from '../editions.ts'
import { PLANS, PROGRESS } from '../erased-evidence.ts'
import type { Payloads } from '../events.ts'
import { countIntents } from '../evolve/intent-index.ts'
import {
  blockedProposal,
  endingOf,
  hashOfInput,
  isRevisable,
  limitReached,
  nextIntent,
  objectionTo,
  planFault,
} from '../proposal-progress.ts'
import type { Intent, Proposal, SessionState } from '../state.ts'
import type { Task } from '../task.ts'
import { malformed, notAllowed, outOfOrder, unapproved } from './refusals.ts'

/** Where approvals of an intent come from; with models or a council among its critics, also from their answers. */
function permits({ task }: SessionState, { assessment }: Intent): readonly string[] {
  const judges = task && assessment ? judgesOf(task, assessment) : []
  return ['intent_approved', ...new Set(judges.flatMap(({ kind }) => GROUNDS_OF_SEAT[kind]))]
}

/** What is missing from an intent that is not approved: part of every approval that it still needs. */
function missingOf(state: SessionState, intent: Intent): readonly Lack[] {
  const { assessment, approvals, hash: since } = intent
  if (!state.task || !assessment) return [{ types: ['intent_assessed'], since }]
  const judges = judgesOf(state.task, assessment)
  const missing = judges.filter(({ seat }) => !approvals.some((approval) => approval.seat === seat))
  return [{ types: permits(state, intent), since, least: missing.length }]
}

/** What would have changed whose turn it is, or which approvals count. All of it comes after the intent was signed. */
export const turnsOf = (state: SessionState, intent: Intent): readonly Lack[] => [
  { types: ['intent_assessed', 'approval_voided', ...permits(state, intent)], since: intent.hash },
]

const startOf = ({ hash: since }: Intent): Lack => ({ types: ['tool_execution_started'], since })

const NUMBERED = /^(.+)-i(\d{1,9})$/

/** Intents are numbered without gaps: this many must have been erased for this to be the next one. */
export function unknown({ intents }: SessionState, id: string): Refusal {
  const last = new Map<string, number>()
  for (const intentId of [...intents.keys(), id]) {
    const [, proposal = '', number = ''] = NUMBERED.exec(intentId) ?? []
    if (number === '') return outOfOrder(`no intent ${id} was signed`)
    last.set(proposal, Math.max(last.get(proposal) ?? 0, Number(number)))
  }
  const least = [...last.values()].reduce((sum, number) => sum + number, 0) - intents.size
  return outOfOrder(`no intent ${id} was signed`, { types: ['tool_intent_signed'], least })
}

/**
 * Critics that have not reviewed it yet, as far as is known; after a rejection or closing there are none. Critics review in
 * order, a model after it was asked, the policy by rule: an earlier erased event was the review of another critic.
 */
export function unreviewed({ task }: SessionState, proposal: Proposal): Refusal {
  const { id, status, reviews, heard, hash } = proposal
  const message = `${id} is ${status}, not approved`
  if (!task || status !== 'proposed') return unapproved(message)
  let since = hash
  const missing: Lack[] = []
  for (const { seat, kind, agent } of reviewersOf(task, proposal.plan)) {
    const turn = heard.get(seat)
    since = turn ?? since
    if (reviews.has(seat)) continue
    const isUnsaid =
      kind === 'mind' ? turn === undefined : kind === 'policy' && planFault(task, proposal.plan)
    if (isUnsaid) return unapproved(message)
    missing.push({ types: ['proposal_reviewed'], since, ...(agent !== null && { by: [agent] }) })
  }
  const [first = unapproved(message), ...others] = missing.map((lack) => unapproved(message, lack))
  return others.reduce((besides, refusal) => ({ ...refusal, besides }), first)
}

export function refuseInput(payload: Payloads['tool_intent_signed']): Refusal | null {
  const hasInput = payload.artifacts.some(({ hash }) => hash === payload.input_hash)
  return hasInput ? null : malformed('the input of the intent is not among its artifacts')
}

export function refuseIntent(
  state: SessionState,
  payload: Payloads['tool_intent_signed'],
  sha256: Sha256,
): Refusal | null {
  const { task } = state
  const proposal = state.proposals.get(payload.proposal)
  if (!task || !proposal) return outOfOrder(`${payload.proposal} was never proposed`, 'proposal_created')
  if (proposal.status !== 'approved') return unreviewed(state, proposal)
  const objection = objectionTo(task, proposal, payload)
  if (objection) return notAllowed(objection)
  if (payload.definition !== task.tools.find(({ name }) => name === payload.tool)?.definition)
    return notAllowed(`${payload.tool} is not defined so in this session`)
  if (state.intents.has(payload.intent)) return outOfOrder(`${payload.intent} was signed already`)
  if (endingOf(state, proposal)) return outOfOrder(`${proposal.id} is at its end`, ...PROGRESS)
  const wish = nextIntent(state, proposal)
  if (!wish) return outOfOrder(`${proposal.id} wants nothing done now`, 'proposal_created', ...PROGRESS)
  const same =
    payload.intent === `${proposal.id}-i${countIntents(state, proposal.id) + 1}` &&
    payload.tool === wish.tool &&
    payload.step === wish.step &&
    payload.input_hash === hashOfInput(sha256, wish.input) &&
    payload.risk === wish.risk &&
    payload.revises === wish.revises
  if (!same)
    return malformed('the intent is not what was planned or answered', 'proposal_created', ...PROGRESS)
  const bound = limitReached(state, wish, payload.input_hash)
  return bound ? outOfOrder(`the limit of ${bound} is reached`) : refuseInput(payload)
}

export function refuseAssessment(
  state: SessionState,
  { intent: id, policy }: Payloads['intent_assessed'],
): Refusal | null {
  const intent = state.intents.get(id)
  if (!intent) return unknown(state, id)
  if (intent.status !== 'signed' || intent.assessment)
    return outOfOrder(`${id} is not to be assessed now`, { types: ['approval_voided'], since: intent.hash })
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
  if (!intent || !state.task) return unknown(state, payload.intent)
  if (intent.status !== 'signed')
    return outOfOrder(`${intent.id} is ${intent.status}: there is nothing to judge`)
  if ('expires' in payload) {
    const fault = bindingFault(state, intent, event, payload)
    if (fault?.of === 'speaker') return notAllowed(fault.message)
    if (fault) return unapproved(`this approves nothing: ${fault.message}`, ...fault.lacks)
  }
  if (intent.approvals.some(({ seat }) => seat === payload.seat))
    return outOfOrder(`${payload.seat} has approved it already`, {
      types: ['approval_voided'],
      since: intent.hash,
    })
  const next = nextJudge(state.task, intent)
  return next?.seat === payload.seat
    ? null
    : outOfOrder(`it is not for ${payload.seat} to judge ${intent.id} now`, ...turnsOf(state, intent))
}

/** Why the intent may not be run now, no matter who asks. */
function refuseRun(state: SessionState, intent: Intent): Refusal | null {
  if (intent.status === 'blocked') return unapproved(`${intent.id} was blocked: ${intent.reason ?? ''}`)
  if (intent.status === 'void') return unapproved(`${intent.id} is void: ${intent.reason ?? ''}`)
  if (intent.status !== 'signed')
    return unapproved(`the approvals of ${intent.id} are used up: it is ${intent.status}`)
  if (state.task && isApproved(state.task, intent)) return null
  return unapproved(`${intent.id} lacks an approval that it needs`, ...missingOf(state, intent))
}

export function refuseStart(
  state: SessionState,
  event: Occurrence,
  payload: Payloads['tool_execution_started'],
): Refusal | null {
  const intent = state.intents.get(payload.intent)
  if (!intent) return unknown(state, payload.intent)
  const refused = refuseRun(state, intent)
  if (refused) return refused
  if (payload.input_hash !== intent.inputHash) return unapproved('it starts with other arguments')
  if (payload.definition !== intent.definition) return unapproved('the tool is not the one that was approved')
  const hashes = intent.approvals.map(({ hash }) => hash)
  const same =
    hashes.length === payload.approvals.length && hashes.every((hash) => payload.approvals.includes(hash))
  if (!same)
    return unapproved('it names approvals that are not those of the intent', ...turnsOf(state, intent))
  const late = intent.approvals.find(({ expires }) => event.at >= expires)
  return late ? unapproved(`the approval of ${late.seat} had expired at ${late.expires}`) : null
}

export function refuseVoiding(
  state: SessionState,
  event: Occurrence,
  { intent: id, why }: Payloads['approval_voided'],
): Refusal | null {
  const intent = state.intents.get(id)
  if (!intent) return unknown(state, id)
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
  if (!intent) return unknown(state, id)
  if (intent.status === 'started') return null
  return (
    refuseRun(state, intent) ?? outOfOrder(`${id} is called without tool_execution_started`, startOf(intent))
  )
}

export function refuseExecution(state: SessionState, payload: Payload): Refusal | null {
  const id = String(payload.intent)
  const intent = state.intents.get(id)
  if (!intent) return unknown(state, id)
  if (intent.status !== 'started')
    return outOfOrder(`${id} is ${intent.status}: no execution of it is under way`, startOf(intent))
  const hasInput = artifactsOf(payload).some(({ hash }) => hash === intent.inputHash)
  return hasInput ? null : malformed('an execution keeps its input among its artifacts')
}

export function refuseIndeterminate(
  state: SessionState,
  { intent: id }: Payloads['tool_execution_indeterminate'],
): Refusal | null {
  const intent = state.intents.get(id)
  if (!intent) return unknown(state, id)
  if (state.task && isAttached(state.task) && state.hostEnded !== null && intent.status === 'started')
    return null
  return intent.status === 'lost' ? null : outOfOrder(`the call of ${id} was not cut off`, startOf(intent))
}

/** Why no known fact leaves an intent to be resolved. */
function unresolved(state: SessionState, task: Task, intent: Intent): readonly Lack[] {
  const isFirst = editionOf(task).critics === 1
  const proposal = state.proposals.get(intent.proposal)
  if (intent.status === 'blocked')
    return isFirst || (proposal && !isRevisable(state, proposal, intent)) ? [] : [...PLANS, ...PROGRESS]
  const types = ['tool_execution_indeterminate', 'tool_execution_started']
  return [{ types: isFirst ? types : [...types, 'intent_blocked'], since: intent.hash }]
}

export function refuseResolution(
  state: SessionState,
  { actor }: Occurrence,
  { intent: id, via }: Payloads['execution_resolved'],
): Refusal | null {
  const { task } = state
  const intent = state.intents.get(id)
  if (!intent || !task) return unknown(state, id)
  const seats = task.roles.critics.filter(({ kind }) => kind !== 'human')
  const machine = [task.roles.planner, task.roles.executor, task.roles.auditor, ...seats]
  if (machine.some(({ agent }) => agent === actor.agent))
    return notAllowed('only a person says what became of an execution that was cut off')
  const unproven = proofFault(task.policy, via, editionOf(task))
  if (unproven !== null) return notAllowed(unproven)
  return intent.status === 'indeterminate' || blockedProposal(state)?.intent.id === id
    ? null
    : outOfOrder(`${id} is not indeterminate`, ...unresolved(state, task, intent))
}

/** A model's answer counts for a seat that has a model, about something that exists. */
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
  return seat?.kind === 'mind' || seat?.kind === 'council'
    ? null
    : notAllowed(`no model has the seat ${name}`)
}
