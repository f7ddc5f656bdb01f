// What can be said in an exchange, by whom, and in which shape. The kind of everything comes from the event that
// carries it and from the role that signed it, never from its text: a mind that writes the prefix of another actor
// has written a message of a mind.

import type { AskingFields } from '../ledger/asking.ts'
import type { Artifact } from '../ledger/event.ts'
import { type EventOf, payloadReader } from '../protocol.ts'
import type { Terms } from './terms.ts'

export const OBSERVER = 'observer'
export const POLICY = 'policy'
export const MIND = 'mind'
export const AUDITOR = 'auditor'

/** What the record of an asking adds to an event; a round needs no more of it than what it cost. */
export type Asked = Pick<AskingFields, 'artifacts'> &
  Partial<Pick<AskingFields, 'input_tokens' | 'output_tokens' | 'cost'>>

export interface ExchangeOpened {
  readonly terms: Terms
  /** Name of the encoder that makes the vectors. */
  readonly encoder: string
  /** Where the marks around quoted words are drawn from; minds never see it. */
  readonly fence: string
  /** By which rules it is held (`editions.ts`); the first where none is named. */
  readonly edition?: number
  /** Of our words alone, as older openings name it. */
  readonly prompts?: number
  readonly seats: readonly { readonly name: string; readonly model: string | null }[]
}

/** Fixes what every writer of a round is shown, before anybody is asked. */
export interface RoundOpened {
  readonly action: string
  readonly round: number
  readonly kind: 'pool' | 'audit'
  /** Hash of the terms in force for this round. */
  readonly terms: string
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly mind: string
  /** Ids, oldest first. */
  readonly messages: readonly string[]
}

export interface MindWrote extends Asked {
  readonly action: string
  readonly round: number
  readonly mind: string
  readonly messages: readonly { readonly text: string; readonly cut: boolean }[]
  /** Blocks over the limit of the terms. */
  readonly dropped: number
  /** How much was written before the first separator. The words themselves stand in `reply.json` alone. */
  readonly private_chars: number
}

export interface AskingFailed extends Asked {
  readonly action: string
  readonly round: number
  readonly mind: string
  readonly error_type: string
  readonly message: string
}

/** A theme: its words, how many messages it has, and its share of the window. */
export interface ClusterNote {
  readonly id: string
  readonly label: string
  readonly size: number
  /** Of the messages in the window. */
  readonly share: number
}

/** Something about the pool that its observer should know. */
export interface Alarm {
  readonly kind: string
  readonly cluster: string | null
  readonly text: string
}

/** What the encoder, the scorer and the clustering made of messages. The vectors lie in the artifact, in this order. */
export interface Embedded {
  readonly encoder: string
  readonly messages: readonly { readonly id: string; readonly score: number | null }[]
  /** New assignments, and those of older messages that changed; null is noise. */
  readonly assigned: readonly { readonly id: string; readonly cluster: string | null }[]
  readonly clusters: readonly ClusterNote[]
  readonly alarms: readonly Alarm[]
  readonly artifacts: readonly Artifact[]
}

export interface MessagesEmbedded extends Embedded {
  readonly action: string
  readonly round: number
}

export interface AuditPoint {
  readonly text: string
  readonly cites: readonly string[]
  readonly clusters: readonly string[]
}

export interface AuditWritten extends Asked {
  readonly action: string
  readonly round: number
  readonly summary: string
  readonly points: readonly AuditPoint[]
  /** Points that cite nothing the auditor was shown: kept for the observer, not injected. */
  readonly rejected: readonly AuditPoint[]
  /** Clusters of the window that no point speaks of. */
  readonly left_out: readonly string[]
}

export interface RoleReported {
  readonly action: string
  readonly round: number
  readonly role: 'auditor' | 'observer'
  readonly text: string
}

export interface ObserverSpoke {
  readonly text: string
  /** The round of the audit it answers. */
  readonly audit: number | null
}

export interface SignalRaised {
  readonly action: string
  readonly signal: number
  readonly round: number
  readonly level: number
  readonly share: number
  readonly series: readonly { readonly round: number; readonly level: number; readonly share: number }[]
  readonly rounds: readonly { readonly round: number; readonly asking: number; readonly messages: number }[]
  readonly top: readonly string[]
  readonly clusters: readonly { readonly id: string; readonly label: string; readonly asking: number }[]
}

/** What a branch takes along of what can be sampled. */
export type Carry = 'window' | 'audit' | 'none'

export interface BranchOrder {
  /** The trace that is to be the branch. */
  readonly into: string
  /** The last round of this trace that the branch has seen. */
  readonly round: number
  readonly carry: Carry
  /** New terms, or null to go on under those in force at that round. */
  readonly terms: Terms | null
  /** The exchange goes on there and no longer here. */
  readonly current: boolean
}

export type Answer = 'branch' | 'rollback' | 'amend' | 'acknowledge' | 'halt'

export interface SignalAnswered {
  readonly signal: number
  readonly answer: Answer
  readonly reason: string | null
  /** With `amend`. */
  readonly terms: Terms | null
  /** With `branch` and `rollback`. */
  readonly branch: BranchOrder | null
}

export interface PhaseChanged {
  readonly action: string
  readonly signal: number
  readonly answer: Answer
  /** Ids of the messages that asked most plainly. */
  readonly asked: readonly string[]
  /** Keys of the terms that were changed. */
  readonly changed: readonly string[]
}

/** What the first event of a branch says besides its fork point. */
export interface BranchPayload {
  readonly branch: BranchOrder & {
    /** `trace/seq` of the order. */
    readonly order: string
    /** The signal that the branch answers. */
    readonly signal: {
      readonly number: number
      readonly answer: Answer
      readonly asked: readonly string[]
    } | null
    /** How often a policy has branched or rolled back along this line, this branch included. */
    readonly by_policy: number
  }
}

/** The events whose payloads are read by more than one file, with what they carry. */
export interface Payloads {
  exchange_opened: ExchangeOpened
  round_opened: RoundOpened
  mind_wrote: MindWrote
  mind_failed: AskingFailed
  audit_failed: AskingFailed
  messages_embedded: MessagesEmbedded
  reembedded: Embedded
  audit_written: AuditWritten
  role_reported: RoleReported
  observer_spoke: ObserverSpoke
  signal_raised: SignalRaised
  signal_answered: SignalAnswered
  phase_changed: PhaseChanged
  branch_ordered: { readonly branch: BranchOrder }
  trace_forked: BranchPayload
}

export type ExchangeEvent = EventOf<Payloads>
export const payloadOf = payloadReader<Payloads>()

/** Which action each event answers, by the first part of its id. What people do is unasked: guards say when. */
export const OUTCOMES = {
  round_opened: 'round',
  mind_wrote: 'mind',
  mind_failed: 'mind',
  messages_embedded: 'embed',
  embedding_failed: 'embed',
  audit_written: 'audit',
  audit_failed: 'audit',
  role_reported: 'role',
  signal_raised: 'signal',
  signal_cleared: 'clear',
  phase_changed: 'phase',
} as const
