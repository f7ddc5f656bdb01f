// First half of verification: reads a bundle and lists what must be determined elsewhere, since checking
// signatures and digesting large artifacts is work for threads and streams. Everything read here is a claim
// by the maker of the bundle; public keys are the exception, since a key id is the hash of its key.

import type { Occurrence } from '../../protocol.ts'
import type { Bundle, Carried, Section } from '../bundle/bundle.ts'
import { fromHex, type Sha256, toHex } from '../bytes.ts'
import {
  artifactsOf,
  type Header,
  type Payload,
  readHeader,
  readPayload,
  type SealedEvent,
} from '../event.ts'
import { each, type RegistryState, registryProtocol } from '../registry/registry.ts'
import { cosignatureMessage, eventMessage, noteMessage } from '../signing.ts'
import { cosignatureBy, timestampsOf, type WitnessKey } from '../tree/attestations.ts'
import { type NoteSignature, noteKeyHash } from '../tree/checkpoint.ts'
import { type TraceCheckpoint, tryTreeHead } from '../tree/tree-head.ts'

/** Whether this signature over this message is by this key. */
export interface SignatureQuestion {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** What is signed of an event is computed on demand: keeping it beside every header would double the memory. */
class EventQuestion implements SignatureQuestion {
  readonly publicKey: Uint8Array
  readonly signature: Uint8Array
  readonly #header: Uint8Array

  constructor(publicKey: Uint8Array, { header, signature }: SealedEvent) {
    this.publicKey = publicKey
    this.signature = signature
    this.#header = header
  }

