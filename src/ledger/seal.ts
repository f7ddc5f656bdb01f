// Sealing turns what someone says into an event that cannot be changed unnoticed. Salt and signature come from
// outside: chance and private keys have no place in a pure room.

import type { Actor } from '../protocol.ts'
import type { Sha256 } from './bytes.ts'
import {
  encodeHeader,
  eventHash,
  GENESIS,
  type Header,
  type Payload,
  payloadHash,
  type RegistryPosition,
  type SealedEvent,
  writePayload,
} from './event.ts'
import { eventMessage } from './signing.ts'

/** Where a trace ends. */
export interface Tip {
  readonly size: number
  readonly hash: string
  readonly at: string
}

/** An event before it is sealed: everything but its place in the chain. */
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

/** Where the events to be sealed stand: protocol, trace, registry and time. */
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
  /** What the bytes of the header say, and those of the payload. */
  readonly fields: Header
  readonly text: string
}

/** Makes drafts into a chain upon `tip`. `at` never runs backwards, whatever the clock did. */
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
    const header = encodeHeader(fields)
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

/** Seals drafts one after the other upon `tip`, for whoever can sign at once. */
export const sealChain = (
  seal: Seal,
  place: Place,
  tip: Tip,
  drafts: readonly Draft[],
): readonly SealedEvent[] =>
  chain(seal.sha256, seal.salt, place, tip, drafts).map((unsigned) =>
    withSignature(unsigned, seal.sign(unsigned.actor, unsigned.message)),
  )
