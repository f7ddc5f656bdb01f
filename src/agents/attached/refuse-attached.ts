// Guards of attached sessions: an intent must use a tool that the standing order allows, under a recorded
// definition, and statements about the host must come before its session ends.

import type { Refusal } from '../../protocol.ts'
import { PROGRESS } from '../erased-evidence.ts'
import type { Payloads } from '../events.ts'
import { countIntents } from '../evolve/intent-index.ts'
import { endingOf } from '../proposal-progress.ts'
import { refuseInput, unreviewed } from '../refuse/acts.ts'
import { malformed, notAllowed, outOfOrder } from '../refuse/refusals.ts'
import type { SessionState } from '../state.ts'
import { isAttached } from './attached.ts'

export function refuseAttachedIntent(
  state: SessionState,
  payload: Payloads['tool_intent_signed'],
): Refusal | null {
  const proposal = state.proposals.get(payload.proposal)
  if (!proposal) return outOfOrder(`${payload.proposal} was never proposed`, 'proposal_created')
  if (proposal.status !== 'approved') return unreviewed(state, proposal)
  if (state.hostEnded !== null || endingOf(state, proposal))
    return outOfOrder('the session of the host is over', ...PROGRESS)
  // A call that the standing order does not allow is still recorded as an intent, and then blocked by the policy.
  const { definition, tool, artifacts } = payload
  const isKept = artifacts.some(({ hash }) => hash === definition)
  if (!isKept && state.learned.get(tool) !== definition)
    return notAllowed(`the definition of ${tool} is not on record`, 'tool_intent_signed')
  if (payload.step !== null || payload.revises !== null)
    return malformed('a host follows no written steps and revises nothing')
  if (payload.intent !== `${proposal.id}-i${countIntents(state, proposal.id) + 1}`)
    return outOfOrder(`${payload.intent} is not the next intent`, 'tool_intent_signed')
  if (payload.call === undefined || payload.quote === undefined)
    return malformed('an intent of a host names its call and how its input begins')
  return refuseInput(payload)
}

export function refuseHostEvent(state: SessionState, type: string): Refusal | null {
  if (!state.task || !isAttached(state.task))
    return notAllowed(`${type}: no host is attached to this session`)
  return state.hostEnded === null ? null : outOfOrder('the session of the host is over')
}
