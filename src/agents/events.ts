// What is said in a session: every event type of agents/1 with its payload. A payload that answers an action names it
// in `action`; artifacts stand in the top-level list `artifacts`, as everywhere in the ledger. Who may say which of
// these in which phase stands in table.ts; what a payload must look like, in shapes.ts.

import type { AskingFields } from '../ledger/asking.ts'
import type { Artifact } from '../ledger/event.ts'
import { type EventOf, payloadReader } from '../protocol.ts'
import type { CriticReply, ExecutorReply, PlannerReply } from './replies.ts'
import type { Conditions, Confidence, Plan, Risk, Task } from './task.ts'

export interface Answer {
  readonly action: string
}

export interface Asking extends Answer, AskingFields {}

export interface FailedAsking extends Asking {
  readonly error_type: string
  readonly error_message: string
}

/** By what way a person spoke. */
export type Via = 'terminal' | 'passphrase' | 'host' | 'key-file' | 'file' | 'console' | 'none'
/** By what way a critic spoke: a seat of the session's own machine, or a person. */
export type CriticVia = 'policy' | 'mind' | 'council' | Via

/**
 * A quote and where it stands: bytes [start, end) of an artifact of an execution; null when the executor did not find
 * it there, or could not look.
 */
export interface Evidence {
  readonly artifact: string
  readonly range: readonly [number, number] | null
  readonly quote: string
}

export interface Payloads {
  session_initialized: Task & { readonly artifacts: readonly Artifact[] }

  planner_answered: Asking & { readonly reply: PlannerReply }
  planner_failed: FailedAsking
  proposal_created: Answer &
    Plan & {
      readonly proposal: string
      readonly revises: string | null
      /** Of one that was made by hand: by what way. */
      readonly via?: Via
    }
  proposal_reviewed: Answer & {
    readonly proposal: string
    readonly seat: string
    readonly verdict: 'approved' | 'conditional' | 'rejected'
    readonly conditions: Conditions
    readonly reasons: readonly string[]
    readonly via: CriticVia
  }

  critic_answered: Asking & { readonly subject: string; readonly seat: string; readonly reply: CriticReply }
  critic_failed: FailedAsking & { readonly subject: string; readonly seat: string }
  council_convened: Answer & { readonly intent: string; readonly seat: string; readonly trace: string }
  council_heard: Answer & {
    readonly intent: string
    readonly seat: string
    readonly trace: string
    /** Hash of the last event of the council's trace, and how many it has. */
    readonly head: string
    readonly size: number
    /** What the chair decided; null when there was none to decide. */
    readonly decision: string | null
    readonly unresolved_high: number
    /** A lost quorum, a timeout, or words of a fallback instead of the chair's. */
    readonly degraded: boolean
    readonly reasons: readonly string[]
    /** Of all its askings, where that is known. */
    readonly cost: { readonly usd: number; readonly from: string } | null
  }

  executor_answered: Asking & { readonly subject: string; readonly reply: ExecutorReply }
  executor_failed: FailedAsking & { readonly subject: string }
  tool_intent_signed: Answer & {
    readonly intent: string
    readonly proposal: string
    readonly step: string | null
    readonly tool: string
    readonly definition: string
    /** SHA-256 of the input as canonical JSON: at once the hash of the artifact `input.json`. */
    readonly input_hash: string
    readonly risk: Risk
    readonly justification: string
    readonly revises: string | null
    readonly artifacts: readonly Artifact[]
  }
  intent_assessed: Answer & {
    readonly intent: string
    readonly decision: 'allow' | 'deny'
    /** Whose word it takes beyond the policy's own. */
    readonly needs: 'none' | 'critic' | 'human'
    readonly risk: Risk
    readonly policy: string
    readonly deciding: readonly string[]
    readonly reasons: readonly string[]
  }
  intent_approved: Answer & {
    readonly intent: string
    readonly seat: string
    /** Hash of the event `tool_intent_signed`. */
    readonly intent_hash: string
    readonly input_hash: string
    readonly definition: string
    readonly policy: string
    /** From this moment on it approves nothing. */
    readonly expires: string
    readonly via: CriticVia
    readonly reasons: readonly string[]
  }
  intent_blocked: Answer & {
    readonly intent: string
    readonly seat: string
    readonly reason: string
    readonly via: CriticVia
  }

  tool_execution_started: Answer & {
    readonly intent: string
    /** Hashes of the approvals that are used up by this. */
    readonly approvals: readonly string[]
    readonly input_hash: string
    /** Of the tool as it is offered now. */
    readonly definition: string
  }
  approval_voided: Answer & {
    readonly intent: string
    readonly why: 'expired' | 'tool_changed' | 'policy_changed'
    readonly reason: string
  }
  tool_execution_completed: Answer & {
    readonly intent: string
    readonly duration_ms: number
    readonly truncated: boolean
    readonly secrets_removed: number
    /** The input, and what came out. */
    readonly artifacts: readonly Artifact[]
  }
  tool_execution_failed: Answer & {
    readonly intent: string
    readonly error_type: string
    readonly error_message: string
    readonly duration_ms: number
    readonly artifacts: readonly Artifact[]
  }
  tool_execution_indeterminate: Answer & { readonly intent: string; readonly reason: string }
  execution_resolved: Answer & {
    readonly intent: string
    /** `failed`: as if it had failed. `again`: a new intent is to be made for the same thing. */
    readonly as: 'failed' | 'again'
    readonly reason: string
    readonly via: Via
  }

  limit_reached: Answer & {
    readonly limit: keyof Task['limits']
    /** The proposal it ends; null when it ends all work of the session. */
    readonly proposal: string | null
    readonly bound: number
  }
  proposal_closed: Answer & {
    readonly proposal: string
    readonly outcome: 'succeeded' | 'failed' | 'limit' | 'replanned' | 'abandoned'
    readonly reason: string
  }

  claim_issued: Answer & {
    readonly claim: string
    readonly proposal: string
    readonly text: string
    readonly confidence: Confidence
    readonly evidence: readonly Evidence[]
    readonly revises: string | null
  }
  /** Also of a claim that was never issued, since what it was to stand on never ran. */
  claim_withdrawn: Answer & { readonly claim: string; readonly text: string; readonly reason: string }
  claim_accepted: Answer & {
    readonly claim: string
    readonly seat: string
    /** Artifacts that were not there to be looked into: the audit will say so. */
    readonly unchecked: readonly string[]
    readonly via: CriticVia
  }
  claim_challenged: {
    readonly action?: string
    readonly claim: string
    readonly seat: string
    readonly ground: 'weak' | 'contradicted'
    readonly reason: string
    readonly via: CriticVia
  }

  final_statement_signed: Answer & {
    readonly claims: readonly string[]
    readonly unproven: readonly { readonly text: string; readonly reason: string }[]
    readonly text: string
  }
  verification_run_started: Answer
  verification_run_completed: Answer & {
    readonly status: 'pass' | 'pass-with-warnings' | 'fail'
    /** SHA-256 of the report in canonical JSON: at once the hash of the artifact `report.json`. */
    readonly report: string
    /** What was verified: the trace up to and with `verification_run_started`. */
    readonly trace: string
    readonly size: number
    readonly head: string
    readonly artifacts: readonly Artifact[]
  }

  session_failed: { readonly code: string; readonly event: string | null; readonly reason: string }
  session_aborted: { readonly reason: string; readonly via: Via }
}

export type EventType = keyof Payloads
export type AgentsEvent = EventOf<Payloads>
export const payloadOf = payloadReader<Payloads>()
