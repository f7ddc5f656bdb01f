// What `witan show` reads from, be it a home or a file: events with their places, and what was erased from them.

import type { SealedEvent } from '../../ledger/event.ts'
import type { RegistryState } from '../../ledger/registry/registry.ts'
import type { Standing } from '../agents/session-status.ts'

export interface Reading {
  readonly trace: string
  readonly registry: RegistryState
  /** What is said of a payload that is not there and was not erased. */
  readonly absent: string
  /** With the place of each; all of them, or the one that is named. */
  events(seq: number | null): AsyncIterable<readonly [seq: number, event: SealedEvent]>
  size(): Promise<number>
  hasArtifact(hash: string): Promise<boolean>
  standing(protocol: string): Promise<Standing | null>
}
