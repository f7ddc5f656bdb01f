// The next actions of proposals: they are made, reviewed, worked on step by step, and closed. Every intent
// takes the same path: assessed, judged by one critic after the other, started, run.

import type { Sha256 } from '../ledger/bytes.ts'
import type { Action } from '../protocol.ts'
import { policyBlock } from './approvals.ts'
import { isAttached } from './attached/attached.ts'
import { decideAttached } from './attached/decide-attached.ts'
import {
  councilApproves,
  councilReasons,
  nextJudge,
  opinionOf,
  policySeat,
  reasonsOf,
  reviewBy,
  reviewersOf,
} from './critics.ts'
import { countIntents, openIntentsOf } from './evolve/intent-index.ts'
import {
  asksPlanner,
  awaitsPlan,
  blockedProposal,
  dueNow,
  endingOf,
  hashOfInput,
  limitReached,
  type NextIntent,
  nextIntent,
  planFault,
} from './proposal-progress.ts'
import { ask, criticName, park, record, recordLater, run, viaOf } from './signable-actions.ts'
import type { Intent, Proposal, SessionState } from './state.ts'
import type { CriticSeat, Limits, Task } from './task.ts'

export function decidePlans(state: SessionState, task: Task): readonly Action[] {
  const { planner, executor } = task.roles
  const actions: Action[] = dueNow(state).map(({ id, plan, by, revises }) => {
    const { agent } = by === 'planner' ? planner : executor
    const payload = { proposal: id, revises, ...plan }
    return record(`propose/${id}`, { type: 'proposal_created', agent, role: by, payload })
  })
  if (asksPlanner(state)) {
    const round = state.planning.asked + 1
    actions.push(ask(`plan/${round}`, { mind: planner.mind, round }))
  }
  if (awaitsPlan(state)) {
    const who = `${planner.agent}: make a proposal${state.phase === 'planning' ? '' : ' that is not rejected'}, or abort`
    const waitsFor = state.limit ? `the operator: the limit of ${state.limit} is reached, abort` : who
    const about = { proposal: `p${state.numbered + 1}`, by_hand: state.limit === null }
    actions.push(park(`propose/${about.proposal}`, waitsFor, about))
  }
  const blocked = blockedProposal(state)
  if (blocked) {
    const { proposal, intent } = blocked
    const who = `${planner.agent}: revise ${proposal.id}, of which ${intent.id} was blocked`
    const about = { proposal: `p${state.numbered + 1}`, by_hand: true, revises: proposal.id }
    actions.push(park(`propose/${about.proposal}`, who, about))
    const letBe = 'the operator or a critic: give the step up, or let it be intended again'
    actions.push(park(`resolve/${intent.id}`, letBe, { intent: intent.id }))
  }
  return actions
}

function review(state: SessionState, task: Task, proposal: Proposal): readonly Action[] {
  const seat = reviewersOf(task, proposal.plan).find((reviewer) => !proposal.reviews.has(reviewer.seat))
  if (!seat) return []
  const id = `review/${proposal.id}/${seat.seat}`
  const about = { proposal: proposal.id, seat: seat.seat }
  if (seat.kind === 'human') return [park(id, criticName(seat), about)]
  const base = { type: 'proposal_reviewed', agent: seat.agent ?? '', role: 'critic' } as const
  const via = viaOf(seat)
  if (seat.kind === 'policy') {
    const fault = planFault(task, proposal.plan)
    const reasons = [fault ?? 'every tool it needs is offered']
    const verdict = fault === null ? 'approved' : 'rejected'
    return [record(id, { ...base, payload: { ...about, verdict, conditions: {}, reasons, via } })]
  }
  if (seat.kind === 'council') {
    const place = `${proposal.id}/${seat.seat}/1`
    if (!proposal.council) return [recordLater(`convene/${place}`, about)]
    const { heard, trace } = proposal.council
    if (!heard) return [ask(`consult/${place}`, { ...about, subject: proposal.id, trace })]
    const verdict = councilApproves(heard) ? 'approved' : 'rejected'
    const payload = { ...about, verdict, conditions: {}, reasons: councilReasons(heard), via } as const
    return [record(id, { ...base, payload })]
  }
  const opinion = opinionOf(state, proposal.id, seat.seat, 1)
  if (opinion === undefined) return [ask(`consult/${proposal.id}/${seat.seat}/1`, { ...about, round: 1 })]
  const payload = { ...about, ...reviewBy(opinion), reasons: reasonsOf(opinion), via }
  return [record(id, { ...base, payload })]
}

/** What an approval of this intent has to name. */
const bindingOf = (task: Task, intent: Intent) => ({
  intent: intent.id,
  intent_hash: intent.hash,
  input_hash: intent.inputHash,
  definition: intent.definition,
  policy: task.policy.hash,
})

function recordVerdict(
  task: Task,
  intent: Intent,
  seat: CriticSeat,
  block: readonly string[] | null,
  why: readonly string[],
): Action {
  const id = `judge/${intent.id}/${seat.seat}/${intent.round}`
  const by = { agent: seat.agent ?? '', role: 'critic' } as const
  const about = { seat: seat.seat, via: viaOf(seat) }
  if (block) {
    const reason = block.join('; ') || 'it was not approved'
    return record(id, { ...by, type: 'intent_blocked', payload: { ...about, intent: intent.id, reason } })
  }
  const payload = { ...about, ...bindingOf(task, intent), reasons: why }
  return record(id, { ...by, type: 'intent_approved', payload })
}

