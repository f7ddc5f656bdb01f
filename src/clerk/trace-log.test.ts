import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { type Kit, minutes, openKit, verifyAtHome } from '../../test/support/clerk-kit.ts'
import { approve, openErrand, runClerk } from '../../test/support/errand-run.ts'
import { type TestPorts, testPorts } from '../../test/support/ports.ts'
import { toHex } from '../ledger/bytes.ts'
import { GENESIS, type SealedEvent, writePayload } from '../ledger/event.ts'
import { FORKED } from '../ledger/fork.ts'
import { registryProtocol } from '../ledger/registry/registry.ts'
import { type Draft, sealChain } from '../ledger/signing.ts'
import { MemoryStore } from '../stores/memory.ts'
import { Registrar } from './registrar.ts'
import { TraceLog } from './trace-log.ts'

const OPENING = { question: 'Which licence?', seats: ['a'] }

/** A store in which someone changed what is read, past every guard. */
class TamperedStore extends MemoryStore {
  tamper: (event: SealedEvent, seq: number, trace: string) => SealedEvent = (event) => event

  override async *read(trace: string, from = 0, to?: number): AsyncGenerator<SealedEvent> {
    let seq = from
    for await (const event of super.read(trace, from, to)) yield this.tamper(event, seq++, trace)
  }
}

type ErrandLog = Awaited<ReturnType<typeof openErrand>>

/** Appends past the protocol and past every check, as someone with access to the store could. */
async function smuggle({ store, ports }: Kit, trace: string, draft: Draft, runKit2: TestPorts = ports) {
  const head = await store.head(trace)
  const registry = await store.registry()
  const position = registry && (await store.head(registry))
  if (!position) throw new Error('no registry')
  const { sha256 } = ports
  const seal = { sha256, salt: ports.salt, sign: runKit2.signNow.bind(runKit2) }
  const tip = { size: head?.size ?? 0, hash: head?.hash ?? GENESIS, at: head?.header.at ?? '' }
  const at = new Date().toISOString()
  const place =
    trace === registry
      ? { protocol: 'registry/1', trace, registry: null, at }
      : { protocol: 'errand/1', trace, registry: { size: position.size, hash: position.hash }, at }
  await store.append(trace, tip, sealChain(seal, place, tip, [draft]))
}

async function expectNothingPerformed(kit: Kit, log: ErrandLog, because: string): Promise<void> {
  const performed: string[] = []
  const run = runClerk(kit.ports, kit.registrar, log, {}, async (action) => {
    performed.push(action.id)
    return []
  })
  const message = expect.stringContaining(because)
  await expect(run).rejects.toMatchObject({ code: 'VAULT_CORRUPT', message })
  expect(performed).toEqual([])
}

