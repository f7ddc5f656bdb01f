// Folds acts: answers of the executor, intents, verdicts of critics, and executions. An approval counts only
// when it is bound to this very intent and comes from the right seat. An act is folded as done even if its
// actor was not allowed to do it, so that a verifier reports the fault only once.

import { CALL_INDETERMINATE } from '../../ledger/calls.ts'
import { artifactsOf, type Payload } from '../../ledger/event.ts'
import type { Occurrence } from '../../protocol.ts'
import { bindingFault } from '../approvals.ts'
import { withLearned } from '../attached/attached.ts'
import { type Payloads, payloadOf } from '../events.ts'
import { nextIntent, objectionTo, riskOf } from '../proposal-progress.ts'
import { type ExecutorReply, PAGE_TOOL, type Page, type ThoughtClaim } from '../replies.ts'
import {
  type Approval,
  type Intent,
  isQuotable,
  type Proposal,
  type SessionState,
  type Turn,
} from '../state.ts'
import { endingByUnusable, lacksArtifact } from '../unusable-answer.ts'
import { withIntent } from './intent-index.ts'
import { replaced, withDue } from './plans.ts'
import { withEntry } from './shared-map.ts'

function pageOf(input: { readonly [name: string]: unknown }): Page | null {
  const { artifact, start, length } = input
  const sound = typeof artifact === 'string' && Number.isSafeInteger(start) && Number.isSafeInteger(length)
  return sound ? { artifact, start: Math.max(0, Number(start)), length: Math.max(1, Number(length)) } : null
}

const unknownArtifact = (state: SessionState, claims: readonly ThoughtClaim[]): string | undefined =>
  claims.flatMap(({ evidence }) => evidence).find(({ artifact }) => !isQuotable(state, artifact))?.artifact

function withTurn(
  state: SessionState,
  proposal: Proposal,
  turn: Omit<Turn, 'number'>,
  change: Partial<Proposal> = {},
): SessionState {
  const turns = [...proposal.turns, { number: proposal.turns.length + 1, ...turn }]
  const steps = change.pending ? state.steps : state.steps + 1
  const vain = endingByUnusable(state, proposal, turn)
  const changed = { turns, ...change, ...(vain ? { ending: vain } : {}) }
  return { ...state, steps, proposals: replaced(state.proposals, proposal.id, changed) }
}

function planDepth(state: SessionState, { revises }: Proposal): number {
  let depth = 0
  for (let id = revises; id !== null; id = state.proposals.get(id)?.revises ?? null) depth++
  return depth
}

function foldReply(state: SessionState, proposal: Proposal, reply: ExecutorReply): SessionState {
  const none = { page: null, objection: null }
  if ('give_up' in reply) {
    const ending = { outcome: 'failed', reason: reply.give_up.reason } as const
    return withTurn(state, proposal, { kind: 'give_up', ...none }, { ending })
  }
  if ('replan' in reply) {
    if (planDepth(state, proposal) >= (state.task?.limits.revisions ?? 0)) {
      const objection = 'the plan was revised as often as the limits allow'
      return withTurn(state, proposal, { kind: 'replan', page: null, objection })
    }
    const ending = { outcome: 'replanned', reason: reply.replan.reason } as const
    const next = withTurn(state, proposal, { kind: 'replan', ...none }, { ending })
    return withDue(next, [reply.replan.proposal], 'executor', [proposal.id])
  }
  if ('claims' in reply) {
    const artifact = unknownArtifact(state, reply.claims)
    const objection = artifact
      ? `no execution of this session left an artifact ${artifact} that can be quoted`
      : null
    const ending = { outcome: 'succeeded', reason: 'the executor has claims to make' } as const
    const change = objection ? {} : { ending, claims: reply.claims }
    return withTurn(state, proposal, { kind: 'claims', page: null, objection }, change)
  }
  const { tool, input, risk } = reply.intent
  if (tool === PAGE_TOOL) {
    const page = pageOf(input)
    const known = page !== null && state.produced.has(page.artifact)
    if (known) return withTurn(state, proposal, { kind: 'page', page, objection: null })
    const objection = 'there is no such artifact to page in this session'
    return withTurn(state, proposal, { kind: 'page', page: null, objection })
  }
  const wish = { tool, step: null, risk: state.task ? riskOf(state.task, tool, risk) : 'critical' } as const
  const objection = state.task ? objectionTo(state.task, proposal, wish) : null
  const pending = objection ? null : reply.intent
  return withTurn(state, proposal, { kind: 'intent', page: null, objection }, { pending })
}

/** Of a proposal while it is worked on, or, once the work is over, of its claims. */
export function foldExecutor(
  state: SessionState,
  subject: string,
  reply: ExecutorReply | null,
  missing: readonly string[] = [],
): SessionState {
  const claim = state.claims.get(subject)
  if (claim) {
    const mending = reply && 'claims' in reply ? (reply.claims[0] ?? null) : null
    const mendingAsked = claim.mendingAsked + 1
    return { ...state, claims: replaced(state.claims, subject, { mending, mendingAsked }) }
  }
  const proposal = state.proposals.get(subject)
  if (proposal?.status === 'closed' && state.phase === 'claiming') {
    const claims = reply && 'claims' in reply ? reply.claims : []
    return { ...state, proposals: replaced(state.proposals, subject, { claims, claimsAsked: true }) }
  }
  if (proposal?.status !== 'approved' || proposal.ending || proposal.pending) return state
  if (reply) return foldReply(state, proposal, reply)
  const lacks = lacksArtifact(missing) ? ({ lacks: 'artifact' } as const) : {}
  return withTurn(state, proposal, { kind: 'failed', page: null, objection: null, ...lacks })
}

