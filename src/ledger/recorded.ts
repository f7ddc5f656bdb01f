// A trace as it is read, without checks. Anything may be unreadable or missing; that is stated, not hidden.

import type { Header, Payload, SealedEvent } from './event.ts'
import type { Redaction } from './registry/registry.ts'

/** One event, opened. */
export interface RecordedEvent {
  readonly seq: number
  readonly event: SealedEvent
  /** What is wrong, as text, when it cannot be read. */
  readonly header: Header | string
  /** The same for its payload; null when it does not exist. */
  readonly payload: Payload | string | null
  /** Who had the payload erased and why; null when that is not recorded. */
  readonly redaction: Redaction | null
}

/** The status of a trace, in the words of its protocol. */
export interface TraceStatus {
  readonly status: string
  /** The state of its protocol; null where that is unknown. */
  readonly phase: string | null
  /** Why, where stored data is invalid. */
  readonly reason: string | null
}

/** A whole trace. */
export interface TraceContent {
  readonly trace: string
  /** Null when not even one header can be read. */
  readonly protocol: string | null
  readonly events: readonly RecordedEvent[]
  /** Null for protocols without a status text, and for files. */
  readonly status: TraceStatus | null
  /** Whether payloads were left out when its file was made. */
  readonly isBare: boolean
}

/** An artifact that an event names, and the status of its bytes. */
export interface RecordedArtifact {
  readonly hash: string
  readonly name: string
  readonly media_type: string
  readonly size: number
  readonly isStored: boolean
  readonly redaction: Redaction | null
}

/** One event of a trace, in full. */
export interface EventContent extends RecordedEvent {
  readonly trace: string
  readonly artifacts: readonly RecordedArtifact[]
  readonly isBare: boolean
}
