import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { countOf, type Kit, minutes, openKit, verifyAtHome } from '../../test/support/clerk-kit.ts'
import { approve, completeErrand, openErrand, runClerk } from '../../test/support/errand-run.ts'
import { testPorts } from '../../test/support/ports.ts'
import { checkFile, faults, toFile } from '../../test/support/verification.ts'
import type { SealedEvent } from '../ledger/event.ts'
import type { KeyRecord } from '../ledger/registry/registry.ts'
import { readTreeHead } from '../ledger/tree/tree-head.ts'
import { MemoryStore } from '../stores/memory.ts'
import { extract } from './extract.ts'
import { Registrar } from './registrar.ts'
import { TraceLog } from './trace-log.ts'

function keyOf({ registrar }: Kit, agent: string): KeyRecord {
  const key = [...registrar.log.state.keys.values()].find((candidate) => candidate.agent === agent)
  if (!key) throw new Error(`${agent} has no key`)
  return key
}

const exported = async ({ store, registrar, ports }: Kit, trace: string, trust = ports.key('registrar').id) =>
  checkFile(await toFile(await extract({ store, registrar, sha256: ports.sha256 }, trace), store), {
    keys: [trust],
    checkpoints: [],
  })

describe('opening a registry', () => {
  it("LED-6 lets one of two that open at once win; the other opens the winner's registry", async () => {
    const store = new MemoryStore()
    const runKits = [testPorts(store), testPorts(store)]
    const made = await Promise.allSettled(
      runKits.map((ports, i) => Registrar.create(ports, `home ${i}`, ports.key(`registrar ${i}`).publicKey)),
    )
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = made.find((result) => result.status === 'rejected')
    expect(lost?.reason).toMatchObject({ code: 'VAULT_REFUSED' })
    const opened = await Promise.all(runKits.map((ports) => Registrar.open(ports)))
    expect(new Set(opened.map(({ trace }) => trace)).size).toBe(1)
    expect(await store.traces()).toHaveLength(1)
  })

  it('exists with its first keys or not at all', async () => {
    const ports = testPorts(new MemoryStore())
    const clerk = { agent: 'clerk', roles: ['clerk'], publicKey: ports.key('clerk').publicKey }
    const twice = Registrar.create(ports, 'home', ports.key('registrar').publicKey, [clerk, clerk])
    await expect(twice).rejects.toMatchObject({ code: 'EVENT_REFUSED' })
    expect(await ports.store.registry()).toBeNull()
    const registrar = await Registrar.create(ports, 'home', ports.key('registrar').publicKey, [clerk])
    expect(registrar.actor('clerk', 'clerk').key).toBe(ports.key('clerk').id)
    await expect(Registrar.open(testPorts(new MemoryStore()))).rejects.toMatchObject({
      code: 'HOME_MISSING',
    })
  })

  it('LED-11 enrols only agents that never had a key for one of the roles, also if another process was faster', async () => {
    const kit = await openKit()
    const { ports, registrar } = kit
    const elsewhere = await Registrar.open({ ...ports })
    const key = (agent: string, roles: readonly string[], name = agent) => ({
      agent,
      roles,
      publicKey: ports.key(name).publicKey,
    })
    const taken = await elsewhere.enrol([key('nora', ['seat', 'chair']), key('otto', ['seat'])])
    expect(taken.map(({ agent, roles }) => [agent, roles])).toEqual([
      ['nora', ['seat', 'chair']],
      ['otto', ['seat']],
    ])
    const asked = [
      key('nora', ['chair'], 'nora 2'),
      key('nora', ['critic', 'seat'], 'nora 3'),
      key('nora', ['critic'], 'nora 4'),
      key('pia', ['seat']),
    ]
    const late = await registrar.enrol(asked)
    expect(late.map(({ id }) => id)).toEqual([ports.key('nora 4').id, ports.key('pia').id])
    expect(await registrar.enrol(asked)).toEqual([])
    expect(registrar.actor('nora', 'chair').key).toBe(ports.key('nora').id)
    await elsewhere.log.refresh()
    expect(elsewhere.log.head).toEqual(registrar.log.head)
  })

  it('names what is wrong with an agent that cannot sign', async () => {
    const kit = await openKit()
    expect(() => kit.registrar.actor('nobody', 'seat')).toThrow(
      expect.objectContaining({ code: 'KEY_NOT_FOUND' }),
    )
    expect(() => kit.registrar.actor('sam', 'critic')).toThrow(
      expect.objectContaining({ code: 'KEY_NOT_FOUND' }),
    )
    await kit.registrar.revoke(keyOf(kit, 'sam'), 'left', null)
    expect(() => kit.registrar.actor('sam', 'seat')).toThrow(expect.objectContaining({ code: 'KEY_RETIRED' }))
  })
})

