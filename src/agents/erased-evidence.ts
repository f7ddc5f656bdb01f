// What a guard may not know because a payload was erased: for each folded fact, the events that contain it. A
// guard names the smallest set of these, so that erasing one payload does not hide any other violation.

import type { Lack } from '../protocol.ts'
import type { SessionState } from './state.ts'

/** Which proposals exist, and the state of each. */
export const PLANS = [
  'session_initialized',
  'planner_answered',
  'planner_failed',
  'planner_incomplete',
  'proposal_created',
  'proposal_reviewed',
  'proposal_closed',
  'executor_answered',
]

/** How far the work on a proposal has come, and so what is next or whether it has ended. */
export const PROGRESS = [
  'executor_answered',
  'executor_failed',
  'executor_incomplete',
  'tool_intent_signed',
  'intent_blocked',
  'approval_voided',
  'tool_execution_started',
  'tool_execution_completed',
  'tool_execution_failed',
  'tool_execution_indeterminate',
  'execution_resolved',
  'limit_reached',
  'host_session_ended',
]

/** Artifacts of executions. */
export const EXECUTIONS = ['tool_intent_signed', 'tool_execution_completed', 'tool_execution_failed']

/** What critics that are models answered. */
export const OPINIONS = ['critic_answered', 'critic_failed', 'critic_incomplete']

/** Which claims are wanted, issued and weighed. */
export const CLAIMS = ['claim_issued', 'claim_withdrawn', 'claim_challenged', 'claim_accepted', ...OPINIONS]

const ENDS = ['final_statement_signed', 'verification_run_started']

/** What prompts are made of: where one of these was erased, a prompt cannot be built again. */
export const PROMPTED = [...new Set([...PLANS, ...PROGRESS, ...CLAIMS, 'intent_assessed'])]

/** What was recorded about an intent after it was signed. */
const OF_INTENT = [
  'intent_assessed',
  'intent_approved',
  'approval_voided',
  'council_convened',
  'council_heard',
]

/** What may explain why no action is decided; for a known intent, only events after it. */
export function lacksOfAction({ intents }: SessionState, action: string): readonly Lack[] {
  const [, subject = ''] = action.split('/')
  const since = intents.get(subject)?.hash
  const judged = since === undefined ? OF_INTENT : [{ types: OF_INTENT, since }]
  return [...PLANS, ...PROGRESS, ...CLAIMS, ...ENDS, ...judged]
}
