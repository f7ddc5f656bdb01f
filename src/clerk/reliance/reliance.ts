// What a clerk relies on. A store may be written to by people who have no key, or one; so an event counts
// when it is signed, by a key that might sign it there, when its rules would have accepted it, and when its
// payload is present or recorded as erased. Other events are folded all the same, so that they can be shown;
// but no clerk builds on them.

import { fromHex } from '../../ledger/bytes.ts'
import { Erasures } from '../../ledger/erasures.ts'
import { type Header, readHeader, readPayload, type SealedEvent } from '../../ledger/event.ts'
import { FORKED, forkPointOf } from '../../ledger/fork.ts'
import { judgeKey } from '../../ledger/registry/keys.ts'
import {
  each,
  KEY_EVENTS,
  REDACTION_RECORDED,
  type RegistryState,
  registryProtocol,
} from '../../ledger/registry/registry.ts'
import { eventMessage } from '../../ledger/signing.ts'
import type { Occurrence, Protocol } from '../../protocol.ts'
import type { Ports } from '../ports.ts'
import type { Stored } from '../stored-events.ts'
import type { CheckpointedEvents } from './checkpointed.ts'

/** Why the signature does not count; null when it does. */
export function signatureFlaw(
  ports: Ports,
  registry: RegistryState,
  event: SealedEvent,
  header: Header,
): string | null {
  const publicKey = fromHex(registry.keys.get(header.actor.key)?.public_key ?? '', 32)
  if (!publicKey) return 'its key is not in the registry'
  return ports.verify(publicKey, eventMessage(event.header), event.signature)
    ? null
    : 'its signature does not verify'
}

/** Why the key was not valid there; null when it was. */
export const keyFlaw = (registry: RegistryState, header: Header): string | null =>
  judgeKey(registry, header, () => undefined)?.message ?? null

const RELIED_ON: readonly string[] = [...KEY_EVENTS, REDACTION_RECORDED]

/**
 * Why an event of the registry cannot be relied on, from the state of the registry before and after it. What decides about
 * keys and what records an erasure is checked here; the rest is verified before a checkpoint is signed over it. That a key
 * may sign is not enough: anyone's key may, and only the registrar binds keys and erases.
 */
export function registryFlaw(
  ports: Ports,
  event: SealedEvent,
  { header, occurrence }: Stored,
  before: RegistryState,
  after: RegistryState,
): string | null {
  if (!RELIED_ON.includes(header.type)) return null
  const flaw = signatureFlaw(ports, after, event, header) ?? keyFlaw(after, header)
  return flaw ?? registryProtocol(ports.sha256).refuse(before, occurrence)?.message ?? null
}

/** What is erased before a position of the trace, and in the traces that it was forked from. Reads each event once. */
export class ErasedBefore {
  readonly #store: Ports['store']
  readonly #trace: string
  readonly #erasures = new Erasures()
  readonly #parents = new Set<string>()
  #size = 0

  constructor({ store }: Ports, trace: string) {
    this.#store = store
    this.#trace = trace
  }

  /** To be asked about positions in order. */
  async place(seq: number): Promise<Erasures> {
    if (this.#size < seq) await this.#read(this.#trace, this.#size, seq)
    this.#size = Math.max(this.#size, seq)
    return this.#erasures
  }

  async #read(trace: string, from: number, to: number): Promise<void> {
    this.#parents.add(trace)
    for await (const event of this.#store.read(trace, from, to)) {
      const header = readHeader(event.header)
      if (typeof header === 'string') continue
      const payload = header.type === FORKED && event.payload ? readPayload(event.payload) : null
      const parent = typeof payload === 'object' ? forkPointOf(payload) : null
      if (parent && !this.#parents.has(parent.trace)) await this.#read(parent.trace, 0, parent.seq + 1)
      const { type, actor } = header
      this.#erasures.pass({ type, agent: actor.agent, hash: event.hash }, event.payload === null)
    }
  }
}

const MISSING = 'its payload is missing, and no redaction says why'

/**
 * Whether the payload exists, or a redaction records its erasure. A payload that is merely missing could have been a block.
 */
function isAccountedFor({ redactions }: RegistryState, { trace, seq, payload }: Occurrence): boolean {
  if (payload !== null) return true
  for (const { target } of each(redactions)) if (target.trace === trace && target.seq === seq) return true
  return false
}

/**
 * Why the rules of the trace would not have accepted the event; null when they would. Anyone who holds one key and can write
 * to the store could otherwise approve, with that key, what others must. What may only lack erased content is accepted.
 */
async function ruleFlaw<State>(
  { registry, protocol, erased }: Pick<RelianceParts<State>, 'registry' | 'protocol' | 'erased'>,
  before: State,
  occurrence: Occurrence,
): Promise<string | null> {
  if (occurrence.payload === null) return null
  if (occurrence.type === FORKED && occurrence.seq > 0) return 'only the first event of a trace can be a fork'
  const refusal = protocol.refuse(before, occurrence)
  if (!refusal) return null
  const isExplicable = refusal.lacks !== undefined && registry.state.redactions !== null
  const erasures = isExplicable ? await erased.place(occurrence.seq) : new Erasures()
  const unexplained = erasures.unexplained(refusal)
  return unexplained && `the rules of ${protocol.id} refuse it there: ${unexplained.message}`
}

/** The registry, folded as far as it is known here. */
interface Registry {
  readonly state: RegistryState
  readonly size: number
  refresh(): Promise<void>
}

interface RelianceParts<State> {
  readonly ports: Ports
  readonly registry: Registry
  readonly protocol: Protocol<State>
  readonly vouched: CheckpointedEvents | null
  readonly erased: ErasedBefore
}

/** Why an event of any other trace cannot be relied on, where `before` is the state before it; null when it can. */
export async function traceFlaw<State>(
  { ports, registry, protocol, vouched: checkpointed, erased }: RelianceParts<State>,
  event: SealedEvent,
  { header, occurrence }: Stored,
  before: State,
): Promise<string | null> {
  if (registry.size < header.registry.size) await registry.refresh()
  if (!isAccountedFor(registry.state, occurrence)) await registry.refresh()
  if (!isAccountedFor(registry.state, occurrence)) return MISSING
  const checked = checkpointed?.take(event) ?? 'unknown'
  if (checked === 'contradicted') return 'what leads to it is not what its checkpoint counts'
  const { state } = registry
  const unsigned = checked === 'unknown' ? signatureFlaw(ports, state, event, header) : null
  return unsigned ?? keyFlaw(state, header) ?? ruleFlaw({ registry, protocol, erased }, before, occurrence)
}
