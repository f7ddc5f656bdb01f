// What every check can look up: the reading of the bundle, the answers, and its registry.

import type { Protocol } from '../../protocol.ts'
import { type Position, proofBytes } from '../bundle/bundle.ts'
import { claimedHash, type Sha256 } from '../bytes.ts'
import type { Header } from '../event.ts'
import { type HashAt, judgeKey, type KeyFault } from '../registry/keys.ts'
import { each } from '../registry/registry.ts'
import { verifyInclusion } from '../tree/merkle.ts'
import { agrees, type Roots, rootsAt, type TraceCheckpoint, tryTreeHead } from '../tree/tree-head.ts'
import type { Answers, Inquiry, OwnRecord, ReadSection, RecordedEvents } from './inquire.ts'
import { Findings } from './report.ts'

// What a home knows better than any bundle: its own registry and its own traces. A bundle that names this
// registry is compared with them. A stolen key can sign a history that a stranger takes for true; the home
// has the true one, with the rotation and the revocation that the thief omits.

/** The reader's own record, where the bundle claims to be of that home; null for anyone else's. */
function ownRecordOf({ trust, registry }: Inquiry): OwnRecord | null {
  const { own } = trust
  return own && own.registry.registry === registry.trace ? own : null
}

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

/** Where the section differs from what was recorded, as text; null when it is the beginning of it. */
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

/** Where the bundle differs from the history that the home recorded, each section once; empty when it does not. */
function departuresFrom(sha256: Sha256, inquiry: Inquiry, own: OwnRecord): readonly string[] {
  const { registry, ancestors, main } = inquiry
  const sections = new Set([registry, ...ancestors, main])
  return [...sections].flatMap(
    (section) => departure(sha256, inquiry, section, own.traces.get(section.trace) ?? []) ?? [],
  )
}

/** The home's own events at each position: a bundle that was made earlier may end before it. */
const ownHashAt =
  (own: OwnRecord, trace: string): HashAt =>
  (seq) =>
    own.traces.get(trace)?.[seq]?.hash ?? null

/** The stated positions of single events; of two with the same position the first counts. */
function placesOf({ events }: ReadSection): ReadonlyMap<number, string> {
  const places = new Map<number, string>()
  for (const { header, event } of events) {
    if (typeof header === 'object' && !places.has(header.seq)) places.set(header.seq, event.hash)
  }
  return places
}

/** Every event takes the same time here: the maker of the bundle chose how many there are. */
export class Context {
  readonly sha256: Sha256
  readonly inquiry: Inquiry
  readonly answers: Answers
  readonly protocols: ReadonlyMap<string, Protocol>
  readonly findings = new Findings()
  /** The reader's own record of this home, when the bundle is the beginning of it. */
  readonly own: OwnRecord | null
  /** Where the bundle differs from what the reader's own home recorded. */
  readonly departures: readonly string[]
  readonly #erased = new Set<string>()
  readonly #omitted: ReadonlySet<string>
  readonly #positions = new Map<number, string | null>()
  readonly #claimed = new Map<number, Position>()
  readonly #protocol = new Map<ReadSection, string | null>()
  readonly #places = new Map<ReadSection, ReadonlyMap<number, string>>()
  readonly #recorded = new Map<string, TraceCheckpoint | string>()
  // By section, not by name: a bundle may contain two sections that claim to be the same trace.
  readonly #roots = new Map<ReadSection, ReadonlyMap<number, Roots>>()

