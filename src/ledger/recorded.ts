// A trace as it is read: what is in it, unjudged. Anything may be unreadable or gone; that is said, not hidden.

import type { Header, Payload, SealedEvent } from './event.ts'
import type { Redaction } from './registry/registry.ts'

/** One event, opened. */
export interface RecordedEvent {
  readonly seq: number
  readonly event: SealedEvent
  /** In words what is wrong, when it cannot be read. */
  readonly header: Header | string
  /** Also; null when it is not there. */
  readonly payload: Payload | string | null
  /** Who had the payload erased and why; null when nothing says so. */
  readonly redaction: Redaction | null
}

/** Where a trace stands, in the words of its protocol. */
export interface TraceStatus {
  readonly status: string
  /** The state of its protocol; null where that cannot be told. */
  readonly phase: string | null
  /** Why, where what is stored does not hold. */
  readonly reason: string | null
}

/** A whole trace. */
export interface TraceContent {
  readonly trace: string
  /** Null when not even one header can be read. */
  readonly protocol: string | null
  readonly events: readonly RecordedEvent[]
  /** Null for protocols that have no word for it, and for files. */
  readonly status: TraceStatus | null
  /** Whether payloads were left out when the file that it was read from was made. */
  readonly isBare: boolean
}

/** An artifact that an event names, and what became of its bytes. */
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