describe('rotating and revoking keys', () => {
  it('LED-10 carries a trace over a rotation, and both halves verify', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    await runClerk(kit.ports, kit.registrar, log)
    for (const agent of ['clerk', 'eve'])
      await kit.registrar.rotate(keyOf(kit, agent), kit.ports.key(`${agent} 2`).publicKey)
    await approve(log, kit.registrar)
    await runClerk(kit.ports, kit.registrar, log)
    expect(faults(await exported(kit, log.trace))).toEqual([])
  })

  it('LED-10 carries the registry over a rotation of its own key, for readers who know the first', async () => {
    const kit = await openKit()
    const first = await completeErrand(kit.ports, kit.registrar)
    const stale = await Registrar.open({ ...kit.ports })
    const next = kit.ports.key('registrar 2')
    await kit.registrar.rotate(keyOf(kit, 'registrar'), next.publicKey)
    // A registrar that did not see the rotation notices it before it signs.
    await stale.register('late', ['seat'], kit.ports.key('late').publicKey)
    const second = await completeErrand(kit.ports, kit.registrar)
    for (const { trace } of [first, second]) {
      expect(faults(await exported(kit, trace))).toEqual([])
      expect(faults(await exported(kit, trace, next.id))).toEqual([])
    }
    await kit.registrar.revoke(keyOf(kit, 'registrar'), 'old disk lost', null)
    for (const trace of [first.trace, kit.registrar.trace]) {
      expect(faults(await exported(kit, trace))).toEqual(['TRUST_REVOKED'])
      expect(faults(await exported(kit, trace, next.id))).toEqual([])
    }
  })

  it('LED-10 keeps events from before the revocation, whether checkpointed or listed as open', async () => {
    const kit = await openKit()
    const finished = await completeErrand(kit.ports, kit.registrar)
    const open = await openErrand(kit.ports, kit.registrar)
    await runClerk(kit.ports, kit.registrar, open)
    await kit.registrar.revoke(keyOf(kit, 'sam'), 'gave the key away', null)
    const { heads } = keyOf(kit, 'sam').revoked ?? { heads: [] }
    expect(heads.map(({ trace }) => trace).sort()).toEqual([kit.registrar.trace, open.trace].sort())
    for (const { trace } of [finished, open]) expect(faults(await exported(kit, trace))).toEqual([])
  })

  it('LED-10 voids what a compromised key signed, unless a checkpoint from before covers it', async () => {
    const kit = await openKit()
    const sealed = await completeErrand(kit.ports, kit.registrar)
    const since = kit.registrar.log.size
    const later = await completeErrand(kit.ports, kit.registrar)
    await kit.registrar.revoke(keyOf(kit, 'eve'), 'stolen', since)
    expect(faults(await exported(kit, sealed.trace))).toEqual([])
    const report = await exported(kit, later.trace)
    expect(report.status).toBe('fail')
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(['KEY_REVOKED']))
  })

  it('LED-10 names the events at the time of the revocation, which are void', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    const { store } = kit
    const append = store.append.bind(store)
    // An append that is in flight: its writer looked at the registry before, and commits after the heads were read.
    store.append = async (trace, expected, events) => {
      if (trace === kit.registrar.trace) {
        store.append = append
        const actor = { agent: 'clerk', role: 'clerk', key: keyOf(kit, 'clerk').id }
        const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
        await new TraceLog({ ...kit.ports }, errand, log.trace).refresh()
        await log.append([{ type: 'call_started', actor, payload }])
      }
      return append(trace, expected, events)
    }
    const blind = { ...kit.ports }
    const other = await Registrar.open(blind)
    expect(await other.revoke(keyOf(kit, 'clerk'), 'lost', null)).toEqual([`${log.trace}/1`])
    expect(faults(await verifyAtHome(kit, log.trace))).toEqual(['KEY_REVOKED 1'])
  })

  it('LED-7 reads the heads of a revocation again if the registry changed in between', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    const other = await Registrar.open({ ...kit.ports })
    const { store } = kit
    const append = store.append.bind(store)
    store.append = async (trace, expected, events) => {
      store.append = append
      await other.register('rival', ['seat'], kit.ports.key('rival').publicKey)
      const actor = kit.registrar.actor('clerk', 'clerk')
      const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
      await log.append([{ type: 'call_started', actor, payload }])
      return append(trace, expected, events)
    }
    // The rival clerk writes the event, so that it does not wait for the registry that is being revoked in.
    const mine = await Registrar.open({ ...kit.ports })
    expect(await mine.revoke(keyOf(kit, 'clerk'), 'lost', null)).toEqual([])
    expect((await verifyAtHome(kit, log.trace)).status).toBe('pass')
  })
})