function judge(state: SessionState, task: Task, intent: Intent, seat: CriticSeat): Action {
  const about = { intent: intent.id, seat: seat.seat, round: intent.round }
  const place = `${intent.id}/${seat.seat}/${intent.round}`
  if (seat.kind === 'human') {
    const blocks = { ...about, ...bindingOf(task, intent) }
    return park(`judge/${place}`, criticName(seat), blocks)
  }
  if (seat.kind === 'policy') {
    const block = policyBlock(state, intent)
    return recordVerdict(
      task,
      intent,
      seat,
      block === null ? null : [block],
      intent.assessment?.reasons ?? [],
    )
  }
  if (seat.kind === 'mind') {
    const opinion = opinionOf(state, intent.id, seat.seat, intent.round)
    if (opinion === undefined) return ask(`consult/${place}`, { ...about, subject: intent.id })
    const approves = opinion !== 'failed' && opinion.verdict === 'approve'
    return recordVerdict(task, intent, seat, approves ? null : reasonsOf(opinion), reasonsOf(opinion))
  }
  if (!intent.council) return recordLater(`convene/${place}`, about)
  const { heard, trace } = intent.council
  if (!heard) return ask(`consult/${place}`, { ...about, subject: intent.id, trace })
  const why = councilReasons(heard)
  return recordVerdict(task, intent, seat, councilApproves(heard) ? null : why, why)
}

/** The next action for an intent that is not over. */
function nextOfIntent(state: SessionState, task: Task, intent: Intent): Action {
  const { id, round, tool, input, inputHash, definition } = intent
  const call = { intent: id, tool, input, input_hash: inputHash, definition }
  switch (intent.status) {
    case 'started':
      return run(`tool/${id}`, call)
    case 'lost': {
      const reason = 'its call was cut off: nobody knows whether it ran'
      const { agent } = task.roles.executor
      const payload = { intent: id, reason }
      return record(`mark/${id}`, { type: 'tool_execution_indeterminate', agent, role: 'executor', payload })
    }
    case 'indeterminate':
      return park(`resolve/${id}`, 'the operator or a critic: mark it failed, or let it be intended again', {
        intent: id,
      })
    default: {
      const seat = policySeat(task)
      if (!intent.assessment)
        return recordLater(`assess/${id}/${round}`, { ...call, round, agent: seat.agent })
      const next = nextJudge(task, intent)
      if (next) return judge(state, task, intent, next)
      const approvals = intent.approvals.map(({ hash }) => hash)
      const expires = intent.approvals.map((approval) => approval.expires).sort()[0] ?? ''
      return recordLater(`start/${id}/${round}`, { ...call, round, approvals, expires })
    }
  }
}

export function limitAction(task: Task, limit: keyof Limits, proposal: string | null): Action {
  const payload = { limit, proposal, bound: task.limits[limit] ?? 0 }
  const { agent } = task.roles.executor
  const id = `limit/${limit}/${proposal ?? 'session'}`
  return record(id, { type: 'limit_reached', agent, role: 'executor', payload })
}

function intend(
  state: SessionState,
  task: Task,
  proposal: Proposal,
  wish: NextIntent,
  sha256: Sha256,
): Action {
  const inputHash = hashOfInput(sha256, wish.input)
  const bound = limitReached(state, wish, inputHash)
  if (bound) return limitAction(task, bound, bound === 'steps' ? null : proposal.id)
  const id = `${proposal.id}-i${countIntents(state, proposal.id) + 1}`
  const definition = task.tools.find(({ name }) => name === wish.tool)?.definition ?? ''
  const { tool, step, risk, justification, revises, input } = wish
  return recordLater(`intent/${id}`, {
    input,
    say: {
      type: 'tool_intent_signed',
      agent: task.roles.executor.agent,
      role: 'executor',
      payload: {
        intent: id,
        proposal: proposal.id,
        step,
        tool,
        definition,
        input_hash: inputHash,
        risk,
        justification,
        revises,
      },
    },
  })
}

function nextOfProposal(
  state: SessionState,
  task: Task,
  proposal: Proposal,
  sha256: Sha256,
): readonly Action[] {
  if (isAttached(task))
    return decideAttached(state, task, proposal, (intent) => nextOfIntent(state, task, intent))
  const open = openIntentsOf(state, proposal.id)
  if (open.length > 0) return open.map((intent) => nextOfIntent(state, task, intent))
  const wish = nextIntent(state, proposal)
  if (wish) return [intend(state, task, proposal, wish, sha256)]
  const { mind } = task.roles.executor
  if (mind === null) return []
  if (state.steps >= task.limits.steps) return [limitAction(task, 'steps', null)]
  const turn = proposal.turns.length + 1
  return [ask(`act/${proposal.id}/${turn}`, { mind, subject: proposal.id, turn })]
}

export function decideProposal(
  state: SessionState,
  task: Task,
  proposal: Proposal,
  sha256: Sha256,
): readonly Action[] {
  const ending = state.phase === 'executing' ? endingOf(state, proposal) : null
  if (ending) {
    const { agent } = task.roles.executor
    const payload = { proposal: proposal.id, ...ending }
    return [record(`close/${proposal.id}`, { type: 'proposal_closed', agent, role: 'executor', payload })]
  }
  if (proposal.status === 'proposed') return state.limit ? [] : review(state, task, proposal)
  return proposal.status === 'approved' ? nextOfProposal(state, task, proposal, sha256) : []
}
