// Names the action that each event answers, by the first part of its id, and checks that both are about the
// same thing. Otherwise an approval could be passed off as the answer to another question.

import type { Outcomes } from '../ledger/calls.ts'
import type { Payload } from '../ledger/event.ts'
import type { Refusal } from '../protocol.ts'
import type { EventType } from './events.ts'
import { malformed } from './refuse/refusals.ts'

/** Parts of the action's id: a literal, or a member of the payload (`|`: whichever of these members exists). */
const ANSWERS: Partial<Record<EventType, readonly [kind: string, ...members: string[]]>> = {
  planner_answered: ['plan'],
  planner_failed: ['plan'],
  planner_incomplete: ['plan'],
  proposal_created: ['propose', 'proposal'],
  proposal_reviewed: ['review', 'proposal', 'seat'],
  critic_answered: ['consult', 'subject', 'seat'],
  critic_failed: ['consult', 'subject', 'seat'],
  critic_incomplete: ['consult', 'subject', 'seat'],
  council_convened: ['convene', 'intent|proposal', 'seat'],
  council_heard: ['consult', 'intent|proposal', 'seat'],
  executor_answered: ['act', 'subject'],
  executor_failed: ['act', 'subject'],
  executor_incomplete: ['act', 'subject'],
  tool_intent_signed: ['intent', 'intent'],
  intent_assessed: ['assess', 'intent'],
  intent_approved: ['judge', 'intent', 'seat'],
  intent_blocked: ['judge', 'intent', 'seat'],
  tool_execution_started: ['start', 'intent'],
  approval_voided: ['start', 'intent'],
  tool_execution_completed: ['tool', 'intent'],
  tool_execution_failed: ['tool', 'intent'],
  tool_execution_indeterminate: ['mark', 'intent'],
  execution_resolved: ['resolve', 'intent'],
  limit_reached: ['limit', 'limit', 'proposal'],
  proposal_closed: ['close', 'proposal'],
  claim_issued: ['claim', 'claim'],
  claim_withdrawn: ['claim', 'claim'],
  claim_accepted: ['weigh', 'claim', 'seat'],
  final_statement_signed: ['final'],
  verification_run_started: ['audit'],
  verification_run_completed: ['verify'],
}

/** A person may also challenge without being asked. Opening, failing and aborting answer no action. */
export const OUTCOMES: Outcomes = Object.fromEntries(
  Object.entries(ANSWERS).map(([type, [kind]]) => [type, kind]),
)

/** Models are asked and tools are run by calls. */
export const STARTED: readonly string[] = ['plan', 'consult', 'act', 'tool']

export function actionFault(type: EventType, payload: Payload): Refusal | null {
  const expected = ANSWERS[type]
  if (!expected) return null
  const [kind, ...members] = expected
  const named = members.map((member) => {
    const there = member.split('|').find((name) => payload[name] !== undefined && payload[name] !== null)
    return String(there === undefined ? 'session' : payload[there])
  })
  const isAnswer = String(payload.action).startsWith(`${[kind, ...named].join('/')}/`)
  return isAnswer
    ? null
    : malformed(`${type} answers ${String(payload.action)}, which is about something else`)
}
