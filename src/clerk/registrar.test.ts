import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { countOf, type Desk, minutes, openDesk, verifyAtHome } from '../../test/support/clerk-desk.ts'
import { approve, completeErrand, openErrand, runClerk } from '../../test/support/errand-run.ts'
import { testPorts } from '../../test/support/office.ts'
import { checkFile, faults, toFile } from '../../test/support/verification.ts'
import type { SealedEvent } from '../ledger/event.ts'
import type { KeyRecord } from '../ledger/registry/registry.ts'
import { readTreeHead } from '../ledger/tree/tree-head.ts'
import { MemoryStore } from '../stores/memory.ts'
import { extract } from './extract.ts'
import { Registrar } from './registrar.ts'
import { TraceLog } from './trace-log.ts'

function keyOf({ registrar }: Desk, agent: string): KeyRecord {
  const key = [...registrar.log.state.keys.values()].find((candidate) => candidate.agent === agent)
  if (!key) throw new Error(`${agent} has no key`)
  return key
}

const exported = async (
  { store, registrar, ports }: Desk,
  trace: string,
  trust = ports.key('registrar').id,
) =>
  checkFile(await toFile(await extract({ store, registrar, sha256: ports.sha256 }, trace), store), {
    keys: [trust],
    checkpoints: [],
  })

