// What a session needs to perform actions: tools, models, a policy and a verifier, each behind its own port.
// Doors choose the implementations.

import type { Payloads } from '../../../agents/events.ts'
import type { SessionState } from '../../../agents/state.ts'
import type { Risk } from '../../../agents/task.ts'
import type { WithOpenCalls } from '../../../ledger/calls.ts'
import type { Json } from '../../../ledger/canonical.ts'
import type { Payload } from '../../../ledger/event.ts'
import type { Draft } from '../../../ledger/signing.ts'
import type { Action } from '../../../protocol.ts'
import type { Toolset } from '../../../tools/toolset.ts'
import type { Ports } from '../../ports.ts'
import type { Registrar } from '../../registrar.ts'
import type { AskableSeat } from '../../seat.ts'
import type { TraceLog } from '../../trace-log.ts'

interface PolicyVerdict {
  readonly decision: 'allow' | 'deny'
  readonly needs: 'none' | 'critic' | 'human'
  readonly risk: Risk
  /** Ids of the policies that decided. */
  readonly deciding: readonly string[]
  readonly reasons: readonly string[]
}

/** The policies in force, the operator's and the task's together. */
export interface PolicyInForce {
  readonly hash: string
  assess(call: { readonly tool: string; readonly input: Json; readonly risk: Risk }): Promise<PolicyVerdict>
}

export interface AuditResult {
  readonly status: Payloads['verification_run_completed']['status']
  /** The report, as plain JSON. */
  readonly report: object
}

/** Runs a council about one intent or proposal, in its own trace that is named before it begins. */
export type CouncilCritic = (
  trace: string,
  intent: string,
  signal: AbortSignal,
) => Promise<Omit<Payloads['council_heard'], 'action' | 'intent' | 'proposal' | 'seat' | 'trace'>>

/** Text of a model in answer to an action, while it writes it; null where it begins again. */
interface ModelSpeaking {
  readonly action: string
  readonly words: string | null
}

export interface AgentsKit {
  readonly ports: Ports
  readonly registrar: Registrar
  /** The session as it is when an action is performed. */
  readonly log: Pick<TraceLog<WithOpenCalls<SessionState>>, 'state'>
  readonly toolsets: Toolset
  readonly policy: PolicyInForce
  /** By the names that the task uses. */
  readonly minds: ReadonlyMap<string, AskableSeat>
  /** Verifies the trace up to this size, as an outsider would. */
  readonly verify: (trace: string, size: number) => Promise<AuditResult>
  readonly council?: CouncilCritic
  /** Called with text that models write, while they write it, for display. Not recorded. */
  readonly speaks?: ((speaking: ModelSpeaking) => void) | undefined
  /** For how many minutes an approval that is not from a person is valid. */
  readonly approvalMinutes?: number
}

/** The event that answers an action, and its signer. */
interface Answer {
  readonly type: string
  readonly agent: string
  readonly role: string
  readonly payload: object
}

export const answerDraft = (
  { registrar }: Pick<AgentsKit, 'registrar'>,
  action: Action,
  { type, agent, role, payload }: Answer,
): readonly Draft[] => [
  { type, actor: registrar.actor(agent, role), payload: { action: action.id, ...payload } as Payload },
]

/** How long an approval is valid unless stated. */
export const APPROVAL_MINUTES = 15
