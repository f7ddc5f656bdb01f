// An approval is bound to one signed intent: its event, its arguments, the definition of the tool, the policy
// in force, and a time. An approval that names anything else approves nothing, no matter who signed it.

import { isMoment } from '../ledger/clock.ts'
import { MEANS_WORDS } from '../ledger/means.ts'
import type { Lack, Occurrence } from '../protocol.ts'
import { councilApproves, judgesOf, opinionOf } from './critics.ts'
import { type Edition, editionOf } from './editions.ts'
import type { CriticVia, Payloads, Via } from './events.ts'
import { objectionTo } from './proposal-progress.ts'
import type { Intent, SessionState } from './state.ts'
import type { CriticSeat, PolicyInForce, Proof, Task } from './task.ts'

// How a person proves presence. A terminal proves nothing: a program can create one. A passphrase shows that
// someone knows it, a key file that someone has it. The policy of the session says what is enough.

const ENOUGH: Readonly<Record<Proof, readonly Via[]>> = {
  terminal: ['terminal', 'passphrase', 'file', 'key-file', 'host'],
  passphrase: ['passphrase', 'file', 'key-file'],
  'other-machine': ['file', 'key-file'],
}

/** Why a statement given in this way does not count as a person's under the policy and these rules; null when it counts. */
export function proofFault(
  policy: PolicyInForce,
  via: Via,
  rules: Pick<Edition, 'console'> = { console: false },
): string | null {
  const wanted = policy.approval_proof ?? 'terminal'
  if (via === 'host' && !policy.via_host) return 'the policy takes no approval through a host'
  if (ENOUGH[wanted].includes(via)) return null
  // A console started at a terminal proves no more than a terminal.
  if (via === 'console' && rules.console && wanted === 'terminal') return null
  if (via === 'none')
    return policy.unproven && wanted === 'terminal' ? null : 'nothing shows that a person said it'
  return `the policy wants more than ${MEANS_WORDS[via]}: ${PROOF_WORDS[wanted]}`
}

/** The required proof, as text. */
export const PROOF_WORDS: Readonly<Record<Proof, string>> = {
  terminal: 'an answer at a terminal, a passphrase or a key that was made elsewhere',
  passphrase: 'a key that a passphrase protects, or one that was made elsewhere',
  'other-machine': 'a key that was made elsewhere (--key FILE)',
}

const MACHINES: readonly CriticVia[] = ['policy', 'mind', 'council']

const isMachine = (via: CriticVia): via is Exclude<CriticVia, Via> => MACHINES.includes(via)

/** Agents that this machine signs for in the session: none of their statements counts as a person's. */
const machines = ({ roles }: Task): readonly string[] => [
  roles.planner.agent,
  roles.executor.agent,
  roles.auditor.agent,
  ...roles.critics.flatMap(({ kind, agent }) => (kind === 'human' || agent === null ? [] : [agent])),
]

/** Why this actor may not act for the seat; null when it may. */
export function seatFault(
  task: Task,
  seat: CriticSeat,
  actor: Occurrence['actor'],
  via: CriticVia,
): string | null {
  if (actor.role !== 'critic') return 'a critic speaks in the role of a critic'
  if (seat.kind !== 'human') {
    if (actor.agent !== seat.agent) return `${actor.agent} does not speak for the seat ${seat.seat}`
    return via === seat.kind ? null : `the seat ${seat.seat} cannot speak via ${via}`
  }
  if (isMachine(via)) return 'no answer of a machine counts as a person'
  if (machines(task).includes(actor.agent)) return `${actor.agent} is a seat of this session, not a person`
  if (seat.agent !== null && actor.agent !== seat.agent) return `only ${seat.agent} may decide this`
  return proofFault(task.policy, via, editionOf(task))
}

/** Why the policy rejects the intent, by its own rules or by the conditions of the proposal's approval. */
export function policyBlock(state: SessionState, intent: Intent): string | null {
  const { task } = state
  const proposal = state.proposals.get(intent.proposal)
  if (!task || !proposal || !intent.assessment) return null
  const { decision, deciding, reasons, risk } = intent.assessment
  if (decision === 'deny') {
    const by = deciding.length > 0 ? deciding.join(', ') : 'the policy'
    return reasons.length > 0 ? `denied by ${by} (${reasons.join(', ')})` : `denied by ${by}`
  }
  return objectionTo(task, proposal, { ...intent, risk })
}

/** Whether a recorded statement of the seat itself supports the approval. */
function missingGrounds(state: SessionState, intent: Intent, seat: CriticSeat): string | null {
  if (seat.kind === 'mind') {
    const opinion = opinionOf(state, intent.id, seat.seat, intent.round)
    return typeof opinion === 'object' && opinion.verdict === 'approve' ? null : 'its mind did not approve'
  }
  if (seat.kind === 'policy') return policyBlock(state, intent)
  if (seat.kind === 'human') return null
  const councilHeard = intent.council?.heard
  return councilHeard && councilApproves(councilHeard)
    ? null
    : 'its council did not adopt this without reserve'
}

/** Where the statements that support approvals of a seat are recorded; an unsupported approval is not counted. */
export const GROUNDS_OF_SEAT: Readonly<Record<CriticSeat['kind'], readonly string[]>> = {
  mind: ['critic_answered'],
  council: ['council_convened', 'council_heard'],
  policy: [],
  human: [],
}

export interface BindingFault {
  readonly message: string
  /** Who is at fault: the actor, or the approval itself. */
  readonly of: 'speaker' | 'approval'
  /** Earlier events that may have contained what is missing here. */
  readonly lacks: readonly Lack[]
}

const approvalFault = (message: string, ...lacks: readonly Lack[]): BindingFault => ({
  message,
  of: 'approval',
  lacks,
})

/** Why this approval approves nothing; null when it counts. */
export function bindingFault(
  state: SessionState,
  intent: Intent,
  event: Occurrence,
  approval: Payloads['intent_approved'],
): BindingFault | null {
  const { task } = state
  const assessed = { types: ['intent_assessed'], since: intent.hash }
  if (!task || !intent.assessment) return approvalFault('the policy has not assessed the intent', assessed)
  const seat = judgesOf(task, intent.assessment).find((judge) => judge.seat === approval.seat)
  if (!seat) return approvalFault(`the seat ${approval.seat} has no say on this intent`, assessed)
  const speaker = seatFault(task, seat, event.actor, approval.via)
  if (speaker) return { message: speaker, of: 'speaker', lacks: [] }
  if (approval.intent_hash !== intent.hash) return approvalFault('it names another intent')
  if (approval.input_hash !== intent.inputHash) return approvalFault('it names other arguments')
  if (approval.definition !== intent.definition)
    return approvalFault('it names another definition of the tool')
  if (approval.policy !== task.policy.hash) return approvalFault('it names another policy')
  if (!isMoment(approval.expires)) return approvalFault('it names no time at which it ends')
  if (event.at >= approval.expires) return approvalFault('it had expired when it was given')
  if (intent.assessment.decision === 'deny') return approvalFault('the policy denies the intent')
  const reason = missingGrounds(state, intent, seat)
  return reason === null
    ? null
    : approvalFault(reason, { types: GROUNDS_OF_SEAT[seat.kind], since: intent.hash })
}
