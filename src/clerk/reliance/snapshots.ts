// When a saved state may replace folding. It must be signed by the current registrar's key, be of this trace,
// protocol and form, end at an event that the store has there, and be based on a registry that has neither
// erased nor revoked anything since. Otherwise the trace is folded from its beginning.

import { fromHex } from '../../ledger/bytes.ts'
import { isWitanError } from '../../ledger/errors.ts'
import type { End } from '../../ledger/event.ts'
import { each, REGISTRAR, type RegistryState } from '../../ledger/registry/registry.ts'
import { snapshotMessage, type Tip } from '../../ledger/signing.ts'
import {
  decodeSnapshot,
  encodeSnapshot,
  peaksOf,
  readSnapshot,
  type Snapshot,
  snapshotBody,
  tallyOf,
} from '../../ledger/snapshot.ts'
import type { Tally } from '../../ledger/tree/tree-head.ts'
import type { Protocol } from '../../protocol.ts'
import type { Ports } from '../ports.ts'

/** The registry, folded to its current state. */
interface RegistryView {
  readonly trace: string
  readonly state: RegistryState
  readonly head: End
}

export interface FoldedTrace<State> {
  readonly trace: string
  readonly state: State
  readonly tip: Tip
  readonly tally: Tally
}

/** Whether something was erased, or a key revoked, since the registry had this many events: both affect the past. */
export function isUnsettled({ keys, redactions }: RegistryState, since: number): boolean {
  for (const { seq } of each(redactions)) if (seq >= since) return true
  return [...keys.values()].some(({ revoked }) => revoked !== null && revoked.seq >= since)
}

function verifiedSnapshot(ports: Ports, registry: RegistryState, bytes: Uint8Array): Snapshot | null {
  const snapshot = decodeSnapshot(bytes)
  if (!snapshot || snapshot.key !== registry.registrars.at(-1)) return null
  const publicKey = fromHex(registry.keys.get(snapshot.key)?.public_key ?? '', 32)
  if (!publicKey) return null
  const isOurs = ports.verify(publicKey, snapshotMessage(snapshot.body), snapshot.signature)
  return isOurs ? readSnapshot(snapshot.body) : null
}

const isStored = async ({ store }: Ports, trace: string, size: number, hash: string): Promise<boolean> =>
  (await store.hashes(trace, size - 1, size))[0] === hash

export async function findSnapshot<State>(
  ports: Ports,
  protocol: Protocol<State>,
  registry: RegistryView,
  trace: string,
  within: number,
): Promise<FoldedTrace<State> | null> {
  const form = protocol.snapshot
  const bytes = form ? await ports.snapshots?.find(trace, within) : null
  const snapshot = bytes ? verifiedSnapshot(ports, registry.state, bytes) : null
  if (!form || !snapshot) return null
  const { tip } = snapshot
  const isOfThis =
    snapshot.trace === trace &&
    snapshot.protocol === protocol.id &&
    snapshot.form === form.id &&
    snapshot.v === 1
  if (!isOfThis || tip.size > within || isUnsettled(registry.state, snapshot.registry.size)) return null
  if (!(await isStored(ports, registry.trace, snapshot.registry.size, snapshot.registry.hash))) return null
  if (!(await isStored(ports, trace, tip.size, tip.hash))) return null
  return { trace, state: form.restore(snapshot.state), tip, tally: tallyOf(snapshot) }
}

export async function keepSnapshot<State>(
  ports: Ports,
  protocol: Protocol<State>,
  registry: RegistryView,
  { trace, state, tip, tally }: FoldedTrace<State>,
): Promise<void> {
  const savedState = protocol.snapshot?.take(state) ?? null
  const key = registry.state.registrars.at(-1)
  if (!protocol.snapshot || savedState === null || key === undefined) return
  const body = snapshotBody({
    v: 1,
    protocol: protocol.id,
    form: protocol.snapshot.id,
    trace,
    tip,
    registry: registry.head,
    events: peaksOf(tally.events),
    signatures: peaksOf(tally.signatures),
    state: savedState,
  })
  const signature = await signatureOver(ports, key, body)
  if (!signature) return
  await ports.snapshots?.keep(trace, tip.size, encodeSnapshot({ key, signature, body }))
}

/** Null in a home that uses someone else's registry and does not have its key: nothing is kept there. */
async function signatureOver(ports: Ports, key: string, body: Uint8Array): Promise<Uint8Array | null> {
  const actor = { agent: REGISTRAR, role: REGISTRAR, key }
  try {
    const [signature] = await ports.sign([{ actor, message: snapshotMessage(body) }])
    return signature ?? null
  } catch (error) {
    if (isWitanError(error, 'KEY_NOT_FOUND')) return null
    throw error
  }
}
