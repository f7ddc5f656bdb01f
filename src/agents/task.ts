// What a session is opened with and bound by from then on: the task, who acts in which role, the limits, the
// tools under their hashed definitions, and what the policy in force allows. Nothing here changes afterwards.

import type { Json } from '../ledger/canonical.ts'

/** From harmless to severe; the order is used by conditions and by `council_from`. */
export const RISKS = ['low', 'medium', 'high', 'critical'] as const
export type Risk = (typeof RISKS)[number]

export const isOver = (risk: Risk, bound: Risk): boolean => RISKS.indexOf(risk) > RISKS.indexOf(bound)

/** Who signs for a role, with the key it had when the session was opened. */
interface Signatory {
  readonly agent: string
  readonly key: string
}

/**
 * One of the critics. `policy` comes first in every session; a `human` without a name is any registered person who
 * has no other seat in the session.
 */
export interface CriticSeat {
  /** Its name in ids, for example `policy`, `claude`, `council`, `human`. */
  readonly seat: string
  readonly kind: 'policy' | 'mind' | 'council' | 'human'
  readonly agent: string | null
  readonly key: string | null
}

/** A foreign agent that acts unasked and is recorded while it does. */
export interface AttachedAs {
  readonly kind: 'attached'
  /** The program and its version as it reports them, for example `claude-code`. */
  readonly host: string
  readonly version: string
  /** The host's own id of its session. */
  readonly session: string
}

export interface Roles {
  /** `mind` is the seat that is asked; null for a written plan. */
  readonly planner: Signatory & { readonly mind: string | null }
  readonly executor: Signatory & { readonly mind: string | null } & Partial<AttachedAs>
  readonly critics: readonly CriticSeat[]
  readonly auditor: Signatory
}

export interface Limits {
  /** Intents, and answers of the executor that are none, in the whole session. */
  readonly steps: number
  /** How often one intent, one claim or one plan may be revised. */
  readonly revisions: number
  /** How often the same tool may be intended with the same input. */
  readonly same_intent: number
  /** From the opening to the last recorded event, without time spent only waiting for a person. */
  readonly minutes: number
  /** In US dollars, as far as the costs of the models are known; null for no limit. */
  readonly cost: number | null
}

export const DEFAULT_LIMITS: Limits = { steps: 40, revisions: 3, same_intent: 3, minutes: 60, cost: null }

/** A tool that the session may use. Its definition is an artifact of the opening: the hash is the definition's. */
export interface OfferedTool {
  readonly name: string
  readonly definition: string
  /** The assumed risk of an intent that states none. */
  readonly risk: Risk
}

/** What can be required as proof of a person. */
export const PROOFS = ['terminal', 'passphrase', 'other-machine'] as const
export type Proof = (typeof PROOFS)[number]

export interface PolicyInForce {
  /** Over all policies in force, the operator's and the task's. */
  readonly hash: string
  /** Whether an approval taken through the host of an MCP server counts as a person's. */
  readonly via_host: boolean
  /** Required proof of a person; a terminal unless stated. */
  readonly approval_proof?: Proof
  /** Whether the home lets a person's key decide without any proof of presence. */
  readonly unproven?: boolean
  /** Of an attached session: calls are recorded and never delayed. */
  readonly observe?: boolean
  /** Whether another proposal may follow one that failed. */
  readonly fallback: boolean
  /** From which risk on a council among the critics is asked. */
  readonly council_from: Risk
}

/** A step of a written plan. */
export interface WrittenStep {
  readonly id: string
  readonly tool: string
  readonly input: { readonly [name: string]: Json }
  readonly justification: string
  readonly risk?: Risk
}

/** A claim of a written plan: the positions of its quotes are computed after the steps have run. */
export interface WrittenClaim {
  readonly text: string
  readonly confidence: Confidence
  readonly evidence: readonly { readonly step: string; readonly quote: string }[]
}

/** How sure the author of a claim is. */
export type Confidence = 'low' | 'medium' | 'high'

/** What a conditional approval allows; what it does not name is not restricted. */
export interface Conditions {
  readonly tools?: readonly string[]
  readonly max_risk?: Risk
  /** Ids of the only steps of a written plan that may run. */
  readonly steps?: readonly string[]
}

/** The content of a proposal, whether written or from a model. */
export interface Plan {
  readonly objective: string
  readonly assumptions: readonly string[]
  readonly required_tools: readonly string[]
  readonly expected_evidence: readonly string[]
  /** Of a written plan; a model decides its steps as it proceeds. */
  readonly steps?: readonly WrittenStep[]
  readonly claims?: readonly WrittenClaim[]
  /** `next`: the proposal after this one replaces it when it fails, and is not begun before. */
  readonly on_failure: 'stop' | 'next'
}

export interface Task {
  readonly objective: string
  readonly constraints: readonly string[]
  /** A label for readers; only the operator's machine knows the location of the workspace. */
  readonly workspace: string
  readonly roles: Roles
  readonly policy: PolicyInForce
  readonly limits: Limits
  readonly evidence_min: number
  readonly tools: readonly OfferedTool[]
  /** Empty when a model plans. */
  readonly proposals: readonly Plan[]
  /** Fences in prompts are derived from it. */
  readonly seed: string
  /** The edition of the session's rules (`editions.ts`); the first where none is named. */
  readonly edition?: number
  /** Critics, and seats of a council among them, whose model also plans or executes. Since edition 2. */
  readonly acting_judges?: readonly string[]
  /** Of an attached session: the trace that holds an earlier part of the same session of the host. */
  readonly continues?: string
  /** A demo: models answer from a script. Since edition 2. */
  readonly scripted?: true
}

/** Names of all models of a scripted demo begin with this. */
export const SCRIPTED_PREFIX = 'scripted-'
