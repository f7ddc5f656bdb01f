// What this home knows about a bundle that names its registry: the registry and the traces in its own store.
// The registry is verified against the pin first: a database that someone swapped proves nothing.

import { wholeBundle } from '../../clerk/extract.ts'
import type { Bundle } from '../../ledger/bundle/bundle.ts'
import { readHeader, readPayload, type SealedEvent } from '../../ledger/event.ts'
import { type RegistryState, registryProtocol } from '../../ledger/registry/registry.ts'
import { type OwnRecord, occurrence } from '../../ledger/verify/inquire.ts'
import { sha256 } from '../../stores/digest.ts'
import type { Store } from '../../stores/store.ts'
import { examine } from '../../stores/verify-answers.ts'
import type { Pin } from './create-home.ts'

/** The registry that these events make, no matter who wrote them. */
export function foldRegistry(events: readonly SealedEvent[]): RegistryState {
  const protocol = registryProtocol(sha256)
  let state = protocol.initial
  for (const event of events) {
    const header = readHeader(event.header)
    const payload = event.payload && readPayload(event.payload)
    if (typeof header === 'string') continue
    const folded = typeof payload === 'string' ? null : payload
    state = protocol.evolve(state, occurrence(header, event.hash, folded))
  }
  return state
}

async function read(store: Store, trace: string): Promise<readonly SealedEvent[]> {
  const events: SealedEvent[] = []
  for await (const event of store.read(trace)) events.push(event)
  return events
}

/** Null when the store holds no registry that verifies under the pin. */
export async function ownRecord(store: Store, pin: Pin, bundle: Bundle): Promise<OwnRecord | null> {
  if ((await store.registry()) !== pin.registry) return null
  const own = await wholeBundle(store, pin.registry)
  const report = await examine(own, store, { keys: [pin.key], checkpoints: [] }, [])
  if (report.status === 'fail' || report.trusted_by === null) return null
  const events = own.main.events.map(({ event }) => event)
  const traces = new Map<string, readonly SealedEvent[]>([[pin.registry, events]])
  for (const { trace } of [...bundle.ancestors, bundle.main]) {
    if (!traces.has(trace)) traces.set(trace, await read(store, trace))
  }
  return { registry: foldRegistry(events), traces }
}
