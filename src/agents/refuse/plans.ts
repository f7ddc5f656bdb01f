// Guards of proposals: a proposal is what was written or answered, each critic reviews once and consistently
// with its recorded opinion, and a proposal closes as its steps and limits determine.

import { canonicalize } from '../../ledger/canonical.ts'
import type { Occurrence, Refusal } from '../../protocol.ts'
import { councilApproves, opinionOf, reviewBy, reviewersOf } from '../critics.ts'
import { OPINIONS, PLANS, PROGRESS } from '../erased-evidence.ts'
import type { Payloads } from '../events.ts'
import { awaitsPlan, blockedProposal, dueNow, endingOf, planFault } from '../proposal-progress.ts'
import type { SessionState } from '../state.ts'
import { malformed, notAllowed, outOfOrder } from './refusals.ts'

const LACKED = [...PLANS, ...PROGRESS]

export function refuseProposal(
  state: SessionState,
  event: Occurrence,
  payload: Payloads['proposal_created'],
): Refusal | null {
  const { proposal: id, revises, action: _, via, ...plan } = payload
  if (state.proposals.has(id)) return outOfOrder(`${id} was proposed already`)
  if (revises !== null && !state.proposals.has(revises))
    return outOfOrder(`it revises ${revises}, which was never proposed`, ...LACKED)
  const due = dueNow(state).find((candidate) => candidate.id === id)
  if (!due) {
    // By hand, by the planner itself, where no one else would continue.
    const blocked = blockedProposal(state)
    const isAwaited = awaitsPlan(state) || (blocked !== null && revises === blocked.proposal.id)
    const byHand = isAwaited && event.actor.role === 'planner' && state.limit === null
    if (!byHand) return outOfOrder(`no proposal ${id} is due here`, ...LACKED)
    if (via === undefined) return malformed(`${id} was made by hand and does not say so`)
    return via === 'host' && !state.task?.policy.via_host
      ? notAllowed('the policy takes no proposal through a host')
      : null
  }
  if (via !== undefined) return malformed(`${id} is due: it is not made by hand`)
  if (event.actor.role !== due.by) return notAllowed(`${id} is for the ${due.by} to make`)
  const same = canonicalize({ ...plan, revises }) === canonicalize({ ...due.plan, revises: due.revises })
  return same ? null : malformed(`${id} is not what was planned`, ...PLANS)
}

export function refuseReview(
  state: SessionState,
  event: Occurrence,
  review: Payloads['proposal_reviewed'],
): Refusal | null {
  const { task } = state
  const proposal = state.proposals.get(review.proposal)
  if (!task || !proposal) return outOfOrder(`${review.proposal} was never proposed`, 'proposal_created')
  if (proposal.key === event.actor.key) return notAllowed('the author of a proposal cannot review it')
  const seat = reviewersOf(task, proposal.plan).find((reviewer) => reviewer.seat === review.seat)
  if (!seat) return notAllowed(`the seat ${review.seat} reviews no proposals`)
  if (proposal.status !== 'proposed' || proposal.reviews.has(review.seat))
    return outOfOrder(`${review.proposal} is not to be reviewed by ${review.seat} any more`)
  if (seat.kind === 'policy') {
    const fault = planFault(task, proposal.plan)
    const right = (fault === null) === (review.verdict === 'approved')
    return right ? null : notAllowed(`the policy finds otherwise: ${fault ?? 'nothing stands against it'}`)
  }
  if (seat.kind === 'council') {
    const councilHeard = proposal.council?.heard
    if (!councilHeard) return outOfOrder('its council was not heard on it', 'council_heard')
    const right = councilApproves(councilHeard) === (review.verdict === 'approved')
    return right && review.verdict !== 'conditional' ? null : notAllowed('the council decided otherwise')
  }
  if (seat.kind !== 'mind') return null
  const opinion = opinionOf(state, proposal.id, seat.seat, 1)
  if (opinion === undefined) return outOfOrder(`${seat.seat} was not heard on it`, ...OPINIONS)
  const { verdict, conditions } = reviewBy(opinion)
  if (verdict !== review.verdict) return notAllowed(`${seat.seat} is known to think otherwise`)
  return canonicalize(conditions) === canonicalize(review.conditions)
    ? null
    : notAllowed('the conditions are not those of the critic')
}

export function refuseClosing(
  state: SessionState,
  { proposal: id, outcome }: Payloads['proposal_closed'],
): Refusal | null {
  const proposal = state.proposals.get(id)
  if (!proposal) return outOfOrder(`${id} was never proposed`, 'proposal_created')
  if (proposal.status === 'closed') return outOfOrder(`${id} is closed already`)
  const ending = endingOf(state, proposal)
  if (!ending) return outOfOrder(`${id} is not at its end`, ...LACKED)
  return ending.outcome === outcome ? null : outOfOrder(`${id} ends as ${ending.outcome}`, ...LACKED)
}
