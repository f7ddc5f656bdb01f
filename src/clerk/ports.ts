// What a clerk needs from the world, besides a vault: time, chance and keys. They come in here, so that the clerk
// itself can be run under any clock and with any keyring.

import type { Sha256 } from '../ledger/bytes.ts'
import type { Actor } from '../protocol.ts'
import type { Snapshots, Store } from '../stores/store.ts'

/** Something to be signed, and in whose name. */
export interface SignRequest {
  readonly actor: Actor
  readonly message: Uint8Array
}

/** What every clerk works with: a vault, a clock, chance and signing. */
export interface Ports {
  readonly store: Store
  readonly sha256: Sha256
  /** The directory of the home it all belongs to, where there is one. */
  readonly home?: string
  /** Without them every trace is folded from its beginning. */
  readonly snapshots?: Snapshots
  /** ISO 8601, UTC, milliseconds. */
  now(): string
  salt(): Uint8Array
  /** A new ULID. */
  newTrace(): string
  /** Which private keys are here, where several machines may hold keys of one agent; all that are asked for, if absent. */
  readonly holds?: (key: string) => boolean
  /** A signature for each request, in order; KEY_NOT_FOUND when the home does not hold an actor's private key. */
  sign(requests: readonly SignRequest[]): Promise<readonly Uint8Array[]>
  /** Whether the signature counts under the acceptance rule of ledger/signing.ts. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
}
