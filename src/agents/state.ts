// The state of a session after its events are folded: one phase for the whole, and a status for every
// proposal, intent and claim. Nothing in it is decided twice: guards, decisions and prompts all read this.

import type { Json } from '../ledger/canonical.ts'
import { MAX_READ_BYTES } from '../protocol.ts'
import type { Evidence, Payloads } from './events.ts'
import type { Phase } from './lifecycle.ts'
import type { CriticReply, Page, ThoughtClaim, ThoughtIntent } from './replies.ts'
import type { Conditions, Confidence, Limits, Plan, Risk, Task } from './task.ts'

/** A proposal that is to be made: written, or taken from what a model answered. */
export interface Due {
  readonly id: string
  readonly plan: Plan
  readonly by: 'planner' | 'executor'
  readonly revises: string | null
  /** Replaces this proposal, and is not made before that one has failed. */
  readonly after: string | null
}

/** One answer of an executor about a proposal, and its outcome. */
export interface Turn {
  readonly number: number
  readonly kind: 'intent' | 'page' | 'claims' | 'replan' | 'give_up' | 'failed'
  readonly page: Page | null
  /** Why it could not be used as it is; told to the executor at its next asking. */
  readonly objection: string | null
  /** It names an artifact that does not exist. */
  readonly lacks?: 'artifact'
}

export interface Ending {
  readonly outcome: Payloads['proposal_closed']['outcome']
  readonly reason: string
}

/** A council about a proposal or an intent: its trace, and its result once there is one. */
interface CouncilOutcome {
  readonly trace: string
  readonly heard: Payloads['council_heard'] | null
}

export interface Proposal {
  readonly id: string
  readonly plan: Plan
  readonly key: string
  /** Hash of the event that made it. */
  readonly hash: string
  readonly revises: string | null
  readonly status: 'proposed' | 'approved' | 'rejected' | 'closed'
  readonly reviews: ReadonlyMap<string, Payloads['proposal_reviewed']>
  /** Seat → hash of its review, or of the call by which its model was last asked for one. */
  readonly heard: ReadonlyMap<string, string>
  readonly conditions: readonly Conditions[]
  readonly council: CouncilOutcome | null
  readonly turns: readonly Turn[]
  /** A model's answer that is not signed yet. */
  readonly pending: ThoughtIntent | null
  /** Reported by a model, or by a limit of its own; the proposal is still to be closed. */
  readonly ending: Ending | null
  readonly closed: Ending | null
  /** Claims that a model proposed in its answers. */
  readonly claims: readonly ThoughtClaim[]
  /** Whether the model was asked for its claims after the end of its work. */
  readonly claimsAsked: boolean
}

export interface Approval {
  readonly seat: string
  readonly hash: string
  readonly expires: string
}

export type IntentStatus =
  | 'signed'
  | 'blocked'
  | 'started'
  | 'lost' // its call was cut off; not yet marked
  | 'indeterminate'
  | 'completed'
  | 'failed'
  | 'repeated' // unknown whether it ran; a new intent replaces it
  | 'void' // voided before it was started, by a fork or by the end of its proposal

export interface Intent {
  readonly id: string
  readonly proposal: string
  readonly step: string | null
  readonly tool: string
  readonly definition: string
  readonly inputHash: string
  /** As it was planned or answered; null where that was erased. */
  readonly input: Json | null
  readonly risk: Risk
  readonly justification: string
  readonly revises: string | null
  /** Hash of the event that signed it. */
  readonly hash: string
  readonly status: IntentStatus
  /** Counts up when approvals expired and are asked for again. */
  readonly round: number
  readonly assessment: Payloads['intent_assessed'] | null
  readonly approvals: readonly Approval[]
  readonly council: CouncilOutcome | null
  /** The seat that blocked it. */
  readonly blockedBy: string | null
  /** Why it was blocked or failed. */
  readonly reason: string | null
  /** Hashes of the artifacts of the execution, including the input. */
  readonly artifacts: readonly string[]
  /** Of an attached session: the host's id of the call that runs it, and how its input begins. */
  readonly call: string | null
  readonly quote: string | null
}

export interface Claim {
  readonly id: string
  readonly proposal: string
  readonly text: string
  readonly confidence: Confidence
  readonly evidence: readonly Evidence[]
  readonly revises: string | null
  readonly status: 'issued' | 'challenged' | 'revised' | 'withdrawn'
  readonly accepted: readonly string[]
  readonly challenges: readonly Payloads['claim_challenged'][]
  /** A model's correction of it, not issued yet; null once it was tried without success. */
  readonly mending: ThoughtClaim | null
  readonly mendingAsked: number
  readonly reason: string | null
}

