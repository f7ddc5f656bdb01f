// The one place where signed bytes are built, and the rule by which a signature counts. An event is signed as
// the DSSE pre-authentication encoding of its header, snapshots and statements also under types of their own, a
// checkpoint as its note text; canonical JSON holds no newline and a note text always does, so none can be taken for
// another.
//
// A signature (R, S) by key A over M is accepted when and only when: A and R are canonical encodings (y < p, no
// negative zero), A is not of low order, S < L, and [S]B = R + [k]A without the cofactor, k = SHA-512(R‖A‖M).
// OpenSSL and WebCrypto evaluate that equation but let some of the encodings pass, and libraries differ in which:
// `admissible` settles the encodings from the bytes alone and runs before any library's verify.

import type { Actor } from '../protocol.ts'
import { concat, type Sha256, toHex, utf8 } from './bytes.ts'
import {
  type End,
  eventHash,
  GENESIS,
  type Header,
  makeHeader,
  type Payload,
  payloadHash,
  type RegistryPosition,
  type SealedEvent,
  writePayload,
} from './event.ts'

export const EVENT_PAYLOAD_TYPE = 'application/vnd.witan.event.v1+json'

const EVENT_PREFIX = `DSSEv1 ${utf8(EVENT_PAYLOAD_TYPE).length} ${EVENT_PAYLOAD_TYPE} `

/** By the length of the header, which is the only difference; headers have a few hundred lengths. */
const prefixes = new Map<number, Uint8Array>()

function eventPrefix(length: number): Uint8Array {
  const known = prefixes.get(length)
  if (known) return known
  const prefix = utf8(`${EVENT_PREFIX}${length} `)
  // A header that someone else made up may have any length.
  if (prefixes.size < 1024) prefixes.set(length, prefix)
  return prefix
}

/** The exact bytes that are signed for an event. */
export function eventMessage(header: Uint8Array): Uint8Array {
  const prefix = eventPrefix(header.length)
  const message = new Uint8Array(prefix.length + header.length)
  message.set(prefix)
  message.set(header, prefix.length)
  return message
}

const SNAPSHOT_PAYLOAD_TYPE = 'application/vnd.witan.snapshot.v1+json'
/** The type of in-toto statements; a fixed name of that project. */
export const STATEMENT_PAYLOAD_TYPE = 'application/vnd.in-toto+json'

const preAuthenticated = (type: string, body: Uint8Array): Uint8Array =>
  concat(utf8(`DSSEv1 ${utf8(type).length} ${type} ${body.length} `), body)

export const snapshotMessage = (body: Uint8Array): Uint8Array => preAuthenticated(SNAPSHOT_PAYLOAD_TYPE, body)

/** A key that a machine asks the registrar to register; the machine's own key signs for it. */
export interface KeyRequest {
  readonly id: string
  readonly agent: string
  readonly roles: readonly string[]
  readonly publicKey: Uint8Array
  /** The id of the machine's key. */
  readonly machine: string
  readonly signature: Uint8Array
}

const KEY_REQUEST_PAYLOAD_TYPE = 'application/vnd.witan.key-request.v1+json'

/** What a machine signs to request the registration of a key. */
export const keyRequestMessage = (body: Uint8Array): Uint8Array =>
  preAuthenticated(KEY_REQUEST_PAYLOAD_TYPE, body)

export const statementMessage = (body: Uint8Array): Uint8Array =>
  preAuthenticated(STATEMENT_PAYLOAD_TYPE, body)

export const noteMessage = (text: string): Uint8Array => utf8(text)

/** What a C2SP witness signs over a checkpoint. Nothing here signs one. */
export const cosignatureMessage = (text: string, time: number): Uint8Array =>
  utf8(`cosignature/v1\ntime ${time}\n${text}`)

/** The id of a key: lowercase hex SHA-256 of its raw 32 bytes. */
export const keyId = (sha: Sha256, publicKey: Uint8Array): string => toHex(sha(publicKey))

/** The shown part of a key's id; enough to name it. */
export const shortKey = (id: string): string => id.slice(0, 16)

/** The byte rule that a key and a signature must meet before they are verified at all. */
export function admissible(publicKey: Uint8Array, signature: Uint8Array): boolean {
  return (
    signature.length === 64 && admissibleKey(publicKey) && canonicalPoint(signature) && sBelowL(signature)
  )
}

/**
 * Whether the ledger accepts this key: canonical, and not of low order. (Both signs of a low-order y are of low
 * order, and so is every negative zero: only y matters.)
 */
export function admissibleKey(publicKey: Uint8Array): boolean {
  return publicKey.length === 32 && yBelowP(publicKey) && !hasLowOrderY(publicKey)
}

/** Whether the point that the first 32 bytes encode is of low order. */
export function hasLowOrderY(bytes: Uint8Array): boolean {
  for (const y of LOW_ORDER_Y) if (sameY(bytes, y)) return true
  return false
}

