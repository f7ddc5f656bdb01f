// Seals the minutes of a scripted council with real keys, without asking any protocol, and has the real verifier judge
// them: what a forger could make who holds every key of the home.

import { wholeBundle } from '../../src/clerk/extract.ts'
import type { Payload } from '../../src/ledger/event.ts'
import { FORKED, forkPointOf } from '../../src/ledger/fork.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import type { Protocol } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { protocol, type Sitting } from './council-sitting.ts'
import { namedKey, openPorts } from './ports.ts'
import { type PageContext, smuggle } from './tamper.ts'

const AGENTS: Readonly<Record<string, readonly string[]>> = {
  olga: ['convener'],
  ann: ['participant', 'chair'],
  ben: ['participant', 'chair'],
  cat: ['participant', 'chair'],
  dan: ['participant', 'chair'],
  panel: ['participant'],
}

export async function council(): Promise<PageContext> {
  const store = new MemoryStore()
  const { ports, registrar } = await openPorts(store, true)
  for (const [agent, roles] of Object.entries(AGENTS))
    await registrar.register(agent, roles, ports.key(agent).publicKey)
  const trust = { keys: [namedKey('registrar').id], checkpoints: [] }
  return { store, ports, registrar, trace: '', kit: { store, registrar, sha256 }, trust }
}

/** A fork names its parent's event by the hash that it really has. */
async function sealable({ store }: PageContext, type: string, payload: Payload): Promise<Payload> {
  const point = type === FORKED ? forkPointOf(payload) : null
  if (!point) return payload
  const [hash = ''] = await store.hashes(point.trace, point.seq, point.seq + 1)
  return { ...payload, parent: { ...point, hash } }
}

export async function seal(scene: PageContext, sitting: Sitting): Promise<void> {
  for (const bytes of sitting.artifacts.values()) await scene.store.putArtifact(bytes)
  for (const { type, agent, role, payload, at } of sitting.spoken) {
    const actor = { agent, role, key: namedKey(agent).id }
    const sealed = { type, actor, payload: await sealable(scene, type, payload), protocol: 'council/1' }
    await smuggle(scene, sitting.trace, { ...sealed, ...(at && { at }) })
  }
}

/** The verifier's report on the minutes; artifacts named in `without` are withheld. */
export async function verified(sitting: Sitting, scene?: PageContext): Promise<Report> {
  const home = scene ?? (await council())
  await seal(home, sitting)
  const bundle = await wholeBundle(home.store, sitting.trace)
  return examine(bundle, home.store, home.trust, [protocol as Protocol])
}

/** What was found, as `code seq: message`. */
export const findings = (report: Report): readonly string[] =>
  report.failures
    .filter(({ severity }) => severity === 'error')
    .map(({ code, event, message }) => `${code} ${event?.split('/')[1] ?? '-'}: ${message}`)
