// Guards of councils among the critics: a council is convened about an intent or a proposal once, when its
// turn comes, and its result must be that of the convened council.

import type { Refusal } from '../../protocol.ts'
import { nextJudge, reviewersOf } from '../critics.ts'
import type { Payloads } from '../events.ts'
import type { Intent, SessionState } from '../state.ts'
import { turnsOf, unknown } from './acts.ts'
import { malformed, notAllowed, outOfOrder } from './refusals.ts'

export function refuseCouncil(
  state: SessionState,
  type: string,
  payload: Payloads['council_convened'] | Payloads['council_heard'],
): Refusal | null {
  if (payload.proposal !== undefined) return refuseProposalCouncil(state, type, payload)
  const intent = state.intents.get(payload.intent ?? '')
  if (!intent || !state.task) return unknown(state, payload.intent ?? '')
  const next = nextJudge(state.task, intent)
  if (next?.kind !== 'council' || next.seat !== payload.seat)
    return outOfOrder(`no council is to be heard on ${intent.id} now`, ...turnsOf(state, intent))
  return refuseCouncilOrder(intent, type, payload.trace)
}

function refuseCouncilOrder(
  { council, hash: since }: Pick<Intent, 'council' | 'hash'>,
  type: string,
  trace: string,
): Refusal | null {
  if (type === 'council_convened') return council ? outOfOrder('the council was convened already') : null
  if (!council) return outOfOrder('no council was convened', { types: ['council_convened'], since })
  if (council.heard) return outOfOrder('the council was heard already')
  return council.trace === trace ? null : notAllowed('it is not the council that was convened')
}

/** About a proposal, once all critics before it have reviewed it. */
function refuseProposalCouncil(
  state: SessionState,
  type: string,
  payload: Payloads['council_convened'] | Payloads['council_heard'],
): Refusal | null {
  const proposal = state.proposals.get(payload.proposal ?? '')
  if (!state.task || !proposal)
    return outOfOrder(`${payload.proposal} was never proposed`, 'proposal_created')
  if (payload.intent !== undefined) return malformed('a council is held over one thing')
  const next = reviewersOf(state.task, proposal.plan).find(({ seat }) => !proposal.reviews.has(seat))
  const isDue = proposal.status === 'proposed' && next?.kind === 'council' && next.seat === payload.seat
  if (!isDue) return outOfOrder(`no council is to be heard on ${proposal.id} now`, 'proposal_reviewed')
  return refuseCouncilOrder(proposal, type, payload.trace)
}
