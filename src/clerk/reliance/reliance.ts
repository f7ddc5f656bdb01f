// What a clerk relies on. A store may be written to by people who hold no key, or one; so an event counts when it is
// signed, by a key that might sign it there, when its rules would have taken it, and when its payload is there or gone on
// record. What does not count is folded all the same, so that it can be shown; nothing is written upon it.

import { fromHex } from '../../ledger/bytes.ts'
import type { Header, SealedEvent } from '../../ledger/event.ts'
import { FORKED } from '../../ledger/fork.ts'
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
import type { Vouched } from './checkpointed.ts'

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

/** Why the key did not count there; null when it did. */
export const keyFlaw = (registry: RegistryState, header: Header): string | null =>
  judgeKey(registry, header, () => undefined)?.message ?? null

const RELIED_ON: readonly string[] = [...KEY_EVENTS, REDACTION_RECORDED]

/**
 * Why an event of the registry cannot be relied on, from what the registry was before it and is with it. What decides
 * about keys and what says that something was erased counts here; the rest is verified before a checkpoint is signed
 * over it. That a key may sign is not enough: anyone's key may, and only the registrar binds keys and erases.
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

const hasErased = ({ redactions }: RegistryState): boolean => {
  for (const { target } of each(redactions)) if (target.seq !== null) return true
  return false
}

const MISSING = 'its payload is missing, and no redaction says why'

/** Whether the payload is there, or is gone and a redaction says so. What is merely missing could have been a block. */
function isAccountedFor({ redactions }: RegistryState, { trace, seq, payload }: Occurrence): boolean {
  if (payload !== null) return true
  for (const { target } of each(redactions)) if (target.trace === trace && target.seq === seq) return true
  return false
}

/**
 * Why the rules of the trace would not have taken the event; null when they would. Whoever holds one key and can write
 * to the store could otherwise approve, by that key, what others must. What may only lack something erased is let pass.
 */
function ruleFlaw<State>(
  protocol: Protocol<State>,
  before: State,
  occurrence: Occurrence,
  registry: RegistryState,
): string | null {
  if (occurrence.payload === null) return null
  if (occurrence.type === FORKED && occurrence.seq > 0) return 'only the first event of a trace can be a fork'
  const refusal = protocol.refuse(before, occurrence)
  if (!refusal || (refusal.lacks && hasErased(registry))) return null
  return `the rules of ${protocol.id} refuse it there: ${refusal.message}`
}

/** The registry, folded as far as it is known here. */
interface Registry {
  readonly state: RegistryState
  readonly size: number
  refresh(): Promise<void>
}

/** Why an event of any other trace cannot be relied on, where `before` is the state it came upon; null when it can. */
export async function traceFlaw<State>(
  {
    ports,
    registry,
    protocol,
    vouched,
  }: {
    readonly ports: Ports
    readonly registry: Registry
    readonly protocol: Protocol<State>
    readonly vouched: Vouched | null
  },
  event: SealedEvent,
  { header, occurrence }: Stored,
  before: State,
): Promise<string | null> {
  if (registry.size < header.registry.size) await registry.refresh()
  if (!isAccountedFor(registry.state, occurrence)) await registry.refresh()
  if (!isAccountedFor(registry.state, occurrence)) return MISSING
  const said = vouched?.take(event) ?? 'unknown'
  if (said === 'contradicted') return 'what leads to it is not what its checkpoint counts'
  const { state } = registry
  const unsigned = said === 'unknown' ? signatureFlaw(ports, state, event, header) : null
  return unsigned ?? keyFlaw(state, header) ?? ruleFlaw(protocol, before, occurrence, state)
}
