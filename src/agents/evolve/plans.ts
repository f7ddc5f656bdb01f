// Folds plans: answers of planners, proposals, and the verdicts of critics on them.

import type { Occurrence } from '../../protocol.ts'
import { reviewersOf, seatNamed } from '../critics.ts'
import type { Payloads } from '../events.ts'
import { phaseAfter } from '../lifecycle.ts'
import { isOutstanding } from '../proposal-progress.ts'
import type { ThoughtPlan } from '../replies.ts'
import { type Due, isExecuting, isOpen, isSuperseded, type Proposal, type SessionState } from '../state.ts'
import type { Plan, Task } from '../task.ts'
import { withEntry } from './shared-map.ts'

export const replaced = <Value>(
  map: ReadonlyMap<string, Value>,
  id: string,
  change: Partial<Value>,
): ReadonlyMap<string, Value> => {
  const old = map.get(id)
  return old === undefined ? map : withEntry(map, id, { ...old, ...change })
}

const proposalId = (number: number): string => `p${number}`

const planOf = (thought: ThoughtPlan): Plan => ({ ...thought, on_failure: 'stop' })

/** The proposals of a written plan; a proposal that may fail over is replaced by the next one. */
function writtenDue({ proposals }: Task): readonly Due[] {
  return proposals.map((plan, i) => {
    const after = proposals[i - 1]?.on_failure === 'next' ? proposalId(i) : null
    return { id: proposalId(i + 1), plan, by: 'planner', revises: null, after }
  })
}

export function foldOpening(
  state: SessionState,
  task: Payloads['session_initialized'],
  at: string,
): SessionState {
  const { executor, critics, auditor } = task.roles
  const duties = new Map(state.duties).set(executor.key, 'executor').set(auditor.key, 'auditor')
  for (const { key } of critics) if (key !== null) duties.set(key, 'critic')
  return {
    ...state,
    phase: phaseAfter(state.phase, 1),
    task,
    openedAt: at,
    due: writtenDue(task),
    numbered: task.proposals.length,
    duties,
  }
}

export function withDue(
  state: SessionState,
  thoughts: readonly ThoughtPlan[],
  by: Due['by'],
  revises: readonly string[],
): SessionState {
  const due = thoughts.map((thought, i): Due => {
    const id = proposalId(state.numbered + i + 1)
    return { id, plan: planOf(thought), by, revises: revises[i] ?? null, after: null }
  })
  return { ...state, due: [...state.due, ...due], numbered: state.numbered + due.length }
}

export function foldPlanner(state: SessionState, reply: Payloads['planner_answered']['reply']): SessionState {
  const rejected = [...state.proposals.values()].filter(
    ({ id, status }) => status === 'rejected' && !isSuperseded(state, id),
  )
  const revised = rejected.map(({ id }) => id)
  return withDue(state, reply.proposals, 'planner', revised)
}

export function foldProposal(
  state: SessionState,
  event: Occurrence,
  payload: Payloads['proposal_created'],
): SessionState {
  const { proposal: id, revises, action: _, via: __, ...plan } = payload
  if (state.proposals.has(id)) return state
  const isDue = state.due.some((due) => due.id === id)
  const proposal: Proposal = {
    id,
    plan,
    key: event.actor.key,
    hash: event.hash,
    revises,
    status: 'proposed',
    reviews: new Map(),
    heard: new Map(),
    council: null,
    conditions: [],
    turns: [],
    pending: null,
    ending: null,
    closed: null,
    claims: [],
    claimsAsked: false,
  }
  return {
    ...state,
    phase: phaseAfter(state.phase, 2),
    proposals: new Map(state.proposals).set(id, proposal),
    due: state.due.filter((due) => due.id !== id),
    numbered: isDue ? state.numbered : state.numbered + 1,
  }
}

/** A model is asked about a proposal. */
export function foldConsulting(state: SessionState, { hash, payload }: Occurrence): SessionState {
  const [kind, id = '', seat = ''] = String(payload?.action).split('/')
  const proposal = kind === 'consult' ? state.proposals.get(id) : undefined
  if (!proposal) return state
  const heard = new Map(proposal.heard).set(seat, hash)
  return { ...state, proposals: replaced(state.proposals, id, { heard }) }
}

export function foldReview(
  state: SessionState,
  { hash }: Occurrence,
  review: Payloads['proposal_reviewed'],
): SessionState {
  const { task } = state
  const proposal = state.proposals.get(review.proposal)
  if (!task || proposal?.status !== 'proposed' || !seatNamed(task, review.seat)) return state
  const reviews = new Map(proposal.reviews).set(review.seat, review)
  const heard = new Map(proposal.heard).set(review.seat, hash)
  const approved = reviewersOf(task, proposal.plan).every(({ seat }) => reviews.has(seat))
  const rejected = review.verdict === 'rejected'
  const status = rejected ? 'rejected' : approved ? 'approved' : 'proposed'
  const conditions =
    review.verdict === 'conditional' ? [...proposal.conditions, review.conditions] : proposal.conditions
  return {
    ...state,
    phase: status === 'approved' ? phaseAfter(state.phase, 3) : state.phase,
    proposals: replaced(state.proposals, proposal.id, { reviews, heard, status, conditions }),
  }
}

export function foldClosing(
  state: SessionState,
  { proposal: id, outcome, reason }: Payloads['proposal_closed'],
): SessionState {
  const proposal = state.proposals.get(id)
  if (!proposal || proposal.status === 'closed') return state
  let intents = state.intents
  for (const intent of state.intents.values()) {
    const unused = intent.proposal === id && isOpen(intent) && !isExecuting(intent)
    if (unused) intents = replaced(intents, intent.id, { status: 'void', reason: 'the proposal was closed' })
  }
  const closed = { outcome, reason }
  const proposals = replaced(state.proposals, id, { status: 'closed' as const, closed, pending: null })
  const next = { ...state, proposals, intents }
  return isOutstanding(next) ? next : { ...next, phase: phaseAfter(next.phase, 4) }
}
