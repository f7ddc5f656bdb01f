// What every check may look up: the reading of the bundle, the answers, and what the registry says of it.

import type { Protocol } from '../../protocol.ts'
import { proofBytes } from '../bundle.ts'
import { claimedHash, type Sha256 } from '../bytes.ts'
import { GENESIS } from '../event.ts'
import { verifyInclusion } from '../merkle.ts'
import { each } from '../registry.ts'
import { type Roots, rootsOf, type TraceCheckpoint } from '../tree-head.ts'
import type { Answers, Inquiry, ReadSection } from './inquire.ts'
import { Findings } from './report.ts'

export class Context {
  readonly sha256: Sha256
  readonly inquiry: Inquiry
  readonly answers: Answers
  readonly protocols: ReadonlyMap<string, Protocol>
  readonly findings = new Findings()
  readonly #erased = new Set<string>()
  readonly #omitted: ReadonlySet<string>
  readonly #positions = new Map<number, string | null>()
  readonly #roots = new Map<ReadSection, Map<number, Roots>>()

  constructor(sha256: Sha256, inquiry: Inquiry, answers: Answers, protocols: ReadonlyMap<string, Protocol>) {
    this.sha256 = sha256
    this.inquiry = inquiry
    this.answers = answers
    this.protocols = protocols
    this.#omitted = new Set(inquiry.bundle.omitted)
    for (const { target } of each(inquiry.keys.redactions)) {
      this.#erased.add(target.artifact ?? `${target.trace}/${target.seq}`)
    }
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
    const first = section.events.find((read) => typeof read.header !== 'string')?.header
    return typeof first === 'object' ? first.protocol : null
  }

  /** Null beyond the end of a trace, undefined where what is here says nothing about it. */
  hashAt(section: ReadSection, seq: number): string | null | undefined {
    if (section.form === 'whole') {
      const isPrefix = this.inquiry.ancestors.includes(section)
      return section.events[seq]?.event.hash ?? (isPrefix ? undefined : null)
    }
    return section.events.find(({ header }) => typeof header === 'object' && header.seq === seq)?.event.hash
  }

  /** Roots over the first events of a whole section; several checkpoints often speak of the same ones. */
  roots(section: ReadSection, size: number): Roots {
    // By section, not by name: a bundle may hold two sections that claim to be the same trace.
    const ofSection = this.#roots.get(section) ?? new Map<number, Roots>()
    const known = ofSection.get(size)
    if (known) return known
    const roots = rootsOf(
      this.sha256,
      section.events.slice(0, size).map((read) => read.event),
    )
    this.#roots.set(section, ofSection.set(size, roots))
    return roots
  }

  isRegistryPosition(size: number, hash: string): boolean {
    if (size === 0) return hash === GENESIS
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
    const position = registry.positions.find((candidate) => candidate.size === size)
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
