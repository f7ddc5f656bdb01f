// The lifecycle of a session as one table: which role may record which event in which phase, and the eight transitions
// between the nine states. What this table does not accept is refused no matter what the payload says; what it accepts may
// still be refused by a guard. spec/agents.md shows the same table, and a test holds the two together.

import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../ledger/calls.ts'
import { FORKED } from '../ledger/fork.ts'
import type { EventType } from './events.ts'

export const PHASES = [
  'initialized',
  'planning',
  'reviewing',
  'executing',
  'claiming',
  'auditing',
  'completed',
  'failed',
  'aborted',
] as const
export type Phase = (typeof PHASES)[number]

const TERMINAL: readonly Phase[] = ['completed', 'failed', 'aborted']
export const isTerminal = (phase: Phase): boolean => TERMINAL.includes(phase)

export const ROLES = ['planner', 'executor', 'critic', 'auditor', 'operator', 'clerk'] as const
export type Role = (typeof ROLES)[number]

type TableEvent =
  | EventType
  | typeof CALL_STARTED
  | typeof CALL_LOST
  | typeof CALL_INDETERMINATE
  | typeof FORKED

export interface Row {
  readonly event: TableEvent
  readonly roles: readonly Role[]
  readonly phases: readonly Phase[]
}

const row = (event: TableEvent, roles: string, phases: string): Row => ({
  event,
  roles: roles.split(' ') as Role[],
  phases: phases.split(' ') as Phase[],
})

const LIVE = 'initialized planning reviewing executing claiming auditing'

export const TABLE: readonly Row[] = [
  row('session_initialized', 'operator', 'initialized'),
  row('planner_answered', 'planner', 'planning reviewing executing'),
  row('planner_failed', 'planner', 'planning reviewing executing'),
  row('planner_incomplete', 'planner', 'planning reviewing executing'),
  row('proposal_created', 'planner executor', 'planning reviewing executing'),
  row('critic_answered', 'critic', 'reviewing executing claiming'),
  row('critic_failed', 'critic', 'reviewing executing claiming'),
  row('critic_incomplete', 'critic', 'reviewing executing claiming'),
  row('proposal_reviewed', 'critic', 'reviewing executing'),
  row('executor_answered', 'executor', 'executing claiming'),
  row('executor_failed', 'executor', 'executing claiming'),
  row('executor_incomplete', 'executor', 'executing claiming'),
  row('tool_intent_signed', 'executor', 'executing'),
  row('intent_assessed', 'critic', 'executing'),
  row('council_convened', 'critic', 'reviewing executing'),
  row('council_heard', 'critic', 'reviewing executing'),
  row('intent_approved', 'critic', 'executing'),
  row('intent_blocked', 'critic', 'executing'),
  row('tool_execution_started', 'executor', 'executing'),
  row('approval_voided', 'executor', 'executing'),
  row('tool_execution_completed', 'executor', 'executing'),
  row('tool_execution_failed', 'executor', 'executing'),
  row('tool_execution_indeterminate', 'executor', 'executing'),
  row('execution_resolved', 'operator critic', 'executing'),
  row('gap_recorded', 'clerk', 'executing'),
  row('host_session_ended', 'clerk', 'executing'),
  row('limit_reached', 'executor', 'planning reviewing executing claiming'),
  row('proposal_closed', 'executor', 'executing'),
  row('claim_issued', 'executor', 'claiming'),
  row('claim_withdrawn', 'executor', 'claiming'),
  row('claim_accepted', 'critic', 'claiming'),
  row('claim_challenged', 'critic', 'claiming'),
  row('final_statement_signed', 'executor', 'claiming'),
  row('verification_run_started', 'auditor', 'auditing'),
  row('verification_run_completed', 'auditor', 'auditing'),
  row('session_failed', 'auditor clerk', LIVE),
  row('session_aborted', 'operator', LIVE),
  row(CALL_STARTED, 'clerk', 'planning reviewing executing claiming'),
  row(CALL_LOST, 'clerk', 'planning reviewing executing claiming auditing'),
  row(CALL_INDETERMINATE, 'clerk', 'executing'),
  row(FORKED, ROLES.join(' '), PHASES.join(' ')),
]

const ROWS: ReadonlyMap<string, Row> = new Map(TABLE.map((line) => [line.event, line]))

export const rowOf = (event: string): Row | undefined => ROWS.get(event)

export interface Transition {
  readonly number: number
  readonly from: readonly Phase[]
  readonly to: Phase
  readonly on: readonly EventType[]
  /** A condition on the state after the event is folded. */
  readonly when: string
}

const live = LIVE.split(' ') as Phase[]

/** The eight transitions of the specification. A fork is none of them: it begins in the phase of its parent. */
export const TRANSITIONS: readonly Transition[] = [
  { number: 1, from: ['initialized'], to: 'planning', on: ['session_initialized'], when: 'always' },
  { number: 2, from: ['planning'], to: 'reviewing', on: ['proposal_created'], when: 'always' },
  {
    number: 3,
    from: ['reviewing'],
    to: 'executing',
    on: ['proposal_reviewed'],
    when: 'every critic who must review it has approved it, with or without conditions',
  },
  {
    number: 4,
    from: ['executing'],
    to: 'claiming',
    on: ['proposal_closed'],
    when: 'no proposal is left that is open, under review or due',
  },
  {
    number: 5,
    from: ['claiming'],
    to: 'auditing',
    on: ['final_statement_signed'],
    when: 'it bundles at least one claim',
  },
  {
    number: 6,
    from: ['auditing'],
    to: 'completed',
    on: ['verification_run_completed'],
    when: 'its status is pass or pass-with-warnings',
  },
  {
    number: 7,
    from: live,
    to: 'failed',
    on: ['session_failed', 'verification_run_completed'],
    when: 'an integrity violation is recorded, or the audit fails',
  },
  { number: 8, from: live, to: 'aborted', on: ['session_aborted'], when: 'always' },
]

/** The phase after the transition with this number; the same phase when that transition does not start here. */
export function phaseAfter(phase: Phase, number: number): Phase {
  const transition = TRANSITIONS.find((candidate) => candidate.number === number)
  return transition?.from.includes(phase) ? transition.to : phase
}