describe('writing to a trace log', () => {
  it('LED-17 refuses a second outcome for one action, also if the first came from another process', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const late = new TraceLog(kit.ports, errand, log.trace)
    await late.refresh()
    await runClerk(kit.ports, kit.registrar, log)
    const again = late.append([
      {
        type: 'answer_given',
        actor: kit.registrar.actor('sam', 'seat'),
        payload: { action: 'ask/a/1', seat: 'a', text: 'once more' },
      },
    ])
    await expect(again).rejects.toMatchObject({
      code: 'EVENT_REFUSED',
      refusal: { code: 'ORDER_VIOLATION' },
    })
  })

  it('LED-7 judges again on the new head and appends there, for many writers at once', async () => {
    const kit = await openKit()
    const seats = Array.from({ length: 12 }, (_, i) => `s${i}`)
    const { trace } = await openErrand(kit.ports, kit.registrar, seats)
    const clerk = kit.registrar.actor('clerk', 'clerk')
    await Promise.all(
      seats.map(async (seat) => {
        const own = new TraceLog(kit.ports, errand, trace)
        await own.refresh()
        const action = `ask/${seat}/1`
        await own.append([
          { type: 'call_started', actor: clerk, payload: { action, call: 'ask', clerk: 'x' } },
        ])
        const actor = kit.registrar.actor('sam', 'seat')
        await own.append([{ type: 'answer_given', actor, payload: { action, seat } }])
      }),
    )
    expect((await kit.store.head(trace))?.size).toBe(25)
    expect((await verifyAtHome(kit, trace)).status).toBe('pass')
  })

  it('asks a function for its drafts again on every head, and appends nothing if it has none', async () => {
    const kit = await openKit()
    const { trace } = await openErrand(kit.ports, kit.registrar, ['a'])
    const [slow, quick] = [new TraceLog(kit.ports, errand, trace), new TraceLog(kit.ports, errand, trace)]
    await Promise.all([slow.refresh(), quick.refresh()])
    const sizes: number[] = []
    const actor = kit.registrar.actor('clerk', 'clerk')
    const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
    await slow.append(async () => {
      sizes.push(slow.size)
      if (slow.size > 1) return []
      await quick.append([{ type: 'call_started', actor, payload }])
      return [{ type: 'call_started', actor, payload }]
    })
    expect(sizes).toEqual([1, 2])
    expect(await minutes(kit.store, trace)).toEqual(['errand_opened', 'call_started ask/a/1'])
  })

  it('appends the events of several steps in one commit, and begins again on another head', async () => {
    const kit = await openKit()
    const { trace } = await openErrand(kit.ports, kit.registrar, ['a', 'b'])
    const [slow, quick] = [new TraceLog(kit.ports, errand, trace), new TraceLog(kit.ports, errand, trace)]
    await Promise.all([slow.refresh(), quick.refresh()])
    const clerk = kit.registrar.actor('clerk', 'clerk')
    const started = (seat: string): Draft => ({
      type: 'call_started',
      actor: clerk,
      payload: { action: `ask/${seat}/1`, call: 'ask', clerk: 'x' },
    })
    const commits: number[] = []
    const append = kit.store.append.bind(kit.store)
    kit.store.append = (...given) => {
      if (given[0] === trace) commits.push(given[2].length)
      return append(...given)
    }
    let begun = 0
    await slow.appendInSteps(() => {
      begun++
      return async ({ inner, open }) => {
        if (begun === 1 && quick.size === 1) await quick.append([started('b')])
        if (!open.has('ask/a/1') && inner.answers.length === 0) return [started('a')]
        if (inner.answers.length > 0) return []
        const payload = { action: 'ask/a/1', seat: 'a' }
        return [{ type: 'answer_given', actor: kit.registrar.actor('sam', 'seat'), payload }]
      }
    })
    expect([begun, commits]).toEqual([2, [1, 2, 2]])
    expect((await minutes(kit.store, trace)).slice(1)).toEqual([
      'call_started ask/b/1',
      'call_started ask/a/1',
      'answer_given ask/a/1',
    ])
    expect((await verifyAtHome(kit, trace)).status).toBe('pass')
  })

  it('never lets time run backwards, no matter what the clock says', async () => {
    const kit = await openKit()
    const times = ['2026-03-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']
    const ports = { ...kit.ports, now: () => times.shift() ?? '2025-01-01T00:00:00.000Z' }
    const log = new TraceLog(ports, errand, ports.newTrace())
    const actor = kit.registrar.actor('paula', 'planner')
    await log.append([{ type: 'errand_opened', actor, payload: OPENING }])
    await log.append([
      {
        type: 'call_started',
        actor: kit.registrar.actor('clerk', 'clerk'),
        payload: { action: 'ask/a/1', call: 'ask', clerk: 'x' },
      },
    ])
    expect((await kit.store.head(log.trace))?.header.at).toBe('2026-03-01T00:00:00.000Z')
  })
})

describe('watching a trace log', () => {
  it('reports every folded event, by any writer, until the listener stops', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    const heard: string[] = []
    const unhear = log.hear(({ type, seq }) => heard.push(`${seq} ${type}`))
    await runClerk(kit.ports, kit.registrar, new TraceLog(kit.ports, errand, log.trace))
    await log.refresh()
    expect(heard.slice(0, 2)).toEqual(['1 call_started', '2 answer_given'])
    expect(heard).toHaveLength(log.size - 1)
    await log.append(() => Promise.resolve([]))
    unhear()
    await approve(log, kit.registrar)
    expect(heard).toHaveLength(log.size - 2)
  })
})