describe('opening a registry', () => {
  it('LED-6 lets one of two who open at once win; the other opens what the winner made', async () => {
    const store = new MemoryStore()
    const offices = [testPorts(store), testPorts(store)]
    const made = await Promise.allSettled(
      offices.map((ports, i) => Registrar.create(ports, `home ${i}`, ports.key(`registrar ${i}`).publicKey)),
    )
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = made.find((result) => result.status === 'rejected')
    expect(lost?.reason).toMatchObject({ code: 'VAULT_REFUSED' })
    const opened = await Promise.all(offices.map((ports) => Registrar.open(ports)))
    expect(new Set(opened.map(({ trace }) => trace)).size).toBe(1)
    expect(await store.traces()).toHaveLength(1)
  })

  it('is there with its first keys or not at all', async () => {
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

  it('LED-11 enrols only agents that never had a key for one of the roles, also when another was faster', async () => {
    const desk = await openDesk()
    const { ports, registrar } = desk
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
    const desk = await openDesk()
    expect(() => desk.registrar.actor('nobody', 'seat')).toThrow(
      expect.objectContaining({ code: 'KEY_NOT_FOUND' }),
    )
    expect(() => desk.registrar.actor('sam', 'critic')).toThrow(
      expect.objectContaining({ code: 'KEY_NOT_FOUND' }),
    )
    await desk.registrar.revoke(keyOf(desk, 'sam'), 'left', null)
    expect(() => desk.registrar.actor('sam', 'seat')).toThrow(
      expect.objectContaining({ code: 'KEY_RETIRED' }),
    )
  })
})

describe('rotating and revoking keys', () => {
  it('LED-10 carries a trace over a rotation, and both halves verify', async () => {
    const desk = await openDesk()
    const log = await openErrand(desk.ports, desk.registrar)
    await runClerk(desk.ports, desk.registrar, log)
    for (const agent of ['clerk', 'eve'])
      await desk.registrar.rotate(keyOf(desk, agent), desk.ports.key(`${agent} 2`).publicKey)
    await approve(log, desk.registrar)
    await runClerk(desk.ports, desk.registrar, log)
    expect(faults(await exported(desk, log.trace))).toEqual([])
  })

  it('LED-10 carries the registry over a rotation of its own key, for readers who know the first', async () => {
    const desk = await openDesk()
    const first = await completeErrand(desk.ports, desk.registrar)
    const stale = await Registrar.open({ ...desk.ports })
    const next = desk.ports.key('registrar 2')
    await desk.registrar.rotate(keyOf(desk, 'registrar'), next.publicKey)
    // A registrar that did not see the rotation notices it before it signs.
    await stale.register('late', ['seat'], desk.ports.key('late').publicKey)
    const second = await completeErrand(desk.ports, desk.registrar)
    for (const { trace } of [first, second]) {
      expect(faults(await exported(desk, trace))).toEqual([])
      expect(faults(await exported(desk, trace, next.id))).toEqual([])
    }
    await desk.registrar.revoke(keyOf(desk, 'registrar'), 'old disk lost', null)
    for (const trace of [first.trace, desk.registrar.trace]) {
      expect(faults(await exported(desk, trace))).toEqual(['TRUST_REVOKED'])
      expect(faults(await exported(desk, trace, next.id))).toEqual([])
    }
  })

  it('LED-10 keeps what stood when the key was revoked, whether checkpointed or listed as open', async () => {
    const desk = await openDesk()
    const finished = await completeErrand(desk.ports, desk.registrar)
    const open = await openErrand(desk.ports, desk.registrar)
    await runClerk(desk.ports, desk.registrar, open)
    await desk.registrar.revoke(keyOf(desk, 'sam'), 'gave the key away', null)
    const { heads } = keyOf(desk, 'sam').revoked ?? { heads: [] }
    expect(heads.map(({ trace }) => trace).sort()).toEqual([desk.registrar.trace, open.trace].sort())
    for (const { trace } of [finished, open]) expect(faults(await exported(desk, trace))).toEqual([])
  })

  it('LED-10 voids what a compromised key signed, unless a checkpoint from before covers it', async () => {
    const desk = await openDesk()
    const sealed = await completeErrand(desk.ports, desk.registrar)
    const since = desk.registrar.log.size
    const later = await completeErrand(desk.ports, desk.registrar)
    await desk.registrar.revoke(keyOf(desk, 'eve'), 'stolen', since)
    expect(faults(await exported(desk, sealed.trace))).toEqual([])
    const report = await exported(desk, later.trace)
    expect(report.status).toBe('fail')
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(['KEY_REVOKED']))
  })

  it('LED-10 says which events fell into the moment of the revocation, and they are void', async () => {
    const desk = await openDesk()
    const log = await openErrand(desk.ports, desk.registrar, ['a'])
    const { store } = desk
    const append = store.append.bind(store)
    // An append that is in flight: its writer looked at the registry before, and commits after the heads were read.
    store.append = async (trace, expected, events) => {
      if (trace === desk.registrar.trace) {
        store.append = append
        const actor = { agent: 'clerk', role: 'clerk', key: keyOf(desk, 'clerk').id }
        const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
        await new TraceLog({ ...desk.ports }, errand, log.trace).refresh()
        await log.append([{ type: 'call_started', actor, payload }])
      }
      return append(trace, expected, events)
    }
    const blind = { ...desk.ports }
    const other = await Registrar.open(blind)
    expect(await other.revoke(keyOf(desk, 'clerk'), 'lost', null)).toEqual([`${log.trace}/1`])
    expect(faults(await verifyAtHome(desk, log.trace))).toEqual(['KEY_REVOKED 1'])
  })

  it('LED-7 reads the heads of a revocation again when the registry moved meanwhile', async () => {
    const desk = await openDesk()
    const log = await openErrand(desk.ports, desk.registrar, ['a'])
    const other = await Registrar.open({ ...desk.ports })
    const { store } = desk
    const append = store.append.bind(store)
    store.append = async (trace, expected, events) => {
      store.append = append
      await other.register('rival', ['seat'], desk.ports.key('rival').publicKey)
      const actor = desk.registrar.actor('clerk', 'clerk')
      const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
      await log.append([{ type: 'call_started', actor, payload }])
      return append(trace, expected, events)
    }
    // The rival office writes the event, so that it does not wait for the registry that is being revoked in.
    const mine = await Registrar.open({ ...desk.ports })
    expect(await mine.revoke(keyOf(desk, 'clerk'), 'lost', null)).toEqual([])
    expect((await verifyAtHome(desk, log.trace)).status).toBe('pass')
  })
})

describe('signing checkpoints', () => {
  it('LED-12 records the size it signed, also when the trace grew meanwhile', async () => {
    const desk = await openDesk()
    const log = await completeErrand(desk.ports, desk.registrar)
    const growing = await openErrand(desk.ports, desk.registrar, ['a'])
    const { store } = desk
    const head = store.head.bind(store)
    store.head = async (trace) => {
      const before = await head(trace)
      store.head = head
      const actor = desk.registrar.actor('clerk', 'clerk')
      const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
      await new TraceLog({ ...desk.ports }, errand, growing.trace).append([
        { type: 'call_started', actor, payload },
      ])
      return before
    }
    const note = await desk.registrar.checkpoint(growing.trace)
    const recorded = desk.registrar.log.state.checkpoints?.item
    expect(recorded).toMatchObject({ trace: growing.trace, size: readTreeHead(note).size })
    for (const { trace } of [log, growing]) expect((await verifyAtHome(desk, trace)).status).toBe('pass')
  })

  it('records one checkpoint when two registrars seal the same trace', async () => {
    const desk = await openDesk()
    const log = await openErrand(desk.ports, desk.registrar)
    const other = await Registrar.open({ ...desk.ports })
    await Promise.all([desk.registrar.checkpoint(log.trace), other.checkpoint(log.trace)])
    await desk.registrar.checkpoint(log.trace)
    expect(countOf(await minutes(desk.store, desk.registrar.trace), /^checkpoint_recorded/)).toBe(1)
  })

  it('LED-12 signs over nothing whose signature or place does not hold', async () => {
    const store = new MemoryStore()
    const desk = await openDesk(store)
    const log = await completeErrand(desk.ports, desk.registrar)
    const read = store.read.bind(store)
    const changes: ((event: SealedEvent) => SealedEvent)[] = [
      (event) => ({ ...event, signature: new Uint8Array(64) }),
      (event) => ({ ...event, hash: 'f'.repeat(64) }),
    ]
    for (const change of changes) {
      store.read = async function* (trace, from, to) {
        for await (const event of read(trace, from, to)) yield trace === log.trace ? change(event) : event
      }
      const fresh = await Registrar.open({ ...desk.ports })
      await expect(fresh.sign(log.trace)).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
    }
  })

  it('signs nothing about a trace that does not exist', async () => {
    const { registrar, ports } = await openDesk()
    await expect(registrar.sign(ports.newTrace())).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    await expect(registrar.checkpoint(ports.newTrace())).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
  })
})
