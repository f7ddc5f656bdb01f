// What a home knows better than any bundle: its own registry and its own traces. A bundle that names this registry is
// held against them. A stolen key can sign a history that a stranger takes for true; the home has the true one, with
// the rotation and the revocation that the thief leaves out.

import type { Sha256 } from '../bytes.ts'
import type { HashAt } from '../registry/keys.ts'
import { agrees, rootsAt } from '../tree/tree-head.ts'
import type { Inquiry, OwnRecord, ReadSection, RecordedEvents } from './inquire.ts'

/** The reader's own record, where the bundle claims to be of that home; null for anyone else's. */
export function ownRecordOf({ trust, registry }: Inquiry): OwnRecord | null {
  const { own } = trust
  return own && own.registry.registry === registry.trace ? own : null
}

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

/** In words where the section leaves what was recorded; null when it is the beginning of it. */
function departure(
  sha256: Sha256,
  { notes }: Inquiry,
  section: ReadSection,
  recorded: RecordedEvents,
): string | null {
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
  const checkpoint = notes.get(section.checkpoint ?? '')?.checkpoint
  // A section of single events without a checkpoint is refused for that already.
  if (typeof checkpoint !== 'object') return null
  if (checkpoint.size > recorded.length) return shorter(checkpoint.size)
  const roots = rootsAt(sha256, recorded, [checkpoint.size]).get(checkpoint.size)
  return roots && agrees(checkpoint, roots)
    ? null
    : `the first ${checkpoint.size} events of ${trace} are not those that this home recorded`
}

/** Where the bundle leaves the history that the home recorded, each section once; empty when it is all of it. */
export function departuresFrom(sha256: Sha256, inquiry: Inquiry, own: OwnRecord): readonly string[] {
  const { registry, ancestors, main } = inquiry
  const sections = new Set([registry, ...ancestors, main])
  return [...sections].flatMap(
    (section) => departure(sha256, inquiry, section, own.traces.get(section.trace) ?? []) ?? [],
  )
}

/** What the home itself has at each place: a bundle that was made earlier may end before it. */
export const ownHashAt =
  (own: OwnRecord, trace: string): HashAt =>
  (seq) =>
    own.traces.get(trace)?.[seq]?.hash ?? null
