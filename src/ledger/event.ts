// An event is a header that is signed, hashed and kept permanently, and a payload beside it that can be
// erased. The header commits to the payload through a salted hash. Header bytes are made here and nowhere
// else; once made they are stored and checked as they are, never serialised again.

import type { Actor } from '../protocol.ts'
import { fromUtf8, hexDigest, isHash, type Sha256, utf8 } from './bytes.ts'
import { canonicalize, type Json, parseCanonical } from './canonical.ts'
import { WitanError } from './errors.ts'

/** The protocol of the one trace per home that the positions in headers point into. */
export const REGISTRY_PROTOCOL = 'registry/1'

/** The end of a trace. */
export interface End {
  readonly size: number
  /** The hash of the last event; without meaning where there is none. */
  readonly hash: string
}

/** How much of the registry the signer had seen. */
export type RegistryPosition = End

/** The signed part of an event; the payload only by its hash. */
export interface Header {
  readonly v: 1
  readonly protocol: string
  readonly trace: string
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly actor: Actor
  readonly prev: string
  readonly payload_hash: string
  readonly registry: RegistryPosition
}

/** An event in a store or a bundle. Payload and salt are null together, once erased. */
export interface SealedEvent {
  readonly header: Uint8Array
  readonly hash: string
  readonly signature: Uint8Array
  readonly payload: Uint8Array | null
  readonly salt: Uint8Array | null
}

/** What a payload says about bytes kept beside the ledger. Only the top-level `artifacts` list of a payload counts. */
export interface Artifact {
  readonly hash: string
  readonly media_type: string
  readonly size: number
  readonly name: string
}

/** The content of an event, which can be erased without breaking the chain. */
export type Payload = { readonly [name: string]: Json }

/** `prev` of the first event of every trace. */
export const GENESIS = '0'.repeat(64)
export const SALT_BYTES = 16
/** Larger content belongs in an artifact. */
export const MAX_PAYLOAD_BYTES = 1 << 20

const LEAF = new Uint8Array([0])

const FORMS: Record<'protocol' | 'trace' | 'at' | 'type' | 'agent' | 'role', RegExp> = {
  protocol: /^[a-z][a-z0-9-]{0,31}\/[1-9][0-9]{0,3}$/,
  trace: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  at: /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$/,
  type: /^[a-z][a-z0-9_]{0,63}$/,
  agent: /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/,
  role: /^[a-z][a-z0-9_-]{0,31}$/,
}

export const isTraceId = (text: string): boolean => FORMS.trace.test(text)
export const isAgentName = (text: string): boolean => FORMS.agent.test(text)
export const isRoleName = (text: string): boolean => FORMS.role.test(text)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** The last match: nearly every event has the protocol, trace and actor of the one before. */
const matched: Partial<Record<keyof typeof FORMS, string>> = {}

function matches(value: unknown, form: keyof typeof FORMS): boolean {
  if (typeof value !== 'string') return false
  if (value === matched[form]) return true
  if (!FORMS[form].test(value)) return false
  matched[form] = value
  return true
}

function headerProblem(h: Header): string | null {
  if (h.v !== 1) return 'v is not 1'
  for (const field of ['protocol', 'trace', 'at', 'type'] as const) {
    if (!matches(h[field], field)) return `${field} is malformed`
  }
  if (!isCount(h.seq)) return 'seq is not a count'
  if (!matches(h.actor?.agent, 'agent')) return 'actor.agent is malformed'
  if (!matches(h.actor.role, 'role')) return 'actor.role is malformed'
  if (!isHash(h.actor.key)) return 'actor.key is not a key id'
  if (!isHash(h.prev)) return 'prev is not a hash'
  if (!isHash(h.payload_hash)) return 'payload_hash is not a hash'
  if (!isCount(h.registry?.size) || !isHash(h.registry.hash)) return 'registry is not a position'
  return null
}

