// What a proposal still needs and how it ends, from folded state. Guards and decisions both use these
// answers, so the two cannot disagree.

import { type Sha256, toHex, utf8 } from '../ledger/bytes.ts'
import { canonicalize, type Json } from '../ledger/canonical.ts'
import { minutesBetween } from '../ledger/clock.ts'
import { attachedEnding, isAttached, isOrdered, orderFault } from './attached/attached.ts'
import { editionOf } from './editions.ts'
import { openIntentsOf } from './evolve/intent-index.ts'
import {
  type Due,
  type Ending,
  type Intent,
  intentsOf,
  isExecuting,
  isOpen,
  isSuperseded,
  type Proposal,
  type SessionState,
} from './state.ts'
import { isOver, type Limits, type Plan, type Risk, type Task, type WrittenStep } from './task.ts'

export const hashOfInput = (sha256: Sha256, input: Json): string => toHex(sha256(utf8(canonicalize(input))))

/** Why a plan cannot be carried out in this session at all. */
export function planFault(task: Task, plan: Plan): string | null {
  if (isAttached(task)) return orderFault(plan)
  const offered = task.tools.map(({ name }) => name)
  const missing = plan.required_tools.find((tool) => !offered.includes(tool))
  if (missing !== undefined) return `the tool ${missing} is not offered in this session`
  const steps = plan.steps ?? []
  const foreign = steps.find(({ tool }) => !plan.required_tools.includes(tool))
  if (foreign) return `step ${foreign.id} uses ${foreign.tool}, which the proposal does not list as required`
  const evidence = (plan.claims ?? []).flatMap((claim) => claim.evidence)
  const unknown = evidence.find(({ step }) => !steps.some(({ id }) => id === step))
  if (unknown) return `a claim is based on step ${unknown.step}, which the proposal does not have`
  return task.roles.executor.mind === null && steps.length === 0 ? 'there is no step to carry out' : null
}

interface NextStep {
  readonly tool: string
  readonly step: string | null
  readonly risk: Risk
}

/** Why this intent is not possible under the proposal, no matter who would approve it. */
export function objectionTo(task: Task, proposal: Proposal, { tool, step, risk }: NextStep): string | null {
  const isOffered = isAttached(task) || task.tools.some(({ name }) => name === tool)
  if (!isOffered) return `the tool ${tool} is not offered in this session`
  const isListed = isAttached(task)
    ? isOrdered(proposal.plan, tool)
    : proposal.plan.required_tools.includes(tool)
  if (!isListed) return `the approved proposal does not list ${tool} as required`
  for (const { tools, steps, max_risk } of proposal.conditions) {
    if (tools && !tools.includes(tool)) return `the approval allows only ${tools.join(', ')}`
    if (steps && (step === null || !steps.includes(step))) return 'the approval does not allow this step'
    if (max_risk && isOver(risk, max_risk)) return `the approval allows nothing over ${max_risk} risk`
  }
  return null
}

export const riskOf = (task: Task, tool: string, stated: Risk | undefined): Risk =>
  stated ?? task.tools.find(({ name }) => name === tool)?.risk ?? 'critical'

type Progress =
  | { readonly kind: 'do'; readonly step: WrittenStep }
  | { readonly kind: 'wait' }
  /** A critic blocked one of its steps: the plan has to be revised, or the step given up. */
  | { readonly kind: 'blocked'; readonly intent: Intent }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done' }

/** What the policy denied it would deny again, and a proposal that another replaces need not be revised. */
export function isRevisable(
  { task }: SessionState,
  { plan }: Proposal,
  { status, blockedBy }: Intent,
): boolean {
  if (!task || editionOf(task).critics === 1 || status !== 'blocked' || blockedBy === null) return false
  const isPolicy = task.roles.critics.some(({ seat, kind }) => seat === blockedBy && kind === 'policy')
  return !isPolicy && !(plan.on_failure === 'next' && task.policy.fallback)
}

