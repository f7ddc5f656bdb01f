import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { countOf, type Desk, minutes, openDesk, verifyAtHome } from '../../test/support/clerk-desk.ts'
import { approve, completeErrand, openErrand, runClerk } from '../../test/support/errand-run.ts'
import { testOffice } from '../../test/support/office.ts'
import { checkFile, faults, toFile } from '../../test/support/verification.ts'
import type { SealedEvent } from '../ledger/event.ts'
import type { KeyRecord } from '../ledger/registry.ts'
import { readTreeHead } from '../ledger/tree-head.ts'
import { MemoryVault } from '../vaults/memory.ts'
import { Book } from './book.ts'
import { extract } from './extract.ts'
import { Registrar } from './registrar.ts'

function keyOf({ registrar }: Desk, agent: string): KeyRecord {
  const key = [...registrar.book.state.keys.values()].find((candidate) => candidate.agent === agent)
  if (!key) throw new Error(`${agent} has no key`)
  return key
}

const exported = async (
  { vault, registrar, office }: Desk,
  trace: string,
  trust = office.key('registrar').id,
) =>
  checkFile(await toFile(await extract({ vault, registrar, sha256: office.sha256 }, trace), vault), {
    keys: [trust],
    checkpoints: [],
  })

describe('opening a registry', () => {
  it('LED-6 lets one of two who open at once win; the other opens what the winner made', async () => {
    const vault = new MemoryVault()
    const offices = [testOffice(vault), testOffice(vault)]
    const made = await Promise.allSettled(
      offices.map((office, i) =>
        Registrar.create(office, `home ${i}`, office.key(`registrar ${i}`).publicKey),
      ),
    )
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = made.find((result) => result.status === 'rejected')
    expect(lost?.reason).toMatchObject({ code: 'VAULT_REFUSED' })
    const opened = await Promise.all(offices.map((office) => Registrar.open(office)))
    expect(new Set(opened.map(({ trace }) => trace)).size).toBe(1)
    expect(await vault.traces()).toHaveLength(1)
  })

  it('is there with its first keys or not at all', async () => {
    const office = testOffice(new MemoryVault())
    const clerk = { agent: 'clerk', roles: ['clerk'], publicKey: office.key('clerk').publicKey }
    const twice = Registrar.create(office, 'home', office.key('registrar').publicKey, [clerk, clerk])
    await expect(twice).rejects.toMatchObject({ code: 'EVENT_REFUSED' })
    expect(await office.vault.registry()).toBeNull()
    const registrar = await Registrar.create(office, 'home', office.key('registrar').publicKey, [clerk])
    expect(registrar.actor('clerk', 'clerk').key).toBe(office.key('clerk').id)
    await expect(Registrar.open(testOffice(new MemoryVault()))).rejects.toMatchObject({
      code: 'HOME_MISSING',
    })
  })

  it('LED-11 enrols only agents that never had a key for one of the roles, also when another was faster', async () => {
    const desk = await openDesk()
    const { office, registrar } = desk
    const elsewhere = await Registrar.open({ ...office })
    const key = (agent: string, roles: readonly string[], name = agent) => ({
      agent,
      roles,
      publicKey: office.key(name).publicKey,
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
    expect(late.map(({ id }) => id)).toEqual([office.key('nora 4').id, office.key('pia').id])
    expect(await registrar.enrol(asked)).toEqual([])
    expect(registrar.actor('nora', 'chair').key).toBe(office.key('nora').id)
    await elsewhere.book.refresh()
    expect(elsewhere.book.head).toEqual(registrar.book.head)
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
    const book = await openErrand(desk.office, desk.registrar)
    await runClerk(desk.office, desk.registrar, book)
    for (const agent of ['clerk', 'eve'])
      await desk.registrar.rotate(keyOf(desk, agent), desk.office.key(`${agent} 2`).publicKey)
    await approve(book, desk.registrar)
    await runClerk(desk.office, desk.registrar, book)
    expect(faults(await exported(desk, book.trace))).toEqual([])
  })

  it('LED-10 carries the registry over a rotation of its own key, for readers who know the first', async () => {
    const desk = await openDesk()
    const first = await completeErrand(desk.office, desk.registrar)
    const stale = await Registrar.open({ ...desk.office })
    const next = desk.office.key('registrar 2')
    await desk.registrar.rotate(keyOf(desk, 'registrar'), next.publicKey)
    // A registrar that did not see the rotation notices it before it signs.
    await stale.register('late', ['seat'], desk.office.key('late').publicKey)
    const second = await completeErrand(desk.office, desk.registrar)
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
    const finished = await completeErrand(desk.office, desk.registrar)
    const open = await openErrand(desk.office, desk.registrar)
    await runClerk(desk.office, desk.registrar, open)
    await desk.registrar.revoke(keyOf(desk, 'sam'), 'gave the key away', null)
    const { heads } = keyOf(desk, 'sam').revoked ?? { heads: [] }
    expect(heads.map(({ trace }) => trace).sort()).toEqual([desk.registrar.trace, open.trace].sort())
    for (const { trace } of [finished, open]) expect(faults(await exported(desk, trace))).toEqual([])
  })

  it('LED-10 voids what a compromised key signed, unless a checkpoint from before covers it', async () => {
    const desk = await openDesk()
    const sealed = await completeErrand(desk.office, desk.registrar)
    const since = desk.registrar.book.size
    const later = await completeErrand(desk.office, desk.registrar)
    await desk.registrar.revoke(keyOf(desk, 'eve'), 'stolen', since)
    expect(faults(await exported(desk, sealed.trace))).toEqual([])
    const report = await exported(desk, later.trace)
    expect(report.status).toBe('fail')
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(['KEY_REVOKED']))
  })

  it('LED-10 says which events fell into the moment of the revocation, and they are void', async () => {
    const desk = await openDesk()
    const book = await openErrand(desk.office, desk.registrar, ['a'])
    const { vault } = desk
    const append = vault.append.bind(vault)
    // An append that is in flight: its writer looked at the registry before, and commits after the heads were read.
    vault.append = async (trace, expected, events) => {
      if (trace === desk.registrar.trace) {
        vault.append = append
        const actor = { agent: 'clerk', role: 'clerk', key: keyOf(desk, 'clerk').id }
        const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
        await new Book({ ...desk.office }, errand, book.trace).refresh()
        await book.append([{ type: 'call_started', actor, payload }])
      }
      return append(trace, expected, events)
    }
    const blind = { ...desk.office }
    const other = await Registrar.open(blind)
    expect(await other.revoke(keyOf(desk, 'clerk'), 'lost', null)).toEqual([`${book.trace}/1`])
    expect(faults(await verifyAtHome(desk, book.trace))).toEqual(['KEY_REVOKED 1'])
  })

  it('LED-7 reads the heads of a revocation again when the registry moved meanwhile', async () => {
    const desk = await openDesk()
    const book = await openErrand(desk.office, desk.registrar, ['a'])
    const other = await Registrar.open({ ...desk.office })
    const { vault } = desk
    const append = vault.append.bind(vault)
    vault.append = async (trace, expected, events) => {
      vault.append = append
      await other.register('rival', ['seat'], desk.office.key('rival').publicKey)
      const actor = desk.registrar.actor('clerk', 'clerk')
      const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
      await book.append([{ type: 'call_started', actor, payload }])
      return append(trace, expected, events)
    }
    // The rival office writes the event, so that it does not wait for the registry that is being revoked in.
    const mine = await Registrar.open({ ...desk.office })
    expect(await mine.revoke(keyOf(desk, 'clerk'), 'lost', null)).toEqual([])
    expect((await verifyAtHome(desk, book.trace)).status).toBe('pass')
  })
})

describe('signing checkpoints', () => {
  it('LED-12 records the size it signed, also when the trace grew meanwhile', async () => {
    const desk = await openDesk()
    const book = await completeErrand(desk.office, desk.registrar)
    const growing = await openErrand(desk.office, desk.registrar, ['a'])
    const { vault } = desk
    const head = vault.head.bind(vault)
    vault.head = async (trace) => {
      const before = await head(trace)
      vault.head = head
      const actor = desk.registrar.actor('clerk', 'clerk')
      const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
      await new Book({ ...desk.office }, errand, growing.trace).append([
        { type: 'call_started', actor, payload },
      ])
      return before
    }
    const note = await desk.registrar.checkpoint(growing.trace)
    const recorded = desk.registrar.book.state.checkpoints?.item
    expect(recorded).toMatchObject({ trace: growing.trace, size: readTreeHead(note).size })
    for (const { trace } of [book, growing]) expect((await verifyAtHome(desk, trace)).status).toBe('pass')
  })

  it('records one checkpoint when two registrars seal the same trace', async () => {
    const desk = await openDesk()
    const book = await openErrand(desk.office, desk.registrar)
    const other = await Registrar.open({ ...desk.office })
    await Promise.all([desk.registrar.checkpoint(book.trace), other.checkpoint(book.trace)])
    await desk.registrar.checkpoint(book.trace)
    expect(countOf(await minutes(desk.vault, desk.registrar.trace), /^checkpoint_recorded/)).toBe(1)
  })

  it('LED-12 signs over nothing whose signature or place does not hold', async () => {
    const vault = new MemoryVault()
    const desk = await openDesk(vault)
    const book = await completeErrand(desk.office, desk.registrar)
    const read = vault.read.bind(vault)
    const changes: ((event: SealedEvent) => SealedEvent)[] = [
      (event) => ({ ...event, signature: new Uint8Array(64) }),
      (event) => ({ ...event, hash: 'f'.repeat(64) }),
    ]
    for (const change of changes) {
      vault.read = async function* (trace, from, to) {
        for await (const event of read(trace, from, to)) yield trace === book.trace ? change(event) : event
      }
      const fresh = await Registrar.open({ ...desk.office })
      await expect(fresh.sign(book.trace)).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
    }
  })

  it('signs nothing about a trace that does not exist', async () => {
    const { registrar, office } = await openDesk()
    await expect(registrar.sign(office.newTrace())).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    await expect(registrar.checkpoint(office.newTrace())).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
  })
})