describe('the keys that may sign in a trace log', () => {
  it('LED-11 refuses a key used in another role, and one that is in no registry', async () => {
    const kit = await openKit()
    const log = new TraceLog(kit.ports, errand, kit.ports.newTrace())
    const carl = kit.registrar.actor('carl', 'critic')
    const asPlanner = log.append([
      { type: 'errand_opened', actor: { ...carl, role: 'planner' }, payload: OPENING },
    ])
    await expect(asPlanner).rejects.toMatchObject({ code: 'EVENT_REFUSED' })
    const actor = { agent: 'paula', role: 'planner', key: kit.ports.key('a stranger').id }
    const byStranger = log.append([{ type: 'errand_opened', actor, payload: OPENING }])
    await expect(byStranger).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' })
    expect(await kit.store.head(log.trace)).toBeNull()
  })

  it('LED-10 signs with the successor if the key was rotated in between, in any process', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar, ['a'])
    const stale = kit.registrar.actor('clerk', 'clerk')
    const elsewhere = { ...kit.ports }
    const other = await Registrar.open(elsewhere)
    const old = other.log.state.keys.get(stale.key)
    if (!old) throw new Error('no such key')
    const successor = await other.rotate(old, kit.ports.key('clerk 2').publicKey)
    const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
    await log.append([{ type: 'call_started', actor: stale, payload }])
    expect((await kit.store.head(log.trace))?.header.actor.key).toBe(successor.id)
    expect((await verifyAtHome(kit, log.trace)).status).toBe('pass')
  })

  it('LED-10 refuses a revoked key at once, in every process', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const other = await Registrar.open({ ...kit.ports })
    const actor = kit.registrar.actor('clerk', 'clerk')
    const key = other.log.state.keys.get(actor.key)
    if (!key) throw new Error('no such key')
    expect(await other.revoke(key, 'the laptop is lost', null)).toEqual([])
    const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
    const append = log.append([{ type: 'call_started', actor, payload }])
    await expect(append).rejects.toMatchObject({ code: 'KEY_RETIRED' })
    expect((await verifyAtHome(kit, log.trace)).status).toBe('pass')
  })

  it('LED-10 appends nothing by a key that was revoked while it signed', async () => {
    const kit = await openKit()
    const { trace } = await openErrand(kit.ports, kit.registrar)
    const actor = kit.registrar.actor('clerk', 'clerk')
    const other = await Registrar.open({ ...kit.ports })
    const slow = { ...kit.ports }
    slow.sign = async (requests) => {
      const key = other.log.state.keys.get(actor.key)
      if (key?.revoked === null) await other.revoke(key, 'the laptop is lost', null)
      return kit.ports.sign(requests)
    }
    const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
    const append = new TraceLog(slow, errand, trace).append([{ type: 'call_started', actor, payload }])
    await expect(append).rejects.toMatchObject({ code: 'KEY_RETIRED' })
    expect((await kit.store.head(trace))?.size).toBe(1)
  })

  it('knows a key that another process registered in between', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const { id, publicKey } = kit.ports.key('a second clerk')
    await (await Registrar.open({ ...kit.ports })).register('second', ['clerk'], publicKey)
    const actor = { agent: 'second', role: 'clerk', key: id }
    const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
    await log.append([{ type: 'call_started', actor, payload }])
    expect((await kit.store.head(log.trace))?.header.actor).toEqual(actor)
  })
})

