// What this home knows of a bundle that names its registry: the registry and the traces as they lie in its own vault.
// The registry is verified against the pin first: a database that someone swapped vouches for nothing.

import { wholeBundle } from '../clerk/extract.ts'
import type { Bundle } from '../ledger/bundle.ts'
import { readHeader, readPayload, type SealedEvent } from '../ledger/event.ts'
import { type RegistryState, registryProtocol } from '../ledger/registry.ts'
import { type OwnRecord, occurrence } from '../ledger/verify/inquire.ts'
import { examine } from '../vaults/answers.ts'
import { sha256 } from '../vaults/digest.ts'
import type { Vault } from '../vaults/vault.ts'
import type { Pin } from './registry-pin.ts'

/** The registry that these events make, whoever wrote them. */
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

async function read(vault: Vault, trace: string): Promise<readonly SealedEvent[]> {
  const events: SealedEvent[] = []
  for await (const event of vault.read(trace)) events.push(event)
  return events
}

/** Null when the vault holds no registry that verifies under the pin. */
export async function ownRecord(vault: Vault, pin: Pin, bundle: Bundle): Promise<OwnRecord | null> {
  if ((await vault.registry()) !== pin.registry) return null
  const own = await wholeBundle(vault, pin.registry)
  const report = await examine(own, vault, { keys: [pin.key], checkpoints: [] }, [])
  if (report.status === 'fail' || report.trusted_by === null) return null
  const events = own.main.events.map(({ event }) => event)
  const traces = new Map<string, readonly SealedEvent[]>([[pin.registry, events]])
  for (const { trace } of [...bundle.ancestors, bundle.main]) {
    if (!traces.has(trace)) traces.set(trace, await read(vault, trace))
  }
  return { registry: foldRegistry(events), traces }
}
