// A bundle is everything needed to check a trace without its home: the events, the part of the registry they
// are judged by, and the prefixes of the traces it was forked from. It contains bytes and claims; its
// existence proves nothing.

import { claimedHash } from '../bytes.ts'
import type { End, SealedEvent } from '../event.ts'

/** One sealed event, with the path that proves that it is under the checkpoint of its section. */
export interface Carried {
  readonly event: SealedEvent
  /** Audit path under the section's checkpoint, as hex; empty in a whole section. */
  readonly proof: readonly string[]
}

/** Which registry event was last at a size that headers name. */
export interface Position extends End {
  readonly proof: readonly string[]
}

/** The events of one trace within a bundle. */
export interface Section {
  readonly trace: string
  /** `whole`: every event from the first. `sparse`: single events, each with its proof under the checkpoint. */
  readonly form: 'whole' | 'sparse'
  /** The signed checkpoint that came with the section. */
  readonly checkpoint: string | null
  readonly events: readonly Carried[]
  /** In the registry alone. */
  readonly positions: readonly Position[]
  /** An earlier checkpoint that `checkpoint` extends, with the consistency proof. */
  readonly earlier: { readonly note: string; readonly proof: readonly string[] } | null
}

/**
 * A trace to be verified: its events, those of the traces it was forked from, and the part of the registry that it relies on.
 */
export interface Bundle {
  /** The trace that the bundle is about. */
  readonly trace: string
  /** `none`: all payloads and artifacts were left out. */
  readonly content: 'full' | 'none'
  readonly registry: Section
  /** Prefixes of the traces that the main one was forked from, oldest first. */
  readonly ancestors: readonly Section[]
  /** The same section as `registry` when the bundle is about the registry itself. */
  readonly main: Section
  /** Artifacts that were left out on purpose; nothing is asserted about their content. */
  readonly omitted: readonly string[]
}

export const proofBytes = (proof: readonly string[]): Uint8Array[] => proof.map(claimedHash)