  get message(): Uint8Array {
    return eventMessage(this.#header)
  }
}

/** Which time does this RFC 3161 token give the text, and is it by an authority that the reader pinned? */
export interface TimestampQuestion {
  readonly text: string
  readonly token: Uint8Array
}

/** `foreign`: no pinned authority made it, so it says nothing here. */
export type TimestampAnswer =
  | { readonly state: 'good'; readonly time: string; readonly by: string }
  | { readonly state: 'bad'; readonly why: string }
  | { readonly state: 'foreign' }

/** The outside answers that a verdict needs: about signatures and artifacts. */
export interface Questions {
  /** Is this a valid signature? The byte prefilter of signing.ts belongs to the answer. */
  readonly signatures: readonly SignatureQuestion[]
  /** Does the artifact of this SHA-256 hold these bytes? */
  readonly artifacts: readonly string[]
  /** None unless the reader pinned authorities. */
  readonly timestamps: readonly TimestampQuestion[]
}

/** What was found in place of an artifact. */
export interface ArtifactAnswer {
  readonly state: 'intact' | 'altered' | 'absent'
  readonly size: number
  /** The bytes, where a protocol judges by them (contents.ts). */
  readonly content?: Uint8Array
}

/** The answers to the questions, in their order. */
export interface Answers {
  readonly signatures: ArrayLike<boolean>
  readonly artifacts: ReadonlyMap<string, ArtifactAnswer>
  readonly timestamps?: readonly TimestampAnswer[]
}

export type RecordedEvents = readonly Pick<SealedEvent, 'hash' | 'signature'>[]

/** The registry of the reader's own home, folded and verified by the reader, and its traces that the bundle names. */
export interface OwnRecord {
  readonly registry: RegistryState
  readonly traces: ReadonlyMap<string, RecordedEvents>
}

/** What the reader got from the home over another channel: ids of registry keys, and checkpoints. */
export interface Trust {
  readonly keys: readonly string[]
  readonly checkpoints: readonly string[]
  /** For a reader who has a home: what that home recorded. It counts for bundles of its registry only. */
  readonly own?: OwnRecord
  /** Whose cosignatures below checkpoints count. */
  readonly witnesses?: readonly WitnessKey[]
  /** Whose timestamps below checkpoints count: certificates, as PEM. */
  readonly authorities?: readonly string[]
}

/** An event of a bundle as far as it can be read. */
export interface ReadEvent extends Carried {
  readonly id: string
  /** What is wrong with it, as text, when it could not be read. */
  readonly header: Header | string
  readonly payload: Payload | string | null
  /** Index among the signature questions; -1 when no key is known to ask about. */
  readonly question: number
}

/** A section of a bundle whose events were read, as far as they can be. */
export interface ReadSection extends Section {
  readonly events: readonly ReadEvent[]
}

/** A checkpoint that came with a bundle, and the question about its signature. */
export interface ReadNote {
  readonly checkpoint: TraceCheckpoint | string
  /** The registrar whose key the question is about. */
  readonly signer: string | null
  readonly question: number
}

/** A line below a checkpoint by a pinned authority or witness, or possibly by one. */
export interface ReadAttestation {
  readonly checkpoint: TraceCheckpoint
  /** A witness by its name and time in seconds; null for a timestamp, whose answer says both. */
  readonly witness: { readonly name: string; readonly time: number } | null
  /** Index among the questions about signatures or timestamps. */
  readonly question: number
}

/** A bundle as far as it can be read without checking anything, and what to check. */
export interface Inquiry {
  readonly bundle: Bundle
  readonly trust: Trust
  readonly registry: ReadSection
  readonly ancestors: readonly ReadSection[]
  readonly main: ReadSection
  /** The registry, folded as the bundle states it. */
  readonly keys: RegistryState
  readonly notes: ReadonlyMap<string, ReadNote>
  readonly attestations: readonly ReadAttestation[]
  readonly questions: Questions
}

export function occurrence(header: Header, hash: string, payload: Payload | null): Occurrence {
  const { trace, seq, at, type, actor } = header
  return { trace, seq, at, type, actor, hash, payload }
}

type Parsed = { -readonly [Member in keyof ReadEvent]: ReadEvent[Member] }

function parse(section: Section, { event, proof }: Carried, index: number): Parsed {
  const header = readHeader(event.header)
  const payload = event.payload && readPayload(event.payload)
  const seq = typeof header === 'string' ? index : header.seq
  return { event, proof, id: `${section.trace}/${seq}`, header, payload, question: -1 }
}

function foldRegistry(sha256: Sha256, events: readonly Parsed[]): RegistryState {
  const protocol = registryProtocol(sha256)
  return events.reduce((state, { header, payload, event }) => {
    if (typeof header === 'string' || typeof payload === 'string') return state
    return protocol.evolve(state, occurrence(header, event.hash, payload))
  }, protocol.initial)
}

/**
 * Reads a bundle as far as possible, and lists what has to be checked. `hear` is called with each signature
 * question as it arises, so that answering can begin before all are known.
 */
export function inquire(
  sha256: Sha256,
  bundle: Bundle,
  trust: Trust,
  hear: (question: SignatureQuestion) => void = () => undefined,
): Inquiry {
  const signatures: SignatureQuestion[] = []
  const artifacts = new Set<string>()
  const parsedRegistry = bundle.registry.events.map((carried, i) => parse(bundle.registry, carried, i))
  const keys = foldRegistry(sha256, parsedRegistry)
  const publicKeys = new Map<string, Uint8Array>()
  for (const key of keys.keys.values())
    publicKeys.set(key.id, fromHex(key.public_key, 32) ?? new Uint8Array())

  const ask = (asked: SignatureQuestion): number => {
    hear(asked)
    return signatures.push(asked) - 1
  }
  const question = (read: Parsed): ReadEvent => {
    if (typeof read.payload === 'object' && read.payload) {
      for (const artifact of artifactsOf(read.payload)) artifacts.add(artifact.hash)
    }
    const key = typeof read.header === 'string' ? undefined : publicKeys.get(read.header.actor.key)
    if (key && read.event.signature.length > 0) read.question = ask(new EventQuestion(key, read.event))
    return read
  }
  const readSection = (section: Section): ReadSection => ({
    ...section,
    events: section.events.map((carried, i) => question(parse(section, carried, i))),
  })

  const registry: ReadSection = { ...bundle.registry, events: parsedRegistry.map(question) }
  const ancestors = bundle.ancestors.map(readSection)
  const main = bundle.main === bundle.registry ? registry : readSection(bundle.main)

  const notes = new Map<string, ReadNote>()
  const sections = [registry, ...ancestors, main]
  const texts = [...sections.flatMap((s) => [s.checkpoint, s.earlier?.note]), ...trust.checkpoints]
  for (const text of texts) {
    if (typeof text !== 'string' || notes.has(text)) continue
    const checkpoint = tryTreeHead(text)
    let index = -1
    let signer: string | null = null
    if (typeof checkpoint !== 'string') {
      const lines = new Map<string, NoteSignature>()
      for (const line of checkpoint.signatures) {
        const hash = toHex(line.keyHash)
        // Of two with one hash the first counts, as it always did.
        if (line.name === checkpoint.registry && !lines.has(hash)) lines.set(hash, line)
      }
      for (const id of keys.registrars) {
        const key = publicKeys.get(id)
        if (!key || index >= 0) continue
        const line = lines.get(toHex(noteKeyHash(sha256, checkpoint.registry, key)))
        if (!line) continue
        index = ask({ publicKey: key, message: noteMessage(checkpoint.text), signature: line.signature })
        signer = id
      }
    }
    notes.set(text, { checkpoint, signer, question: index })
  }
  const timestamps: TimestampQuestion[] = []
  const attestations: ReadAttestation[] = []
  for (const checkpoint of attestedNotes(trust, keys, [registry.trace, main.trace], notes)) {
    for (const witness of trust.witnesses ?? []) {
      for (const line of checkpoint.signatures) {
        const cosignature = cosignatureBy(witness, line)
        if (!cosignature) continue
        const message = cosignatureMessage(checkpoint.text, cosignature.time)
        const { publicKey } = witness
        const asked = ask({ publicKey, message, signature: cosignature.signature })
        attestations.push({
          checkpoint,
          witness: { name: witness.name, time: cosignature.time },
          question: asked,
        })
      }
    }
    if (!trust.authorities?.length) continue
    for (const { token } of timestampsOf(sha256, checkpoint)) {
      const asked = timestamps.push({ text: checkpoint.text, token }) - 1
      attestations.push({ checkpoint, witness: null, question: asked })
    }
  }
  return {
    bundle,
    trust,
    registry,
    ancestors,
    main,
    keys,
    notes,
    attestations,
    questions: { signatures, artifacts: [...artifacts], timestamps },
  }
}

/** Checkpoints of these traces, in the bundle or recorded in its registry; none where nothing is pinned to attest them. */
function* attestedNotes(
  { witnesses = [], authorities = [] }: Trust,
  keys: RegistryState,
  traces: readonly string[],
  notes: ReadonlyMap<string, ReadNote>,
): Generator<TraceCheckpoint> {
  if (witnesses.length + authorities.length === 0) return
  const recorded = [...each(keys.checkpoints)].filter(
    ({ trace, note }) => traces.includes(trace) && !notes.has(note),
  )
  const all = [
    ...[...notes.values()].map(({ checkpoint }) => checkpoint),
    ...recorded.map(({ note }) => tryTreeHead(note)),
  ]
  for (const checkpoint of all)
    if (typeof checkpoint === 'object' && traces.includes(checkpoint.trace)) yield checkpoint
}
