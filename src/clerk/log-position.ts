// How far a book has folded its trace, and what it has sealed to go on with.

import type { WitanError } from '../ledger/errors.ts'
import type { SealedEvent } from '../ledger/event.ts'
import type { Tip } from '../ledger/seal.ts'
import type { Occurrence } from '../protocol.ts'

export interface Folded<State> {
  readonly state: State
  readonly tip: Tip
  /** The first event that cannot be relied on. */
  readonly flaw: WitanError | null
}

export interface Sealed<State> {
  readonly events: readonly SealedEvent[]
  readonly occurrences: readonly Occurrence[]
  readonly folded: Folded<State>
  /** How many events of the registry the keys were judged by; the vault appends nothing if there are more. */
  readonly judgedBy: number | undefined
}