// Every field has a form without characters that JSON escapes, so plain interpolation in RFC 8785 key order
// is canonical; a test compares it with the general canonicaliser.
const headerText = (h: Header): string =>
  `{"actor":{"agent":"${h.actor.agent}","key":"${h.actor.key}","role":"${h.actor.role}"},"at":"${h.at}",` +
  `"payload_hash":"${h.payload_hash}","prev":"${h.prev}","protocol":"${h.protocol}",` +
  `"registry":{"hash":"${h.registry.hash}","size":${h.registry.size}},"seq":${h.seq},"trace":"${h.trace}",` +
  `"type":"${h.type}","v":1}`

export function encodeHeader(header: Header): Uint8Array {
  const problem = headerProblem(header)
  if (problem)
    throw new WitanError('HEADER_INVALID', `event header: ${problem}`, 'Correct the value and try again.')
  return utf8(headerText(header))
}

/** Headers that were made here, by their bytes, with their text. */
const made = new WeakMap<Uint8Array, { readonly text: string; readonly header: Header }>()

/** Encodes a header that will soon be read again, by the store it is given to. */
export function makeHeader(header: Header): Uint8Array {
  const bytes = encodeHeader(header)
  const { agent, role, key } = header.actor
  made.set(bytes, { text: headerText(header), header: { ...header, actor: { agent, role, key } } })
  return bytes
}

const within = (form: RegExp): string => `(${form.source.slice(1, -1).replaceAll('(', '(?:')})`
const HASH = '([0-9a-f]{64})'
const COUNT = '(0|[1-9][0-9]{0,15})'

// A canonical header has one layout, so one expression reads and checks it in a third of the time of parsing,
// checking and serializing it again.
const LAYOUT = new RegExp(
  `^\\{"actor":\\{"agent":"${within(FORMS.agent)}","key":"${HASH}","role":"${within(FORMS.role)}"\\},` +
    `"at":"${within(FORMS.at)}","payload_hash":"${HASH}","prev":"${HASH}","protocol":"${within(FORMS.protocol)}",` +
    `"registry":\\{"hash":"${HASH}","size":${COUNT}\\},"seq":${COUNT},"trace":"${within(FORMS.trace)}",` +
    `"type":"${within(FORMS.type)}","v":1\\}$`,
)

/** Of the last header: otherwise a long trace would hold the same actor and position thousands of times. */
let lastActor: Actor = { agent: '', role: '', key: '' }
let lastPosition: RegistryPosition = { size: -1, hash: '' }

function actorOf(agent: string, role: string, key: string): Actor {
  if (lastActor.key !== key || lastActor.agent !== agent || lastActor.role !== role)
    lastActor = { agent, role, key }
  return lastActor
}

function positionOf(size: number, hash: string): RegistryPosition {
  if (lastPosition.size !== size || lastPosition.hash !== hash) lastPosition = { size, hash }
  return lastPosition
}

type Group = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12

/** The header, or why these bytes are none, as text. */
export function readHeader(bytes: Uint8Array): Header | string {
  const text = fromUtf8(bytes)
  if (text === null) return 'header is not UTF-8'
  const known = made.get(bytes)
  return known?.text === text ? known.header : readHeaderText(text)
}

/** The same for a header that is text already. */
function readHeaderText(text: string): Header | string {
  // By index: destructuring would use an iterator, which takes longer than matching.
  const match = LAYOUT.exec(text) as (readonly string[] & Record<Group, string>) | null
  if (!match) return whyNoHeader(text)
  const size = Number(match[9])
  const seq = Number(match[10])
  if (!isCount(seq) || !isCount(size)) return whyNoHeader(text)
  return {
    v: 1,
    protocol: match[7],
    trace: match[11],
    seq,
    at: match[4],
    type: match[12],
    actor: actorOf(match[1], match[3], match[2]),
    prev: match[6],
    payload_hash: match[5],
    registry: positionOf(size, match[8]),
  }
}

/** What a list or a search shows of an event. */
export interface Outline extends Pick<Header, 'protocol' | 'trace' | 'seq' | 'at' | 'type'> {
  readonly agent: string
}

