// Where a trace is read from, be it a home or a file: events with their places, and what was erased from them.

import type { SealedEvent } from '../../ledger/event.ts'
import type { TraceStatus } from '../../ledger/recorded.ts'
import type { RegistryState } from '../../ledger/registry/registry.ts'

export interface TraceSource {
  readonly trace: string
  readonly registry: RegistryState
  /** Whether payloads were left out when the file was made. */
  readonly isBare: boolean
  /** With the place of each; all of them, or the one that is named. */
  events(seq: number | null): AsyncIterable<readonly [seq: number, event: SealedEvent]>
  size(): Promise<number>
  hasArtifact(hash: string): Promise<boolean>
  status(protocol: string): Promise<TraceStatus | null>
}
