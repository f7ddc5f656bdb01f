// The port to where ledgers and artifacts rest. A store keeps bytes and order; it signs nothing, folds nothing and
// judges nothing. Its own guards (unique constraints, triggers) hold even against a caller that ignores this port.

import type { End, Header, SealedEvent } from '../ledger/event.ts'
import type { SearchQuery } from '../ledger/text/search.ts'

export type { End } from '../ledger/event.ts'

/** The last event of a trace. */
export interface Head extends End {
  readonly header: Header
}

/** A trace in a line. */
export interface TraceSummary {
  readonly trace: string
  readonly protocol: string
  readonly size: number
  readonly started: string
  readonly last: { readonly at: string; readonly type: string; readonly hash: string }
}

/** What is known of an artifact without reading it. */
export interface ArtifactStat {
  readonly hash: string
  readonly size: number
}

/** What can be read in an event, as it rests in the store now and unchecked: for lists and searches, not for evidence. */
export interface EventText {
  readonly header: string
  /** Null once erased. */
  readonly payload: string | null
}

/** An event in which everything that was searched for stands. */
export interface FoundEvent extends EventText {
  /** The first event of its trace. It may be left out where it is long, since a trace is often found many times. */
  readonly opening: EventText | null
}

/** In bytes of its payload. */
export const LONG_OPENING = 1 << 15

/** What is to be erased, and the registry event that says who wants it and why. */
export interface Erasure {
  readonly trace: string
  /** The event whose payload goes; or null when an artifact of the trace goes. */
  readonly seq: number | null
  readonly artifact: string | null
  readonly registry: { readonly trace: string; readonly seq: number }
}

/**
 * Folded states, kept so that a long trace opens at once. A cache and never evidence: it may be lost or lied about at
 * any time, and anyone who uses it checks it first.
 */
export interface Snapshots {
  /** The longest kept of the trace that counts at most `within` events, unchecked; null when there is none to be had. */
  find(trace: string, within: number): Promise<Uint8Array | null>
  /** Keeps it if that can be done: what is not kept is folded again. */
  keep(trace: string, size: number, snapshot: Uint8Array): Promise<void>
  /** Forgets all of them: the state of a branch holds words of its parent's. Rejects when something is left. */
  clear(): Promise<void>
}

/** Where ledgers and artifacts rest. Every adapter passes one contract suite. */
export interface Store {
  readonly kind: string
  /** The trace that holds keys, redactions and checkpoints; null before there is one. */
  registry(): Promise<string | null>
  traces(): Promise<readonly TraceSummary[]>
  head(trace: string): Promise<Head | null>
  /**
   * Appends the events in one durable commit, or none of them. HEAD_MOVED when the trace does not end where the
   * caller believes (size 0 for a new trace), or when the registry holds more than the `registry` events by which
   * the caller judged the keys; artifacts they name must be stored before. With `isFlushedLater` it resolves as soon as every
   * reader sees them; `settled` tells when they are durable.
   */
  append(
    trace: string,
    expected: End,
    events: readonly SealedEvent[],
    registry?: number,
    isFlushedLater?: boolean,
  ): Promise<void>
  /** Resolves once all that was appended here before is durable; rejects when that cannot be known. */
  settled(): Promise<void>
  /** Events from `from` (default 0) up to, not including, `to` (default the head as the read began). */
  read(trace: string, from?: number, to?: number): AsyncIterable<SealedEvent>
  /** Leaf hashes of the trace in order, without reading the events. */
  hashes(trace: string, from?: number, to?: number): Promise<readonly string[]>
  /** Resolves once the trace is longer than `size`, the signal is given, or the store is closed. */
  watch(trace: string, size: number, signal: AbortSignal): Promise<void>
  /**
   * Streams bytes into the store. Once it resolves, everyone sees them, and no event appended afterwards is durable
   * without them. The same bytes twice are stored once.
   */
  putArtifact(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<ArtifactStat>
  statArtifact(hash: string): Promise<ArtifactStat | null>
  /** The bytes as they lie in the store, unchecked: anyone who needs them intact digests them. Null when absent. */
  openArtifact(hash: string): Promise<AsyncIterable<Uint8Array> | null>
  /** The first events of those traces, in that order; of a trace that is not there, none. */
  openings(traces: readonly string[]): Promise<readonly EventText[]>
  /**
   * The events in which all terms of the query stand, newest first, some at a time. It may name one too many, never one
   * too few of what was recorded as it began. An empty query finds nothing.
   */
  find(query: SearchQuery): AsyncIterable<readonly FoundEvent[]>
  /** Erases for good what the registry events name; VAULT_REFUSED when there is no such registry event. */
  erase(...erasures: readonly Erasure[]): Promise<void>
  /** Makes known that this clerk is at work, until the returned function is called or the process ends. */
  attend(clerk: string): Promise<() => Promise<void>>
  attends(clerk: string): Promise<boolean>
  close(): Promise<void>
}