const OUTLINE =
  /^\{"actor":\{"agent":"([^"]+)","key":".{64}","role":"[^"]+"\},"at":"(.{24})","payload_hash":".{64}","prev":".{64}","protocol":"([^"]+)","registry":\{"hash":".{64}","size":\d+\},"seq":(\d+),"trace":"(.{26})","type":"([^"]+)","v":1\}$/

/** For lists and searches, in a third of the time: the rest of the header is not checked. Null for another layout. */
export function readOutline(text: string): Outline | null {
  const match = OUTLINE.exec(text) as (readonly string[] & Record<1 | 2 | 3 | 4 | 5 | 6, string>) | null
  if (!match) return null
  return {
    agent: match[1],
    at: match[2],
    protocol: match[3],
    seq: Number(match[4]),
    trace: match[5],
    type: match[6],
  }
}

function whyNoHeader(text: string): string {
  let header: Header
  try {
    header = JSON.parse(text)
  } catch {
    return 'header is not JSON'
  }
  if (typeof header !== 'object' || header === null) return 'header is not an object'
  return headerProblem(header) ?? 'header is not in canonical form'
}

export const eventHash = (sha256: Sha256, header: Uint8Array): string => hexDigest(sha256, LEAF, header)

export const payloadHash = (sha256: Sha256, salt: Uint8Array, payload: Uint8Array): string =>
  hexDigest(sha256, salt, payload)

/** The path to it, as names; it is only written down when there is something to find. */
function unsafeInteger(value: Json): readonly string[] | null {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? [] : null
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const path = unsafeInteger(value[i] as Json)
      if (path) return [`${i}`, ...path]
    }
    return null
  }
  const members = value as { readonly [name: string]: Json }
  for (const name of Object.keys(members)) {
    const inner = unsafeInteger(members[name] as Json)
    if (inner) return [name, ...inner]
  }
  return null
}

function artifactProblem(value: Json | undefined): string | null {
  if (value === undefined) return null
  if (!Array.isArray(value)) return 'artifacts is not a list'
  for (const entry of value as readonly Partial<Artifact>[]) {
    const sound =
      isHash(entry?.hash) &&
      isCount(entry.size) &&
      typeof entry.name === 'string' &&
      typeof entry.media_type === 'string'
    if (!sound) return 'artifacts holds an entry without hash, size, name and media_type'
  }
  return null
}

function payloadProblem(payload: Json): string | null {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return 'payload is not an object'
  const unsafe = unsafeInteger(payload)
  if (unsafe) return `${['payload', ...unsafe].join('.')} is an integer that doubles cannot hold exactly`
  return artifactProblem((payload as Payload).artifacts)
}

/** The bytes of a payload, and their text, which every later reader parses. */
export function writePayload(payload: Payload): { readonly text: string; readonly bytes: Uint8Array } {
  // First of all: the following code may then rely on plain JSON of limited depth.
  const text = canonicalize(payload)
  const problem = payloadProblem(payload)
  if (problem) throw new WitanError('CANONICAL_INVALID', problem, 'Correct the value and try again.')
  const bytes = utf8(text)
  if (bytes.length > MAX_PAYLOAD_BYTES) {
    throw new WitanError(
      'CANONICAL_INVALID',
      `payload of ${bytes.length} bytes is over the limit of ${MAX_PAYLOAD_BYTES}`,
      'Store the content as an artifact and name it in the payload.',
    )
  }
  return { text, bytes }
}

/** The payload, or why these bytes are none, as text. */
export function readPayload(bytes: Uint8Array): Payload | string {
  if (bytes.length > MAX_PAYLOAD_BYTES) return `payload is over the limit of ${MAX_PAYLOAD_BYTES} bytes`
  const value = parseCanonical(bytes)
  if (value === undefined) return 'payload is not canonical JSON'
  return payloadProblem(value) ?? (value as Payload)
}

/** The artifacts that a payload describes, in its top-level list `artifacts`. */
export function artifactsOf(payload: Payload): readonly Artifact[] {
  return (payload.artifacts as readonly Artifact[] | undefined) ?? []
}
