// Makes the golden bundles: every time, salt, id and key is fixed, so that their bytes are the same wherever and
// whenever they are made. Events are sealed one by one without a clerk, so that only the format decides the bytes.

import { extract } from '../../src/clerk/extract.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import { toHex } from '../../src/ledger/bytes.ts'
import type { Payload } from '../../src/ledger/event.ts'
import { type Draft, EMPTY_TIP, sealChain, type Tip } from '../../src/ledger/signing.ts'
import type { Trust } from '../../src/ledger/verify/inquire.ts'
import type { Actor } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { OUTPUT } from './errand-run.ts'
import { AGENTS, type TestKey, testPorts } from './ports.ts'
import { AT, errandDrafts } from './tamper.ts'
import { toFile } from './verification.ts'

const GOLDEN = {
  registry: '01KGD0000000000000000000R0',
  trace: '01KGD0000000000000000000T1',
  fork: '01KGD0000000000000000000T2',
} as const

const binding = (key: TestKey, agent: string, roles: readonly string[]) => ({
  id: key.id,
  public_key: toHex(key.publicKey),
  agent,
  roles,
})

export interface Golden {
  readonly whole: Buffer
  readonly fork: Buffer
  readonly trust: Trust
  /** A checkpoint of the whole trace, as a reader would have kept it. */
  readonly checkpoint: string
}

export async function makeGolden(): Promise<Golden> {
  const store = new MemoryStore()
  const ports = testPorts(store, true)
  const tips = new Map<string, Tip>()
  let tick = 0

  async function say(trace: string, draft: Draft): Promise<Tip> {
    const tip = tips.get(trace) ?? EMPTY_TIP
    const registry = trace === GOLDEN.registry ? null : (tips.get(GOLDEN.registry) ?? EMPTY_TIP)
    const at = new Date(Date.UTC(2026, 2, 1) + tick++ * 1000).toISOString()
    const protocol = registry ? 'errand/1' : 'registry/1'
    const seal = {
      sha256,
      salt: () => sha256(Buffer.from(`golden salt ${tick}`)).subarray(0, 16),
      sign: (by: Actor, message: Uint8Array) => ports.signNow(by, message),
    }
    const place = { protocol, trace, registry: registry && { size: registry.size, hash: registry.hash }, at }
    const events = sealChain(seal, place, tip, [draft])
    await store.append(trace, tip, events)
    const next = { size: tip.size + 1, hash: events[0]?.hash ?? '', at }
    tips.set(trace, next)
    return next
  }
  const keep = (type: string, payload: object): Promise<Tip> => {
    const actor = { agent: 'registrar', role: 'registrar', key: ports.key('registrar').id }
    return say(GOLDEN.registry, { type, actor, payload: payload as Payload })
  }

  await store.putArtifact(Buffer.from(OUTPUT))
  await keep('registry_opened', {
    name: 'golden home',
    key: binding(ports.key('registrar'), 'registrar', ['registrar']),
  })
  for (const [agent, roles] of Object.entries(AGENTS))
    await keep('key_registered', { key: binding(ports.key(agent), agent, roles) })

  const drafts = errandDrafts()
  const second = { agent: 'eve', role: 'executor', key: ports.key('second eve').id }
  const after = (draft: Draft): Draft => (draft.actor.agent === 'eve' ? { ...draft, actor: second } : draft)
  for (const draft of drafts.slice(0, AT.intent)) await say(GOLDEN.trace, draft)
  const point = await say(GOLDEN.trace, drafts[AT.intent] as Draft)
  const key = binding(ports.key('second eve'), 'eve', ['executor'])
  await keep('key_rotated', { old: ports.key('eve').id, key })
  for (const draft of drafts.slice(AT.approval)) await say(GOLDEN.trace, after(draft))

  const registrar = await Registrar.open(ports)
  const checkpoint = await registrar.sign(GOLDEN.trace)
  await keep('checkpoint_recorded', { trace: GOLDEN.trace, size: drafts.length, note: checkpoint })
  const kit = { store, registrar, sha256 }
  const whole = await toFile(await extract(kit, GOLDEN.trace), store)

  const planner = { agent: 'paula', role: 'planner', key: ports.key('paula').id }
  const parent = { trace: GOLDEN.trace, seq: point.size - 1, hash: point.hash }
  await say(GOLDEN.fork, { type: 'trace_forked', actor: planner, payload: { parent } })
  for (const draft of drafts.slice(AT.intent, AT.claim)) await say(GOLDEN.fork, after(draft))
  const head = tips.get(GOLDEN.fork) ?? EMPTY_TIP
  const heads = [{ trace: GOLDEN.fork, size: head.size, hash: head.hash }]
  const revoked = ports.key('second eve').id
  await keep('key_revoked', { key: revoked, reason: 'left the home', heads, compromised_since: null })
  await keep('redaction_recorded', {
    trace: GOLDEN.trace,
    seq: AT.answer,
    artifact: null,
    by: 'paula',
    reason: 'asked to',
  })
  const redaction = (tips.get(GOLDEN.registry)?.size ?? 0) - 1
  await store.erase({
    trace: GOLDEN.trace,
    seq: AT.answer,
    artifact: null,
    registry: { trace: GOLDEN.registry, seq: redaction },
  })
  const fork = await toFile(await extract(kit, GOLDEN.fork), store)
  return { whole, fork, checkpoint, trust: { keys: [ports.key('registrar').id], checkpoints: [] } }
}