describe('the events that a trace log continues', () => {
  it('performs no call on an unsigned approval, though it reads it', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    await runClerk(kit.ports, kit.registrar, log)
    const forger = testPorts(kit.store)
    const carl = kit.registrar.actor('carl', 'critic')
    forger.signNow = (_actor, message) =>
      kit.ports.signNow({ ...carl, key: kit.ports.key('clerk').id }, message)
    const approval = { type: 'intent_approved', actor: carl, payload: { action: 'approve/1' } }
    await smuggle(kit, log.trace, approval, forger)
    await expectNothingPerformed(kit, log, 'signature')
    expect(log.state.inner.approved).toBe(true)
  })

  it('VER-3 performs no call on an approval that its protocol would have refused, with any signature', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    await runClerk(kit.ports, kit.registrar, log)
    const actor = kit.registrar.actor('sam', 'seat')
    await smuggle(kit, log.trace, { type: 'intent_approved', actor, payload: { action: 'approve/1' } })
    await expectNothingPerformed(kit, log, 'rules')
  })

  it.each([
    [
      'a changed payload',
      { payload: writePayload({ ...OPENING, seats: ['a', 'mallory'] }).bytes },
      'payload',
    ],
    ['a payload that is gone without a record of why', { payload: null, salt: null }, 'no redaction'],
    ['another signature', { signature: new Uint8Array(64) }, 'signature'],
    ['another hash', { hash: 'f'.repeat(64) }, 'header was changed'],
  ])('writes nothing on %s', async (_, change, message) => {
    const store = new TamperedStore()
    const kit = await openKit(store)
    const { trace } = await openErrand(kit.ports, kit.registrar, ['a'])
    store.tamper = (event, seq, of) => (of === trace && seq === 0 ? { ...event, ...change } : event)
    const log = new TraceLog(kit.ports, errand, trace)
    await log.refresh()
    expect(log.flaw?.message).toContain(message)
    const actor = kit.registrar.actor('clerk', 'clerk')
    const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
    await expect(log.append([{ type: 'call_started', actor, payload }])).rejects.toBe(log.flaw)
  })

  it('writes nothing while the registry itself holds a key that the registrar did not sign for', async () => {
    const store = new TamperedStore()
    const kit = await openKit(store)
    const registry = kit.registrar.trace
    store.tamper = (event, seq, trace) =>
      trace === registry && seq === 3 ? { ...event, signature: new Uint8Array(64) } : event
    const log = new TraceLog({ ...kit.ports }, errand, kit.ports.newTrace())
    const actor = kit.registrar.actor('paula', 'planner')
    const append = log.append([{ type: 'errand_opened', actor, payload: OPENING }])
    await expect(append).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
  })

  it('LED-10 writes nothing while the registry holds a key that was not signed for by the registrar', async () => {
    const kit = await openKit()
    const mallory = kit.ports.key('mallory')
    const key = { id: mallory.id, public_key: toHex(mallory.publicKey), agent: 'mallory', roles: ['critic'] }
    const draft = { type: 'key_registered', actor: kit.registrar.actor('sam', 'seat'), payload: { key } }
    await smuggle(kit, kit.registrar.trace, draft)
    const log = new TraceLog({ ...kit.ports }, errand, kit.ports.newTrace())
    const actor = kit.registrar.actor('paula', 'planner')
    const append = log.append([{ type: 'errand_opened', actor, payload: OPENING }])
    await expect(append).rejects.toMatchObject({
      code: 'VAULT_CORRUPT',
      message: expect.stringContaining('only the registrar'),
    })
  })

  it.each([
    ['sam', 'seat'],
    ['registrar', 'registrar'],
  ])(
    'LED-14 writes nothing while the registry holds a redaction by another key, as %s',
    async (agent, role) => {
      const kit = await openKit()
      const { trace } = await openErrand(kit.ports, kit.registrar, ['a'])
      const forger = testPorts(kit.store)
      forger.signNow = (_actor, message) => kit.ports.signNow(kit.registrar.actor('sam', 'seat'), message)
      const said = { trace, seq: 0, artifact: null, by: 'sam', reason: 'it was a block' }
      const redaction = {
        type: 'redaction_recorded',
        actor: kit.registrar.actor(agent, role),
        payload: said,
      }
      await smuggle(kit, kit.registrar.trace, redaction, forger)
      const log = new TraceLog({ ...kit.ports }, errand, trace)
      await log.refresh()
      const actor = kit.registrar.actor('clerk', 'clerk')
      const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
      const append = log.append([{ type: 'call_started', actor, payload }])
      await expect(append).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
    },
  )

  it('LED-10 accepts a key that another process registered since it folded the registry', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    const ports = { ...kit.ports }
    const registrar = await Registrar.open(ports)
    await registrar.register('second', ['clerk'], kit.ports.key('a second clerk').publicKey)
    const elsewhere = new TraceLog(ports, errand, log.trace)
    await elsewhere.refresh()
    const actor = registrar.actor('second', 'clerk')
    const payload = { action: 'ask/a/1', call: 'ask', clerk: 'x' }
    await elsewhere.append([{ type: 'call_started', actor, payload }])
    await log.refresh()
    expect([log.flaw, log.size]).toEqual([null, 2])
  })

  it('names the first of several events that cannot be relied on, and one that does not follow', async () => {
    const store = new TamperedStore()
    const kit = await openKit(store)
    const { trace, size } = await openErrand(kit.ports, kit.registrar, ['a'])
    const actor = kit.registrar.actor('clerk', 'clerk')
    await smuggle(kit, trace, { type: 'call_started', actor, payload: { action: 'ask/a/1', call: 'ask' } })
    store.tamper = (event, _, of) => (of === trace ? { ...event, signature: new Uint8Array(64) } : event)
    const forged = new TraceLog({ ...kit.ports }, errand, trace)
    await forged.refresh()
    expect([forged.flaw?.message, size]).toEqual([expect.stringContaining(`${trace}/0 `), 1])
  })

  it('LED-15 accepts only a first event as a fork, and only with the parent that it names', async () => {
    const kit = await openKit()
    const { trace } = await openErrand(kit.ports, kit.registrar, ['a'])
    const actor = kit.registrar.actor('paula', 'planner')
    const parent = { trace, seq: 0, hash: (await kit.store.hashes(trace))[0] ?? '' }
    const forked = (changed: object): Draft => ({
      type: FORKED,
      actor,
      payload: { parent: { ...parent, ...changed } },
    })
    const one = kit.ports.newTrace()
    await smuggle(kit, one, { type: 'errand_opened', actor, payload: { ...OPENING, seats: ['b'] } })
    await smuggle(kit, one, forked({}))
    const log = new TraceLog(kit.ports, errand, one)
    await log.refresh()
    expect(log.state.inner.seats).toEqual(['b'])
    for (const changed of [
      { hash: 'a'.repeat(64) },
      { seq: 1 },
      { trace: kit.ports.newTrace() },
      { seq: -1 },
    ]) {
      const fork = kit.ports.newTrace()
      await smuggle(kit, fork, forked(changed))
      await expect(new TraceLog(kit.ports, errand, fork).refresh()).rejects.toMatchObject({
        code: 'VAULT_CORRUPT',
      })
    }
  })

  it('does not fold a trace of another protocol, nor bytes that are not an event', async () => {
    const store = new TamperedStore()
    const kit = await openKit(store)
    const { trace } = await openErrand(kit.ports, kit.registrar)
    const asRegistry = new TraceLog(kit.ports, registryProtocol(kit.ports.sha256), trace)
    await expect(asRegistry.refresh()).rejects.toMatchObject({ code: 'PROTOCOL_UNKNOWN' })
    store.tamper = (event) => ({ ...event, header: event.header.slice(1) })
    await expect(new TraceLog(kit.ports, errand, trace).refresh()).rejects.toMatchObject({
      code: 'VAULT_CORRUPT',
    })
  })

  it('LED-15 ends on forks that name each other, instead of folding forever', async () => {
    const kit = await openKit()
    const [one, two] = [kit.ports.newTrace(), kit.ports.newTrace()]
    const actor = kit.registrar.actor('paula', 'planner')
    const fork = (of: string): Draft => ({
      type: FORKED,
      actor,
      payload: { parent: { trace: of, seq: 0, hash: 'a'.repeat(64) } },
    })
    await smuggle(kit, one, fork(two))
    await smuggle(kit, two, fork(one))
    await expect(new TraceLog(kit.ports, errand, one).refresh()).rejects.toMatchObject({
      code: 'VAULT_CORRUPT',
    })
  })

  it('needs a registry to write a first event, and says so', async () => {
    const ports = testPorts(new MemoryStore())
    const actor = { agent: 'paula', role: 'planner', key: ports.key('paula').id }
    const append = new TraceLog(ports, errand, ports.newTrace()).append([
      { type: 'errand_opened', actor, payload: OPENING },
    ])
    await expect(append).rejects.toMatchObject({ code: 'HOME_MISSING' })
  })
})