/** An incomplete answer, whose missing part is asked for once more. */
export interface IncompleteAnswer {
  /** `trace/seq` of its event. */
  readonly event: string
  /** The hash of the raw reply. */
  readonly raw: string | null
  readonly missing: readonly string[]
}

/** The opinion of a critic that is a model, on a proposal, an intent or a claim; `failed` when it did not answer. */
export type Opinion = CriticReply | 'failed'

type Duty = 'executor' | 'critic' | 'auditor'

export interface SessionState {
  /** Of the last event; in a fork, the fork's own. */
  readonly trace: string
  readonly phase: Phase
  /** The phase before a terminal one: where a fork of it continues. */
  readonly left: Phase | null
  readonly task: Task | null
  readonly openedAt: string
  readonly at: string
  /** Milliseconds in which the session could only wait for a person. */
  readonly waited: number
  readonly due: readonly Due[]
  readonly proposals: ReadonlyMap<string, Proposal>
  readonly intents: ReadonlyMap<string, Intent>
  readonly claims: ReadonlyMap<string, Claim>
  /** By subject, seat and round. */
  readonly opinions: ReadonlyMap<string, Opinion>
  readonly planning: { readonly asked: number; readonly failures: number }
  /** What prompts quote → the event that contains it (`trace/seq`). */
  readonly sources: ReadonlyMap<string, string>
  /** Artifact → the execution that made it, and its length. */
  readonly produced: ReadonlyMap<string, { readonly intent: string; readonly size: number }>
  /** How many proposal numbers are used. */
  readonly numbered: number
  readonly steps: number
  readonly cost: number
  readonly limit: keyof Limits | null
  readonly duties: ReadonlyMap<string, Duty>
  readonly statement: Payloads['final_statement_signed'] | null
  readonly audit: { readonly hash: string; readonly trace: string; readonly size: number } | null
  /** Incomplete answers, by the action that was answered. */
  readonly incomplete: ReadonlyMap<string, IncompleteAnswer>
  /** Open calls of models, by action: the session as it was when each was started. */
  readonly asked: ReadonlyMap<string, SessionState>
  /** Of an attached session: tools by their definition as it was last recorded. */
  readonly learned: ReadonlyMap<string, string>
  /** What is known not to be recorded as it should be: why, and which call. */
  readonly gaps: readonly string[]
  /** How the session of the host ended; null while it continues. */
  readonly hostEnded: string | null
}

export const EMPTY: SessionState = {
  trace: '',
  phase: 'initialized',
  left: null,
  task: null,
  openedAt: '',
  at: '',
  waited: 0,
  due: [],
  proposals: new Map(),
  intents: new Map(),
  claims: new Map(),
  opinions: new Map(),
  planning: { asked: 0, failures: 0 },
  sources: new Map(),
  produced: new Map(),
  numbered: 0,
  steps: 0,
  cost: 0,
  limit: null,
  duties: new Map(),
  statement: null,
  audit: null,
  incomplete: new Map(),
  asked: new Map(),
  learned: new Map(),
  gaps: [],
  hostEnded: null,
}

export const opinionKey = (subject: string, seat: string, round: number): string =>
  `${subject}/${seat}/${round}`

export const intentsOf = (state: SessionState, proposal: string): readonly Intent[] =>
  [...state.intents.values()].filter((intent) => intent.proposal === proposal)

const OPEN: readonly IntentStatus[] = ['signed', 'started', 'lost', 'indeterminate']
const EXECUTING: readonly IntentStatus[] = ['started', 'lost', 'indeterminate']

export const isOpen = (intent: Intent): boolean => OPEN.includes(intent.status)
/** Started, and its end is not recorded yet. */
export const isExecuting = (intent: Intent): boolean => EXECUTING.includes(intent.status)

/** Artifacts of an execution that has ended, short enough for a verifier to read. */
export const isQuotable = (state: SessionState, artifact: string): boolean =>
  (state.produced.get(artifact)?.size ?? Number.POSITIVE_INFINITY) <= MAX_READ_BYTES

/** The ids that evidence may name. */
export const quotableArtifacts = (state: SessionState): readonly string[] =>
  [...state.produced.keys()].filter((hash) => isQuotable(state, hash))

/** Proposals that are replaced, now or later, by another. */
export const isSuperseded = (state: SessionState, proposal: string): boolean =>
  [...state.proposals.values(), ...state.due].some((other) => other.revises === proposal)
