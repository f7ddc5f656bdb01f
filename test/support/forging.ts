// Appends one forged event to the beginning of a frozen trace: chained and signed without a flaw by the key of the one who
// it names, so that only its protocol can object.

import { toHex } from '../../src/ledger/bytes.ts'
import { canonicalize, parseCanonical } from '../../src/ledger/canonical.ts'
import { artifactsOf, type Payload, readPayload, type SealedEvent } from '../../src/ledger/event.ts'
import type { ArtifactAnswer } from '../../src/ledger/verify/inquire.ts'
import type { Actor } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import type { BundleCarrying } from './frozen.ts'
import { namedKey } from './ports.ts'
import { changedEvent, headerOf } from './tamper.ts'

export interface Forgery {
  /** The honest event that the forged one replaces: of this type, and this one of them. */
  readonly type: string
  readonly nth?: number
  /** The trace is cut here instead: before the first event of this type, or this one of them. */
  readonly before?: string
  readonly beforeNth?: number
  /** The type of the forged event, where it is another. */
  readonly as?: string
  readonly actor?: Partial<Actor>
  readonly payload?: (payload: Payload) => object
  /** Changes what the mind was shown. */
  readonly request?: (request: { readonly [name: string]: unknown }) => object
}

const payloadOf = (event: SealedEvent): Payload => {
  const payload = event.payload && readPayload(event.payload)
  if (typeof payload !== 'object' || !payload) throw new Error('it has no payload')
  return payload
}

/** The frozen trace up to where the forged event stands, which comes last. */
export function forge({ bundle, artifacts }: BundleCarrying, forgery: Forgery): BundleCarrying {
  const events = bundle.main.events.map(({ event }) => event)
  const places = events.flatMap((event, i) => (headerOf(event).type === forgery.type ? [i] : []))
  const model = events[places.at(forgery.nth ?? 0) ?? -1]
  const cuts = events.flatMap((event, i) => (headerOf(event).type === forgery.before ? [i] : []))
  const cut = cuts.at(forgery.beforeNth ?? 0) ?? -1
  const at = cut === -1 ? (places.at(forgery.nth ?? 0) ?? 0) : cut
  const last = events[at - 1]
  if (!model || !last) throw new Error(`there is no ${forgery.type} to forge`)
  const kept = new Map<string, ArtifactAnswer>(artifacts)
  let payload = payloadOf(model)
  if (forgery.request) {
    const shown = artifactsOf(payload).find(({ name }) => name === 'request.json')
    const found = parseCanonical(artifacts.get(shown?.hash ?? '')?.content ?? new Uint8Array())
    const content = Buffer.from(canonicalize(forgery.request(found as never)))
    const hash = toHex(sha256(content))
    kept.set(hash, { state: 'intact', size: content.length, content })
    const others = artifactsOf(payload).filter(({ name }) => name !== 'request.json')
    payload = { ...payload, artifacts: [{ ...shown, hash, size: content.length }, ...others] as never }
  }
  payload = { ...payload, ...(forgery.payload?.(payload) as Payload | undefined) }
  const { actor } = headerOf(model)
  const agent = forgery.actor?.agent ?? actor.agent
  const speaker = { ...actor, ...forgery.actor, key: namedKey(agent).id }
  const { at: moment, registry } = headerOf(last)
  const type = forgery.as ?? forgery.type
  const header = { type, seq: at, prev: last.hash, at: moment, registry, actor: speaker }
  const forged = changedEvent(model, { header, payload, signer: namedKey(agent) })
  const carried = [...events.slice(0, at), forged].map((event) => ({ event, proof: [] }))
  return {
    bundle: { ...bundle, main: { ...bundle.main, checkpoint: null, events: carried } },
    artifacts: kept,
  }
}