  constructor(sha256: Sha256, inquiry: Inquiry, answers: Answers, protocols: ReadonlyMap<string, Protocol>) {
    this.sha256 = sha256
    this.inquiry = inquiry
    this.answers = answers
    this.protocols = protocols
    this.#omitted = new Set(inquiry.bundle.omitted)
    for (const position of inquiry.registry.positions) {
      if (!this.#claimed.has(position.size)) this.#claimed.set(position.size, position)
    }
    for (const { target } of each(inquiry.keys.redactions)) {
      this.#erased.add(target.artifact ?? `${target.trace}/${target.seq}`)
    }
    const own = ownRecordOf(inquiry)
    this.departures = own ? departuresFrom(sha256, inquiry, own) : []
    this.own = this.departures.length === 0 ? own : null
  }

  isErased(eventOrArtifact: string): boolean {
    return this.#erased.has(eventOrArtifact)
  }

  /** Why an artifact may be absent; null when nothing excuses it. */
  limitOf(artifact: string): 'REDACTION_LIMITED' | 'ARTIFACT_OMITTED' | null {
    if (this.#erased.has(artifact)) return 'REDACTION_LIMITED'
    return this.#omitted.has(artifact) ? 'ARTIFACT_OMITTED' : null
  }

  checkpointOf(note: string | null | undefined): TraceCheckpoint | null {
    const checkpoint = typeof note === 'string' ? this.inquiry.notes.get(note)?.checkpoint : undefined
    return typeof checkpoint === 'object' ? checkpoint : null
  }

  /** The key that signed it, which is or was registrar here; null when none did. */
  signerOf(note: string): string | null {
    const { signer = null, question = -1 } = this.inquiry.notes.get(note) ?? {}
    return question >= 0 && this.answers.signatures[question] === true ? signer : null
  }

  protocolOf(section: ReadSection): string | null {
    const known = this.#protocol.get(section)
    if (known !== undefined) return known
    const first = section.events.find((read) => typeof read.header !== 'string')?.header
    const protocol = typeof first === 'object' ? first.protocol : null
    this.#protocol.set(section, protocol)
    return protocol
  }

  /** Null beyond the end of a trace, undefined where nothing is known here. */
  hashAt(section: ReadSection, seq: number): string | null | undefined {
    if (section.form === 'whole') {
      const isPrefix = this.inquiry.ancestors.includes(section)
      return section.events[seq]?.event.hash ?? (isPrefix ? undefined : null)
    }
    const known = this.#places.get(section) ?? placesOf(section)
    this.#places.set(section, known)
    return known.get(seq)
  }

  /** Why the key is not valid there, by the registry of the bundle or, where the reader has it, by the home's own. */
  keyFault(section: ReadSection, header: Header): KeyFault | null {
    const { own } = this
    return own
      ? judgeKey(own.registry, header, ownHashAt(own, section.trace))
      : judgeKey(this.inquiry.keys, header, (seq) => this.hashAt(section, seq))
  }

  /** A checkpoint that the registry recorded, or why it is none, as text. */
  recorded(note: string): TraceCheckpoint | string {
    const known = this.#recorded.get(note) ?? tryTreeHead(note)
    this.#recorded.set(note, known)
    return known
  }

  /** Roots over the first events of a whole section; undefined when it has fewer. */
  roots(section: ReadSection, size: number): Roots | undefined {
    const known = this.#roots.get(section) ?? this.#rootsOf(section)
    this.#roots.set(section, known)
    return known.get(size)
  }

  /** At every size that a checkpoint covers, all in one pass: there may be as many as events. */
  #rootsOf({ trace, events }: ReadSection): ReadonlyMap<number, Roots> {
    const { notes, keys } = this.inquiry
    const spoken = [...notes.values()].map(({ checkpoint }) => checkpoint)
    for (const { note } of each(keys.checkpoints)) spoken.push(this.recorded(note))
    const sizes = spoken.flatMap((one) => (typeof one === 'object' && one.trace === trace ? [one.size] : []))
    const sealed = events.map((read) => read.event)
    return rootsAt(this.sha256, sealed, [...sizes, events.length])
  }

  isRegistryPosition(size: number, hash: string): boolean {
    const { registry } = this.inquiry
    if (registry.form === 'whole') return registry.events[size - 1]?.event.hash === hash
    let known = this.#positions.get(size)
    if (known === undefined) {
      known = this.#provenPosition(size)
      this.#positions.set(size, known)
    }
    return known === hash
  }

  #provenPosition(size: number): string | null {
    const { registry } = this.inquiry
    const position = this.#claimed.get(size)
    const checkpoint = this.checkpointOf(registry.checkpoint)
    if (!position || !checkpoint) return null
    const proven = verifyInclusion(this.sha256, {
      leaf: claimedHash(position.hash),
      index: size - 1,
      size: checkpoint.size,
      proof: proofBytes(position.proof),
      root: checkpoint.root,
    })
    return proven ? position.hash : null
  }
}