/** Little-endian y of the points of order 4, 1, 2, 8 and 8; each in its one canonical form below p. */
const LOW_ORDER_Y = [
  Uint8Array.of(0, ...new Array<number>(31).fill(0)),
  Uint8Array.of(1, ...new Array<number>(31).fill(0)),
  Uint8Array.of(0xec, ...new Array<number>(30).fill(0xff), 0x7f),
  Uint8Array.of(
    ...[0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0],
    ...[0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05],
  ),
  Uint8Array.of(
    ...[0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f],
    ...[0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a],
  ),
] as const

/** The two y at which x is zero, so that a set sign bit means a negative zero. */
const ZERO_X_Y = [LOW_ORDER_Y[1], LOW_ORDER_Y[2]] as const

/** The low half of L = 2^252 + 27742317777372353535851937790883648493, little-endian. */
const L_LOW = Uint8Array.of(
  ...[0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14],
)

function canonicalPoint(bytes: Uint8Array): boolean {
  if (!yBelowP(bytes)) return false
  return byte(bytes, 31) < 0x80 || !ZERO_X_Y.some((y) => sameY(bytes, y))
}

/** p = 2^255 - 19, that is ed ff … ff 7f. */
function yBelowP(bytes: Uint8Array): boolean {
  if ((byte(bytes, 31) & 0x7f) !== 0x7f) return true
  for (let i = 30; i > 0; i--) if (bytes[i] !== 0xff) return true
  return byte(bytes, 0) < 0xed
}

function sameY(bytes: Uint8Array, y: Uint8Array): boolean {
  for (let i = 0; i < 31; i++) if (bytes[i] !== y[i]) return false
  return (byte(bytes, 31) & 0x7f) === y[31]
}

function sBelowL(signature: Uint8Array): boolean {
  const top = byte(signature, 63)
  if (top !== 0x10) return top < 0x10
  for (let i = 62; i >= 48; i--) if (signature[i] !== 0) return false
  for (let i = 15; i >= 0; i--) {
    const difference = byte(signature, 32 + i) - byte(L_LOW, i)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** Callers have checked the length; a missing byte would be read as one that no canonical encoding has on top. */
const byte = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0xff

// Sealing turns a draft into an event that cannot be changed unnoticed. Salt and signature are passed in:
// randomness and private keys have no place in a pure room.

/** The end of a trace, and when its last event was recorded. */
export interface Tip extends End {
  readonly at: string
}

/** An event before it is sealed: everything except its place in the chain. */
export interface Draft {
  readonly type: string
  readonly actor: Actor
  readonly payload: Payload
}

/** What makes a draft an event: hash, salt and signature. */
export interface Seal {
  readonly sha256: Sha256
  readonly salt: () => Uint8Array
  readonly sign: (actor: Actor, message: Uint8Array) => Uint8Array
}

/** The context of the events to be sealed: protocol, trace, registry and time. */
export interface Place {
  readonly protocol: string
  readonly trace: string
  /** Null within the registry itself, where every event names its own predecessor. */
  readonly registry: RegistryPosition | null
  readonly at: string
}

export const EMPTY_TIP: Tip = { size: 0, hash: GENESIS, at: '' }

/** An event that only lacks its signature. The hash does not cover it, so a whole chain can be signed at once. */
export interface Unsigned extends Omit<SealedEvent, 'signature'> {
  readonly actor: Actor
  readonly message: Uint8Array
  /** The parsed content of the header and the payload. */
  readonly fields: Header
  readonly text: string
}

/** Makes drafts into a chain on `tip`. `at` never decreases, no matter what the clock does. */
export function chain(
  sha256: Sha256,
  salt: () => Uint8Array,
  place: Place,
  tip: Tip,
  drafts: readonly Draft[],
): readonly Unsigned[] {
  const at = place.at > tip.at ? place.at : tip.at
  let prev = tip.hash
  return drafts.map((draft, i) => {
    const { text, bytes: payload } = writePayload(draft.payload)
    const ownSalt = salt()
    const fields: Header = {
      v: 1,
      protocol: place.protocol,
      trace: place.trace,
      seq: tip.size + i,
      at,
      type: draft.type,
      actor: draft.actor,
      prev,
      payload_hash: payloadHash(sha256, ownSalt, payload),
      registry: place.registry ?? { size: tip.size + i, hash: prev },
    }
    const header = makeHeader(fields)
    const hash = eventHash(sha256, header)
    prev = hash
    const { actor } = draft
    return { header, hash, payload, salt: ownSalt, actor, message: eventMessage(header), fields, text }
  })
}

export function withSignature(unsigned: Unsigned, signature: Uint8Array): SealedEvent {
  const { header, hash, payload, salt } = unsigned
  return { header, hash, signature, payload, salt }
}

/** Seals drafts one after the other on `tip`, for callers that can sign directly. */
export const sealChain = (
  seal: Seal,
  place: Place,
  tip: Tip,
  drafts: readonly Draft[],
): readonly SealedEvent[] =>
  chain(seal.sha256, seal.salt, place, tip, drafts).map((unsigned) =>
    withSignature(unsigned, seal.sign(unsigned.actor, unsigned.message)),
  )
