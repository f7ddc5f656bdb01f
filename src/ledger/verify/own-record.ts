// What a home knows better than any bundle: its own registry and its own traces. A bundle that names this registry is
// held against them. A stolen key can sign a history that a stranger takes for true; the home has the true one, with
// the rotation and the revocation that the thief leaves out.

import type { SealedEvent } from '../event.ts'
import type { HashAt } from '../keys.ts'
import type { RegistryState } from '../registry.ts'
import { agrees, rootsAt } from '../tree-head.ts'
import type { Context } from './context.ts'
import type { Inquiry, ReadSection } from './inquire.ts'

type Recorded = readonly Pick<SealedEvent, 'hash' | 'signature'>[]

/** The registry of the reader's own home, folded and verified by the reader, and its traces that the bundle names. */
export interface OwnRecord {
  readonly registry: RegistryState
  readonly traces: ReadonlyMap<string, Recorded>
}

/** The reader's own record, where the bundle claims to be of that home; null for anyone else's. */
export function ownRecordOf({ trust, registry }: Inquiry): OwnRecord | null {
  const { own } = trust
  return own && own.registry.registry === registry.trace ? own : null
}

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

/** In words where the section leaves what was recorded; null when it is the beginning of it. */
function departure(ctx: Context, section: ReadSection, recorded: Recorded): string | null {
  const { trace, form, events } = section
  if (recorded.length === 0) return `this home never recorded ${trace}`
  const shorter = (size: number): string => `${trace} has ${recorded.length} events in this home, not ${size}`
  if (form === 'whole') {
    const at = events.findIndex(({ event }, i) => {
      const known = recorded[i]
      return known?.hash !== event.hash || !same(known.signature, event.signature)
    })
    if (at < 0) return null
    return at < recorded.length
      ? `event ${at} of ${trace} is not the one that this home recorded`
      : shorter(events.length)
  }
  const checkpoint = ctx.checkpointOf(section.checkpoint)
  // A section of single events without a checkpoint is refused for that already.
  if (!checkpoint) return null
  if (checkpoint.size > recorded.length) return shorter(checkpoint.size)
  const roots = rootsAt(ctx.sha256, recorded, [checkpoint.size]).get(checkpoint.size)
  return roots && agrees(checkpoint, roots)
    ? null
    : `the first ${checkpoint.size} events of ${trace} are not those that this home recorded`
}

/** Where the bundle leaves the history that the home recorded, each section once; empty when it is all of it. */
export function departuresFrom(ctx: Context, own: OwnRecord): readonly string[] {
  const { registry, ancestors, main } = ctx.inquiry
  const sections = new Set([registry, ...ancestors, main])
  return [...sections].flatMap(
    (section) => departure(ctx, section, own.traces.get(section.trace) ?? []) ?? [],
  )
}

/** What the home itself has at each place: a bundle that was made earlier may end before it. */
export const ownHashAt =
  (own: OwnRecord, trace: string): HashAt =>
  (seq) =>
    own.traces.get(trace)?.[seq]?.hash ?? null
