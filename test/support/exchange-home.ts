// A home in which an exchange is really signed: what a pure run said is appended through a real book with real keys,
// and what no protocol was asked about can be smuggled in behind it, perfectly chained and signed.

import { wholeBundle } from '../../src/clerk/extract.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import type { ExchangeState } from '../../src/exchange/state.ts'
import type { WithOpenCalls } from '../../src/ledger/calls.ts'
import type { Payload } from '../../src/ledger/event.ts'
import { FORKED } from '../../src/ledger/fork.ts'
import type { Draft } from '../../src/ledger/signing.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import type { Occurrence, Protocol } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { type ExchangeRun, protocol } from './exchange-run.ts'
import type { Said } from './exchange-script.ts'
import { testPorts } from './ports.ts'
import { actor, type PageContext, smuggle } from './tamper.ts'

const AGENTS: Readonly<Record<string, readonly string[]>> = {
  clerk: ['clerk'],
  claude: ['mind', 'auditor', 'judge'],
  local: ['mind'],
  birch: ['mind'],
  cedar: ['mind'],
  ana: ['observer'],
  policy: ['policy'],
}

export async function openExchangeHome(fixed = false): Promise<Omit<PageContext, 'trace'>> {
  const store = new MemoryStore()
  const ports = testPorts(store, fixed)
  const registrar = await Registrar.create(ports, 'test home', ports.key('registrar').publicKey)
  for (const [agent, roles] of Object.entries(AGENTS)) {
    await registrar.register(agent, roles, ports.key(agent).publicKey)
  }
  const trust = { keys: [ports.key('registrar').id], checkpoints: [] }
  return { store, ports, registrar, kit: { store, registrar, sha256 }, trust }
}

type Home = Omit<PageContext, 'trace'>

async function draftOf(home: Home, { type, actor: who, payload }: Occurrence): Promise<Draft> {
  const parent = payload?.parent as { readonly trace: string; readonly seq: number } | undefined
  const [hash = ''] = parent ? await home.store.hashes(parent.trace, parent.seq, parent.seq + 1) : []
  const real = type === FORKED ? { ...payload, parent: { ...parent, hash } } : payload
  return { type, actor: actor(who.agent, who.role), payload: real as Payload }
}

/** Takes the minutes of a run in a real home. */
export async function recordRun(
  home: Home,
  run: ExchangeRun,
): Promise<TraceLog<WithOpenCalls<ExchangeState>>> {
  for (const bytes of run.kept.content.values()) await home.store.putArtifact(bytes)
  const log = new TraceLog(home.ports, protocol, run.trace)
  await log.append(await Promise.all(run.events.map((event) => draftOf(home, event))))
  return log
}

export async function verified(home: Home, trace: string): Promise<Report> {
  return examine(await wholeBundle(home.store, trace), home.store, home.trust, [protocol as Protocol])
}

/** Appends to a recorded run what was never judged, and says what a verifier makes of it: code and place. */
export async function forged(
  home: Home,
  run: ExchangeRun,
  ...said: readonly Said[]
): Promise<readonly string[]> {
  for (const bytes of run.kept.content.values()) await home.store.putArtifact(bytes)
  const scene = { ...home, trace: run.trace }
  for (const { type, agent, role, payload } of said) {
    await smuggle(scene, run.trace, { type, payload, actor: actor(agent, role), protocol: protocol.id })
  }
  const report = await verified(home, run.trace)
  return report.failures.map(({ code, event }) => `${code} ${event?.split('/')[1]}`)
}
