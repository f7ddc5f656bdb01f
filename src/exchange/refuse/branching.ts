// Whether a branch may be ordered, and whether a trace may begin as one. Of two orders that would both
// continue the exchange elsewhere the first wins: the second finds it gone.

import { canonicalize } from '../../ledger/canonical.ts'
import { isTraceId } from '../../ledger/event.ts'
import { misfit } from '../../ledger/schema-fault.ts'
import type { Occurrence, Refusal } from '../../protocol.ts'
import { policyAnswer } from '../decide.ts'
import { editionOf } from '../editions.ts'
import { type BranchOrder, type BranchPayload, POLICY, payloadOf, type SignalAnswered } from '../events.ts'
import { endOf } from '../evolve/steps.ts'
import { BRANCH_SHAPE } from '../schema.ts'
import type { ExchangeState } from '../state.ts'
import { type Terms, termsProblem } from '../terms.ts'
import { courseSince, lacking, misshapen, order, ROUNDS } from './refusals.ts'

export function orderRefusal(state: ExchangeState, event: Occurrence, branch: BranchOrder): Refusal | null {
  const { into, round, terms, current } = branch
  if (state.movedTo !== null && current) {
    return order(`the exchange has gone on in ${state.movedTo} already`)
  }
  if (!isTraceId(into) || into === event.trace) return misshapen('a branch is a trace of its own')
  if (state.forks.some((fork) => fork.order.into === into)) return order('that branch is ordered already')
  if (round > state.closed) return lacking(`round ${round} is not over`, ...ROUNDS)
  const isNow = round === state.closed && !state.round
  if (!isNow && !endOf(state, round)) return lacking(`there was no round ${round}`, ...ROUNDS)
  const problem = terms === null ? null : termsProblem(terms, editionOf(state).signal)
  return problem ? misshapen(`the terms of the branch are not sound: ${problem}`) : null
}

/** A policy answers exactly what its terms say; only the name of the new trace is its own choice. */
export function policyRefusal(
  state: ExchangeState,
  event: Occurrence,
  { answer, terms: amended, branch }: SignalAnswered,
  terms: Terms,
): Refusal | null {
  const due = policyAnswer(state, terms)
  if (!due) return { code: 'ROLE_POLICY_VIOLATION', message: 'the terms leave this answer to the observer' }
  const { into, ...rest } = branch ?? { into: null }
  const recorded = { answer, terms: amended, branch: branch === null ? null : rest }
  if (canonicalize(recorded) !== canonicalize(due)) {
    const message = 'a policy answers otherwise than its terms say'
    return { code: 'ROLE_POLICY_VIOLATION', message, lacks: courseSince(state.termsSince) }
  }
  return branch ? orderRefusal(state, event, branch) : null
}

function policyBranchRefusal(state: ExchangeState, { branch }: BranchPayload): Refusal | null {
  const beyond = (message: string): Refusal => ({ code: 'ROLE_POLICY_VIOLATION', message })
  const { policy, limit } = state.terms?.restart ?? { policy: 'pause', limit: 0 }
  if (typeof policy === 'string') return beyond('these terms let no policy branch')
  const terms = 'branch' in policy ? policy.branch : null
  if (canonicalize(terms) !== canonicalize(branch.terms) || !branch.signal || branch.carry !== 'window') {
    return beyond('a policy branches otherwise than its terms say')
  }
  return branch.by_policy > limit ? beyond('the policy has branched as often as its terms allow') : null
}

/** The first event of a branch, checked in the state of its parent at the fork point. */
export function branchRefusal(state: ExchangeState, event: Occurrence): Refusal | null {
  const problem = misfit(BRANCH_SHAPE, event.payload)
  if (problem) return misshapen(`this is no branch of an exchange: ${problem}`)
  const payload = payloadOf(event, 'trace_forked')
  const { branch } = payload
  if (!state.terms) return lacking('the exchange is not open', 'exchange_opened')
  if (branch.into !== event.trace) return misshapen('the branch was ordered as another trace')
  if (state.round) return lacking('a branch starts between rounds, not within one', ...ROUNDS)
  if (branch.round !== state.closed)
    return lacking(`it starts after round ${state.closed}, not ${branch.round}`, ...ROUNDS)
  if (branch.signal?.answer === 'acknowledge' || branch.signal?.answer === 'halt') {
    return misshapen('that answer makes no branch')
  }
  const terms = branch.terms === null ? null : termsProblem(branch.terms, editionOf(state).signal)
  if (terms) return misshapen(`the terms of the branch are not sound: ${terms}`)
  if (event.actor.role === POLICY) return policyBranchRefusal(state, payload)
  return branch.by_policy === state.byPolicy ? null : misshapen('the count of policies does not follow')
}
