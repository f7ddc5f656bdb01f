// What every check may look up: the reading of the bundle, the answers, and what the registry says of it.

import type { Protocol } from '../../protocol.ts'
import { proofBytes } from '../bundle.ts'
import type { Sha256 } from '../bytes.ts'
import { GENESIS } from '../event.ts'
import { verifyInclusion } from '../merkle.ts'
import { each } from '../registry.ts'
import { hashBytes, type Roots, rootsOf, type TraceCheckpoint } from '../tree-head.ts'
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
  readonly #roots = new Map<string, Roots>()

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

  /** Signed by a key that is or was registrar here. */
  isSigned(note: string): boolean {
    const question = this.inquiry.notes.get(note)?.question ?? -1
    return question >= 0 && this.answers.signatures[question] === true
  }

  protocolOf(section: ReadSection): string | null {
    const first = section.events.find((read) => typeof read.header !== 'string')?.header
    return typeof first === 'object' ? first.protocol : null
  }

  hashAt(section: ReadSection, seq: number): string | undefined {
    if (section.form === 'whole') return section.events[seq]?.event.hash
    return section.events.find(({ header }) => typeof header === 'object' && header.seq === seq)?.event.hash
  }

  /** Roots over the first events of a whole section; several checkpoints often speak of the same ones. */
  roots(section: ReadSection, size: number): Roots {
    const known = this.#roots.get(`${section.trace}/${size}`)
    if (known) return known
    const roots = rootsOf(
      this.sha256,
      section.events.slice(0, size).map((read) => read.event),
    )
    this.#roots.set(`${section.trace}/${size}`, roots)
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
      leaf: hashBytes(position.hash),
      index: size - 1,
      size: checkpoint.size,
      proof: proofBytes(position.proof),
      root: checkpoint.root,
    })
    return proven ? position.hash : null
  }
}
