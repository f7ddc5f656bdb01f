// Evidence in the forms that other programs read: DSSE envelopes, Sigstore bundles, in-toto statements, C2SP
// proofs. Only a statement is signed; all others contain the original signatures of events and checkpoints.

import { toBase64, utf8 } from '../bytes.ts'
import { canonicalize, type Json } from '../canonical.ts'
import { type Artifact, artifactsOf, readHeader, readPayload, type SealedEvent } from '../event.ts'
import { EVENT_PAYLOAD_TYPE, STATEMENT_PAYLOAD_TYPE } from '../signing.ts'

const SIGSTORE_BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const IN_TOTO_STATEMENT = 'https://in-toto.io/Statement/v1'
/** The content of our statement about a trace: spec/ledger.md, 14.4. */
const TRACE_PREDICATE = 'urn:witan:trace:v1'

/** A DSSE envelope: what was signed, as which type, and by which key. Readers of DSSE ignore unknown members. */
export type Envelope = {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

const envelope = (type: string, body: Uint8Array, keyid: string, signature: Uint8Array): Envelope => ({
  payload: toBase64(body),
  payloadType: type,
  signatures: [{ keyid, sig: toBase64(signature) }],
})

/** An event as it was signed. Null where its header names no key that could be looked up. */
export function eventEnvelope({ header, signature }: SealedEvent): Envelope | null {
  const read = readHeader(header)
  return typeof read === 'string' ? null : envelope(EVENT_PAYLOAD_TYPE, header, read.actor.key, signature)
}

export const statementEnvelope = (body: Uint8Array, key: string, signature: Uint8Array): Envelope =>
  envelope(STATEMENT_PAYLOAD_TYPE, body, key, signature)

/** The same envelope as the Sigstore client libraries take it; its key is found by the hint. */
export const sigstoreBundle = (dsseEnvelope: Envelope): Json => ({
  mediaType: SIGSTORE_BUNDLE,
  verificationMaterial: {
    publicKey: { hint: dsseEnvelope.signatures[0]?.keyid ?? '' },
    tlogEntries: [],
    timestampVerificationData: { rfc3161Timestamps: [] },
  },
  dsseEnvelope,
})

/** A statement about a finished trace. */
export type TraceFacts = {
  readonly registry: string
  readonly trace: string
  readonly protocol: string
  readonly size: number
  readonly head: string
  /** Of the RFC 6962 tree over the events, in hex. */
  readonly root: string
  /** When its last event was recorded. */
  readonly recorded: string
  readonly checkpoint: string
  /** Only for a demo whose models answer from a script. */
  readonly scripted?: true
}

export interface NamedArtifact extends Artifact {
  readonly seq: number
}

/** The artifacts that events name, each with the event that did. An erased payload names none. */
export function namedArtifacts(event: SealedEvent, seq: number): readonly NamedArtifact[] {
  const payload = event.payload && readPayload(event.payload)
  if (typeof payload !== 'object' || payload === null) return []
  return artifactsOf(payload).map((artifact) => ({ ...artifact, seq }))
}

/** An in-toto statement: its subjects are the tree over the trace, and every artifact the trace names. */
export function traceStatement(facts: TraceFacts, artifacts: readonly NamedArtifact[]): Uint8Array {
  const { registry, trace, root } = facts
  const subjects = [
    { name: `${registry}/${trace}`, digest: { sha256: root } },
    // Names are given by tools and models and may repeat; a position does not.
    ...artifacts.map(({ hash, name, seq }, i) => ({
      name: `${trace}/${seq}#${i} ${name}`,
      digest: { sha256: hash },
    })),
  ]
  const statement = {
    _type: IN_TOTO_STATEMENT,
    subject: subjects,
    predicateType: TRACE_PREDICATE,
    predicate: facts,
  }
  return utf8(canonicalize(statement))
}

/** C2SP tlog-proof. The header is the record whose hash the proof begins from, so it is included as extra data. */
export function tlogProof(
  header: Uint8Array,
  index: number,
  proof: readonly Uint8Array[],
  note: string,
): string {
  const lines = [
    'c2sp.org/tlog-proof@v1',
    `extra ${toBase64(header)}`,
    `index ${index}`,
    ...proof.map(toBase64),
  ]
  return `${lines.join('\n')}\n\n${note}`
}

/** One JSON object a line. */
export const jsonLine = (value: Json): Uint8Array => utf8(`${JSON.stringify(value)}\n`)