/** The state of a written plan. Its steps run in order; the first that does not complete ends it. */
function progressOf(state: SessionState, proposal: Proposal): Progress {
  const own = intentsOf(state, proposal.id)
  for (const step of proposal.plan.steps ?? []) {
    const last = own.findLast((intent) => intent.step === step.id)
    if (last?.status === 'completed') continue
    if (!last || last.status === 'void' || last.status === 'repeated') return { kind: 'do', step }
    if (isOpen(last)) return { kind: 'wait' }
    if (isRevisable(state, proposal, last)) return { kind: 'blocked', intent: last }
    return { kind: 'failed', reason: `step ${step.id}: ${last.reason ?? last.status}` }
  }
  return { kind: 'done' }
}

const isWritten = ({ task }: SessionState): boolean =>
  task !== null && task.roles.executor.mind === null && !isAttached(task)

function writtenEnding(state: SessionState, task: Task, proposal: Proposal): Ending | null {
  const progress = progressOf(state, proposal)
  if (progress.kind === 'done') return { outcome: 'succeeded', reason: 'every step completed' }
  if (progress.kind === 'failed') return { outcome: 'failed', reason: progress.reason }
  if (progress.kind === 'wait') return null
  if (progress.kind === 'blocked') {
    const reason = `step ${progress.intent.step}: ${progress.intent.reason ?? 'blocked'}; another proposal revises it`
    return isSuperseded(state, proposal.id) ? { outcome: 'replanned', reason } : null
  }
  const { step } = progress
  const risk = riskOf(task, step.tool, step.risk)
  const objection = objectionTo(task, proposal, { tool: step.tool, step: step.id, risk })
  return objection ? { outcome: 'failed', reason: `step ${step.id}: ${objection}` } : null
}

/** How the proposal ends now; null while it continues. An execution that is not closed keeps it open. */
export function endingOf(state: SessionState, proposal: Proposal): Ending | null {
  const { task } = state
  if (!task) return null
  if (proposal.status === 'rejected') {
    const goesOn = state.phase !== 'executing' || isSuperseded(state, proposal.id) || asksPlanner(state)
    return goesOn ? null : { outcome: 'abandoned', reason: 'it was rejected' }
  }
  if (proposal.status === 'proposed') {
    return state.limit ? { outcome: 'limit', reason: `the limit of ${state.limit} is reached` } : null
  }
  if (proposal.status === 'approved' && isAttached(task)) return attachedEnding(state, task, proposal)
  if (proposal.status !== 'approved' || openIntentsOf(state, proposal.id).some(isExecuting)) return null
  const own = proposal.ending ?? (isWritten(state) ? writtenEnding(state, task, proposal) : null)
  if (own) return own
  return state.limit ? { outcome: 'limit', reason: `the limit of ${state.limit} is reached` } : null
}

const FAILED: readonly (Ending['outcome'] | undefined)[] = ['failed', 'limit', 'abandoned']

/** Proposals to be made now; a replacement waits until the proposal that it replaces has failed. */
export function dueNow(state: SessionState): readonly Due[] {
  if (state.limit) return []
  return state.due.filter(({ after }) => {
    if (after === null) return true
    const before = state.proposals.get(after)
    const failed = before?.status === 'rejected' || FAILED.includes(before?.closed?.outcome)
    return failed && state.task?.policy.fallback === true
  })
}

const wantsRevision = (state: SessionState): boolean =>
  [...state.proposals.values()].some(({ id, status }) => status === 'rejected' && !isSuperseded(state, id))

/** Whether a planning model is to be asked, for the first time or again. */
export function asksPlanner(state: SessionState): boolean {
  const { task, planning } = state
  if (!task || task.roles.planner.mind === null || state.limit || dueNow(state).length > 0) return false
  const wanted = state.phase === 'planning' ? state.proposals.size === 0 : wantsRevision(state)
  return wanted && planning.asked <= task.limits.revisions
}

/** No one is left who would propose by themselves: a person has to propose, or abort. */
export function awaitsPlan(state: SessionState): boolean {
  if (!state.task || dueNow(state).length > 0 || asksPlanner(state)) return false
  if (state.phase === 'planning') return true
  const alive = [...state.proposals.values()].some(({ status }) => status !== 'rejected')
  return state.phase === 'reviewing' && (!alive || state.limit !== null)
}

