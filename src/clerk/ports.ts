// What a clerk needs in addition to a store: time, randomness and keys. They are passed in, so that the clerk
// can run under any clock and with any keyring.

import type { Sha256 } from '../ledger/bytes.ts'
import type { Actor } from '../protocol.ts'
import type { Snapshots, Store } from '../stores/store.ts'

/** Something to be signed, and by which actor. */
export interface SignRequest {
  readonly actor: Actor
  readonly message: Uint8Array
}

/** The full content of a notice for people who decide. */
export interface Notice {
  /** `waiting`: for a person. `done`: it is over, or the granted rounds are. */
  readonly what: 'waiting' | 'done'
  readonly trace: string
  /** `trace/seq` of the last event. */
  readonly event: string
  /** What to type to see it. */
  readonly link: string
}

/** What is done outside the store when a run ends, as the settings of a home request. None of it can fail a run. */
export interface Outside {
  /** Null when it was sent or no notice is configured; else why it was not. */
  notify(notice: Notice): Promise<string | null>
  /** Outsiders attest the trace and a collector gets its spans, once its checkpoint is recorded. */
  finished(trace: string): Promise<void>
}

/** What every clerk works with: a store, a clock, randomness and signing. */
export interface Ports {
  readonly store: Store
  readonly sha256: Sha256
  /** Absent where there is no home, or the program does not reach outside. */
  readonly outside?: Outside
  /** Without them every trace is folded from its beginning. */
  readonly snapshots?: Snapshots
  /** ISO 8601, UTC, milliseconds. */
  now(): string
  salt(): Uint8Array
  /** A new ULID. */
  newTrace(): string
  /** Which private keys are here, where several machines may hold keys of one agent; all that are requested, if absent. */
  readonly holds?: (key: string) => boolean
  /** Further text of a model, for people who watch; null where it begins again. Returns at once, records nothing. */
  readonly tell?: (trace: string, who: string, words: string | null) => void
  /** A signature for each request, in order; KEY_NOT_FOUND when the home does not have an actor's private key. */
  sign(requests: readonly SignRequest[]): Promise<readonly Uint8Array[]>
  /** Whether the signature is valid under the acceptance rule of ledger/signing.ts. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
}
