// A home in which an exchange is really signed: what a pure run said is appended through a real book with real keys,
// and what no protocol was asked about can be smuggled in behind it, perfectly chained and signed.

import { Book } from '../../src/clerk/book.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import type { ExchangeState } from '../../src/exchange/state.ts'
import type { Called } from '../../src/ledger/calls.ts'
import type { Payload } from '../../src/ledger/event.ts'
import { FORKED } from '../../src/ledger/fork.ts'
import type { Draft } from '../../src/ledger/seal.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import type { Occurrence, Protocol } from '../../src/protocol.ts'
import { examine } from '../../src/vaults/answers.ts'
import { sha256 } from '../../src/vaults/digest.ts'
import { MemoryVault } from '../../src/vaults/memory.ts'
import { type ExchangeRun, protocol } from './exchange-run.ts'
import type { Said } from './exchange-script.ts'
import { testOffice } from './office.ts'
import { actor, type Scene, smuggle } from './tamper.ts'

const AGENTS: Readonly<Record<string, readonly string[]>> = {
  clerk: ['clerk'],
  claude: ['mind', 'auditor'],
  local: ['mind'],
  ana: ['observer'],
  policy: ['policy'],
}

export async function openExchangeHome(fixed = false): Promise<Omit<Scene, 'trace'>> {
  const vault = new MemoryVault()
  const office = testOffice(vault, fixed)
  const registrar = await Registrar.create(office, 'test home', office.key('registrar').publicKey)
  for (const [agent, roles] of Object.entries(AGENTS)) {
    await registrar.register(agent, roles, office.key(agent).publicKey)
  }
  const trust = { keys: [office.key('registrar').id], checkpoints: [] }
  return { vault, office, registrar, desk: { vault, registrar, sha256 }, trust }
}

type Home = Omit<Scene, 'trace'>

async function draftOf(home: Home, { type, actor: who, payload }: Occurrence): Promise<Draft> {
  const parent = payload?.parent as { readonly trace: string; readonly seq: number } | undefined
  const [hash = ''] = parent ? await home.vault.hashes(parent.trace, parent.seq, parent.seq + 1) : []
  const real = type === FORKED ? { ...payload, parent: { ...parent, hash } } : payload
  return { type, actor: actor(who.agent, who.role), payload: real as Payload }
}

/** Takes the minutes of a run in a real home. */
export async function minute(home: Home, run: ExchangeRun): Promise<Book<Called<ExchangeState>>> {
  for (const bytes of run.kept.content.values()) await home.vault.putArtifact(bytes)
  const book = new Book(home.office, protocol, run.trace)
  await book.append(await Promise.all(run.events.map((event) => draftOf(home, event))))
  return book
}

export async function verified(home: Home, trace: string): Promise<Report> {
  return examine(await wholeBundle(home.vault, trace), home.vault, home.trust, [protocol as Protocol])
}

/** Appends to a recorded run what was never judged, and says what a verifier makes of it: code and place. */
export async function forged(
  home: Home,
  run: ExchangeRun,
  ...said: readonly Said[]
): Promise<readonly string[]> {
  for (const bytes of run.kept.content.values()) await home.vault.putArtifact(bytes)
  const scene = { ...home, trace: run.trace }
  for (const { type, agent, role, payload } of said) {
    await smuggle(scene, run.trace, { type, payload, actor: actor(agent, role), protocol: protocol.id })
  }
  const report = await verified(home, run.trace)
  return report.failures.map(({ code, event }) => `${code} ${event?.split('/')[1]}`)
}