export function foldIntent(
  state: SessionState,
  event: Occurrence,
  payload: Payloads['tool_intent_signed'],
): SessionState {
  if (state.intents.has(payload.intent)) return state
  const proposal = state.proposals.get(payload.proposal)
  const intent: Intent = {
    id: payload.intent,
    proposal: payload.proposal,
    step: payload.step,
    tool: payload.tool,
    definition: payload.definition,
    inputHash: payload.input_hash,
    input: proposal ? (nextIntent(state, proposal)?.input ?? null) : null,
    risk: payload.risk,
    justification: payload.justification,
    revises: payload.revises,
    hash: event.hash,
    status: 'signed',
    round: 1,
    assessment: null,
    approvals: [],
    council: null,
    blockedBy: null,
    reason: null,
    artifacts: [],
    call: payload.call ?? null,
    quote: payload.quote ?? null,
  }
  return {
    ...withLearned(state, payload),
    steps: state.steps + 1,
    intents: withIntent(state.intents, intent),
    proposals: replaced(state.proposals, payload.proposal, { pending: null }),
  }
}

function change(state: SessionState, id: string, part: Partial<Intent>): SessionState {
  const intent = state.intents.get(id)
  return intent ? { ...state, intents: withIntent(state.intents, { ...intent, ...part }) } : { ...state }
}

export function foldApproval(
  state: SessionState,
  event: Occurrence,
  payload: Payloads['intent_approved'],
): SessionState {
  const intent = state.intents.get(payload.intent)
  if (!intent || bindingFault(state, intent, event, payload)) return state
  if (intent.approvals.some(({ seat }) => seat === payload.seat)) return state
  const approval: Approval = { seat: payload.seat, hash: event.hash, expires: payload.expires }
  return change(state, intent.id, { approvals: [...intent.approvals, approval] })
}

export function foldVoiding(
  state: SessionState,
  { intent: id, why, reason }: Payloads['approval_voided'],
): SessionState {
  const intent = state.intents.get(id)
  if (intent?.status !== 'signed') return state
  if (why !== 'expired') return change(state, id, { status: 'blocked', reason })
  return change(state, id, { round: intent.round + 1, assessment: null, approvals: [], council: null })
}

export function foldExecution(
  state: SessionState,
  id: string,
  status: 'completed' | 'failed',
  reason: string | null,
  payload: Payload,
): SessionState {
  if (!state.intents.has(id)) return state
  const artifacts = artifactsOf(payload).map(({ hash }) => hash)
  let { produced } = state
  for (const { hash, size } of artifactsOf(payload)) {
    if (!produced.has(hash)) produced = withEntry(produced, hash, { intent: id, size })
  }
  return { ...change(state, id, { status, reason, artifacts }), produced }
}

/** Events of a council about a proposal. */
function foldProposalCouncil(state: SessionState, type: string, payload: Payload): SessionState {
  const id = String(payload.proposal)
  const councilHeard = type === 'council_heard' ? payloadOf({ payload }, 'council_heard') : null
  const council = { trace: String(payload.trace), heard: councilHeard }
  const proposals = replaced(state.proposals, id, { council })
  return { ...state, proposals, cost: state.cost + (councilHeard?.cost?.usd ?? 0) }
}

export function foldAct(state: SessionState, type: string, payload: Payload): SessionState {
  if (type.startsWith('council_') && payload.proposal !== undefined)
    return foldProposalCouncil(state, type, payload)
  const id = String(payload.intent)
  const intent = state.intents.get(id)
  if (!intent) return state
  switch (type) {
    case 'intent_assessed':
      return change(state, id, { assessment: payloadOf({ payload }, 'intent_assessed') })
    case 'council_convened':
      return change(state, id, { council: { trace: String(payload.trace), heard: null } })
    case 'council_heard': {
      const councilHeard = payloadOf({ payload }, 'council_heard')
      const cost = state.cost + (councilHeard.cost?.usd ?? 0)
      return { ...change(state, id, { council: { trace: councilHeard.trace, heard: councilHeard } }), cost }
    }
    case 'intent_blocked':
      return intent.status === 'signed'
        ? change(state, id, {
            status: 'blocked',
            blockedBy: String(payload.seat),
            reason: String(payload.reason),
          })
        : state
    case 'tool_execution_started':
      return intent.status === 'completed' || intent.status === 'failed'
        ? state
        : change(state, id, {
            status: 'started',
            ...(typeof payload.call === 'string' && { call: payload.call }),
          })
    case 'tool_execution_indeterminate':
      return change(state, id, { status: 'indeterminate' })
    default: {
      const again = payload.as === 'again'
      const reason = again ? null : `marked as failed: ${String(payload.reason)}`
      return change(state, id, { status: again ? 'repeated' : 'failed', reason })
    }
  }
}

/** The clerk's own record that it is unknown whether the tool ran. */
export function foldCall(state: SessionState, type: string, payload: Payload): SessionState {
  const [kind, id = ''] = String(payload.action).split('/')
  if (type !== CALL_INDETERMINATE || kind !== 'tool' || state.intents.get(id)?.status !== 'started')
    return state
  return change(state, id, { status: 'lost' })
}