describe('signing checkpoints', () => {
  it('LED-12 records the size it signed, also if the trace grew in between', async () => {
    const kit = await openKit()
    const log = await completeErrand(kit.ports, kit.registrar)
    const growing = await openErrand(kit.ports, kit.registrar, ['a'])
    const { store } = kit
    const head = store.head.bind(store)
    store.head = async (trace) => {
      const before = await head(trace)
      store.head = head
      const actor = kit.registrar.actor('clerk', 'clerk')
      const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
      await new TraceLog({ ...kit.ports }, errand, growing.trace).append([
        { type: 'call_started', actor, payload },
      ])
      return before
    }
    const note = await kit.registrar.checkpoint(growing.trace)
    const recorded = kit.registrar.log.state.checkpoints?.item
    expect(recorded).toMatchObject({ trace: growing.trace, size: readTreeHead(note).size })
    for (const { trace } of [log, growing]) expect((await verifyAtHome(kit, trace)).status).toBe('pass')
  })

  it('records one checkpoint when two registrars seal the same trace', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const other = await Registrar.open({ ...kit.ports })
    await Promise.all([kit.registrar.checkpoint(log.trace), other.checkpoint(log.trace)])
    await kit.registrar.checkpoint(log.trace)
    expect(countOf(await minutes(kit.store, kit.registrar.trace), /^checkpoint_recorded/)).toBe(1)
  })

  it('LED-12 signs no event with a wrong signature or place', async () => {
    const store = new MemoryStore()
    const kit = await openKit(store)
    const log = await completeErrand(kit.ports, kit.registrar)
    const read = store.read.bind(store)
    const changes: ((event: SealedEvent) => SealedEvent)[] = [
      (event) => ({ ...event, signature: new Uint8Array(64) }),
      (event) => ({ ...event, hash: 'f'.repeat(64) }),
    ]
    for (const change of changes) {
      store.read = async function* (trace, from, to) {
        for await (const event of read(trace, from, to)) yield trace === log.trace ? change(event) : event
      }
      const fresh = await Registrar.open({ ...kit.ports })
      await expect(fresh.sign(log.trace)).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
    }
  })

  it('signs no checkpoint of a trace that does not exist', async () => {
    const { registrar, ports } = await openKit()
    await expect(registrar.sign(ports.newTrace())).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    await expect(registrar.checkpoint(ports.newTrace())).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
  })
})
