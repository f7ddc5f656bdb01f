// What a guard may have missed where a payload was erased: for each thing that is folded, the events that tell of it.
// A guard names the narrowest of these, so that erasing one word leaves every other violation what it is.

import type { Lack } from '../protocol.ts'
import type { SessionState } from './state.ts'

/** Which plans there are, and how each stands. */
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

/** How far the work on a proposal has come, and so what it wants next or whether it is at its end. */
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

/** What executions have left. */
export const EXECUTIONS = ['tool_intent_signed', 'tool_execution_completed', 'tool_execution_failed']

/** What critics that are models said. */
export const OPINIONS = ['critic_answered', 'critic_failed', 'critic_incomplete']

/** Which claims are wanted, issued and weighed. */
export const CLAIMS = ['claim_issued', 'claim_withdrawn', 'claim_challenged', 'claim_accepted', ...OPINIONS]

const ENDS = ['final_statement_signed', 'verification_run_started']

/** What prompts are made of: where one of these was erased, a prompt cannot be built again. */
export const PROMPTED = [...new Set([...PLANS, ...PROGRESS, ...CLAIMS, 'intent_assessed'])]

/** What is said of an intent, after it was signed. */
const OF_INTENT = [
  'intent_assessed',
  'intent_approved',
  'approval_voided',
  'council_convened',
  'council_heard',
]

/** What may be why nothing asks for an action: of an intent that is known, only what was said after it. */
export function lacksOfAction({ intents }: SessionState, action: string): readonly Lack[] {
  const [, subject = ''] = action.split('/')
  const since = intents.get(subject)?.hash
  const judged = since === undefined ? OF_INTENT : [{ types: OF_INTENT, since }]
  return [...PLANS, ...PROGRESS, ...CLAIMS, ...ENDS, ...judged]
}
