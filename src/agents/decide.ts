// Decides the next actions of a session from its folded state. Executes nothing and reads no clock: the time
// is that of the last event. Ids are kind/subject/seat/round, so no action is decided twice under one id.

import type { Sha256 } from '../ledger/bytes.ts'
import type { Action } from '../protocol.ts'
import {
  acceptedClaims,
  type ClaimWanted,
  claimDepth,
  claimsWanted,
  factsWanted,
  isSettled,
  mendedClaim,
} from './claiming.ts'
import { claimJudges, opinionOf, reasonsOf } from './critics.ts'
import { decidePlans, decideProposal, limitAction } from './decide-proposals.ts'
import { completing } from './prompts/completing.ts'
import { sessionLimit } from './proposal-progress.ts'
import { ask, criticName, park, record, recordLater, viaOf } from './signable-actions.ts'
import { type Claim, intentsOf, type SessionState } from './state.ts'
import type { Task } from './task.ts'
import { misquotesAgain } from './unusable-answer.ts'

/** Reaching a bound of time or money stops all asking; a bound of steps does not. */
const mayAsk = (state: SessionState): boolean => state.limit !== 'cost' && state.limit !== 'minutes'

function issue(task: Task, wanted: ClaimWanted): Action {
  const { id, proposal, text, confidence, evidence, revises, fault } = wanted
  const by = { agent: task.roles.executor.agent, role: 'executor' } as const
  if (fault !== null) {
    const payload = { claim: id, text, reason: fault }
    return record(`claim/${id}`, { ...by, type: 'claim_withdrawn', payload })
  }
  const payload = { claim: id, proposal, text, confidence, revises }
  return recordLater(`claim/${id}`, { find: evidence, say: { ...by, type: 'claim_issued', payload } })
}

function weigh(state: SessionState, task: Task, claim: Claim): readonly Action[] {
  const seat = claimJudges(task).find((weigher) => !claim.accepted.includes(weigher.seat))
  if (!seat) return []
  const id = `weigh/${claim.id}/${seat.seat}`
  const about = { claim: claim.id, seat: seat.seat }
  if (seat.kind === 'human') return [park(id, criticName(seat), about)]
  if (seat.kind === 'policy')
    return [recordLater(id, { ...about, agent: seat.agent, evidence: claim.evidence })]
  const opinion = opinionOf(state, claim.id, seat.seat, 1)
  if (opinion === undefined) {
    return [ask(`consult/${claim.id}/${seat.seat}/1`, { ...about, subject: claim.id, round: 1 })]
  }
  const by = { agent: seat.agent ?? '', role: 'critic' } as const
  const via = viaOf(seat)
  if (opinion !== 'failed' && opinion.verdict === 'approve') {
    return [record(id, { ...by, type: 'claim_accepted', payload: { ...about, unchecked: [], via } })]
  }
  const ground = (opinion !== 'failed' && opinion.ground) || 'weak'
  const reason = reasonsOf(opinion).join('; ') || 'the critic gives no reason'
  return [record(id, { ...by, type: 'claim_challenged', payload: { ...about, ground, reason, via } })]
}

function answerChallenge(state: SessionState, task: Task, claim: Claim): Action {
  const { mind, agent } = task.roles.executor
  const mended = mendedClaim(state, claim)
  if (mended && mended.fault === null) return issue(task, mended)
  const mayRevise = claimDepth(state, claim) < task.limits.revisions && !misquotesAgain(state, claim)
  const tries = mind !== null && mayAsk(state) && mayRevise
  if (tries && claim.mendingAsked === 0) return ask(`act/${claim.id}/1`, { mind, subject: claim.id, turn: 1 })
  const reason = claim.challenges.map((challenge) => `${challenge.ground}: ${challenge.reason}`).join('; ')
  const payload = { claim: claim.id, text: claim.text, reason }
  return record(`claim/${claim.id}/withdraw`, { type: 'claim_withdrawn', agent, role: 'executor', payload })
}