/** A written plan that waits for its revision, and the step that was blocked. */
export function blockedProposal(
  state: SessionState,
): { readonly proposal: Proposal; readonly intent: Intent } | null {
  if (!isWritten(state) || state.phase !== 'executing' || state.limit) return null
  for (const proposal of state.proposals.values()) {
    if (proposal.status !== 'approved' || isSuperseded(state, proposal.id)) continue
    const progress = progressOf(state, proposal)
    if (progress.kind === 'blocked') return { proposal, intent: progress.intent }
  }
  return null
}

/** A proposal that was closed in favour of a replacement that is unknown: the replacement was erased. */
export const withoutRevision = (state: SessionState): Proposal | null =>
  [...state.proposals.values()].find(
    ({ id, closed }) => closed?.outcome === 'replanned' && !isSuperseded(state, id),
  ) ?? null

/** Whether something is left that keeps the session from claiming. */
export const isOutstanding = (state: SessionState): boolean =>
  dueNow(state).length > 0 ||
  [...state.proposals.values()].some(
    ({ id, status }) => status !== 'closed' && !(status === 'rejected' && isSuperseded(state, id)),
  )

/** How many intents precede this one in a chain of revisions. */
function revisionDepth(state: SessionState, revises: string | null): number {
  let depth = 0
  for (let id = revises; id !== null; id = state.intents.get(id)?.revises ?? null) depth++
  return depth
}

/** The intent that the next one of this proposal revises: the last one, if it was blocked. */
function revisedBy(state: SessionState, proposal: string): string | null {
  const last = intentsOf(state, proposal).findLast(({ status }) => status !== 'void')
  return last?.status === 'blocked' ? last.id : null
}

const sameIntents = (state: SessionState, tool: string, inputHash: string): readonly Intent[] =>
  [...state.intents.values()].filter((intent) => intent.tool === tool && intent.inputHash === inputHash)

/** The limit that the whole session has reached, though no event says so yet. */
export function sessionLimit(state: SessionState): keyof Limits | null {
  const { task } = state
  if (!task || state.limit || isAttached(task)) return null
  const { limits } = task
  if (limits.cost !== null && state.cost >= limits.cost && state.cost > 0) return 'cost'
  const worked = minutesBetween(state.openedAt, state.at) - state.waited / 60_000
  return worked >= limits.minutes ? 'minutes' : null
}

export interface NextIntent extends NextStep {
  readonly input: { readonly [name: string]: Json }
  readonly justification: string
  readonly revises: string | null
}

/** The next act of the proposal: its next written step, or what its model answered. */
export function nextIntent(state: SessionState, proposal: Proposal): NextIntent | null {
  const { task } = state
  if (!task || proposal.status !== 'approved' || openIntentsOf(state, proposal.id).length > 0) return null
  const progress = isWritten(state) ? progressOf(state, proposal) : null
  const step = progress?.kind === 'do' ? progress.step : null
  const wish = step ?? proposal.pending
  if (!wish) return null
  const { tool, input, justification } = wish
  const revises = isWritten(state) ? null : revisedBy(state, proposal.id)
  return {
    tool,
    input,
    justification,
    step: step?.id ?? null,
    risk: riskOf(task, tool, wish.risk),
    revises,
  }
}

/** The limit that prevents this act from being signed. */
export function limitReached(state: SessionState, wish: NextIntent, inputHash: string): keyof Limits | null {
  const { limits } = state.task ?? {}
  if (!limits) return null
  if (state.steps >= limits.steps) return 'steps'
  if (sameIntents(state, wish.tool, inputHash).length >= limits.same_intent) return 'same_intent'
  return revisionDepth(state, wish.revises) > limits.revisions ? 'revisions' : null
}

/** Whether the session waits for a revision: all proposals were rejected, or a step was blocked. */
export const awaitsRevision = (state: SessionState): boolean =>
  blockedProposal(state) !== null ||
  (state.phase === 'reviewing' &&
    state.proposals.size > 0 &&
    [...state.proposals.values()].every(({ status }) => status === 'rejected'))