/** A model whose work a limit stopped is asked once what can be claimed from it. */
function askForClaims(state: SessionState, task: Task): readonly Action[] {
  const { mind } = task.roles.executor
  if (mind === null || !mayAsk(state)) return []
  const cutShort = [...state.proposals.values()].filter(
    ({ id, closed, claims, claimsAsked }) =>
      closed?.outcome === 'limit' &&
      claims.length === 0 &&
      !claimsAsked &&
      intentsOf(state, id).some(({ artifacts }) => artifacts.length > 0),
  )
  return cutShort.map(({ id, turns }) => {
    const turn = turns.length + 1
    return ask(`act/${id}/${turn}`, { mind, subject: id, turn })
  })
}

const counted = (number: number): string => (number === 1 ? '1 claim is' : `${number} claims are`)

/** What the final statement has to say: everything that stands, and everything that does not. */
export function statementOf(state: SessionState) {
  const claims = acceptedClaims(state).map(({ id }) => id)
  const withdrawn = [...state.claims.values()].filter(({ status }) => status === 'withdrawn')
  const unproven = withdrawn.map(({ text, reason }) => ({ text, reason: reason ?? 'withdrawn' }))
  const text = `${state.task?.objective ?? ''}: ${counted(claims.length)} proven, ${unproven.length} not.`
  return { claims, unproven, text }
}

function conclude(state: SessionState, task: Task): readonly Action[] {
  const { agent } = task.roles.executor
  const payload = statementOf(state)
  if (payload.claims.length > 0) {
    return [record('final/1', { type: 'final_statement_signed', agent, role: 'executor', payload })]
  }
  const facts = factsWanted(state).filter(({ id }) => !state.claims.has(id))
  if (facts.length > 0) return facts.map((fact) => issue(task, fact))
  return [park('nothing/1', 'the operator: nothing could be proven, abort the session', {})]
}

function decideClaims(state: SessionState, task: Task): readonly Action[] {
  const claims = [...state.claims.values()]
  const actions = [
    ...askForClaims(state, task),
    ...claimsWanted(state)
      .filter(({ id }) => !state.claims.has(id))
      .map((wanted) => issue(task, wanted)),
    ...claims.flatMap((claim) => {
      if (claim.status === 'issued') return weigh(state, task, claim)
      return claim.status === 'challenged' ? [answerChallenge(state, task, claim)] : []
    }),
  ]
  return actions.length > 0 || !claims.every((claim) => isSettled(task, claim))
    ? actions
    : conclude(state, task)
}

function decideAudit(state: SessionState, task: Task): readonly Action[] {
  const { agent } = task.roles.auditor
  if (!state.audit)
    return [record('audit/1', { type: 'verification_run_started', agent, role: 'auditor', payload: {} })]
  return [recordLater('verify/1', { agent, ...state.audit })]
}

/** What an answer lacked is asked for before anything else is done with that answer. */
const withCompleting = (state: SessionState, action: Action): Action => {
  const lacking = action.call === 'ask' ? state.incomplete.get(action.id) : undefined
  if (!lacking) return action
  return { ...action, id: completing(action.id), input: { ...action.input, completes: lacking.event } }
}

/** A state never changes, and is asked several times: by the clerk, before an action is carried out, and by the guard of its answer. */
const decided = new WeakMap<SessionState, readonly Action[]>()

export function decide(state: SessionState, sha256: Sha256): readonly Action[] {
  const known = decided.get(state)
  if (known) return known
  const actions = decideSteps(state, sha256).map((action) => withCompleting(state, action))
  decided.set(state, actions)
  return actions
}

function decideSteps(state: SessionState, sha256: Sha256): readonly Action[] {
  const { task, phase } = state
  if (!task) return []
  const limit = sessionLimit(state)
  if (limit && phase !== 'auditing') return [limitAction(task, limit, null)]
  if (phase === 'claiming') return decideClaims(state, task)
  if (phase === 'auditing') return decideAudit(state, task)
  const works = phase === 'planning' || phase === 'reviewing' || phase === 'executing'
  if (!works) return []
  const proposals = [...state.proposals.values()].flatMap((proposal) =>
    decideProposal(state, task, proposal, sha256),
  )
  return unique([...decidePlans(state, task), ...proposals])
}

/** Two proposals that meet the same bound of the session say it once. */
const unique = (actions: readonly Action[]): readonly Action[] =>
  actions.filter((action, i) => actions.findIndex(({ id }) => id === action.id) === i)
