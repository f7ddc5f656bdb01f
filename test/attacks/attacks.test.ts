// What people do who may write to the files of a home, or hold some of its keys, and want a reader to believe what
// did not happen. Each test is named for the attack; each attack fails, and the report says where.

import { describe, expect, it } from 'vitest'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import type { SealedEvent } from '../../src/ledger/event.ts'
import { errand } from '../protocols/errand.ts'
import { namedKey } from '../support/ports.ts'
import {
  AT,
  actor,
  atHome,
  changedEvent,
  errandDrafts,
  events,
  headerOf,
  judge,
  openScene,
  type PageContext,
  rewrite,
  type SmuggledDraft,
  smuggle,
  withEvent,
  withEvents,
} from '../support/tamper.ts'
import { faults } from '../support/verification.ts'

const reportAtHome = async (scene: PageContext) => judge(await atHome(scene), scene.trust)

const refusalOf = async (scene: PageContext, ...drafts: readonly SmuggledDraft[]): Promise<string> => {
  const log = new TraceLog(scene.ports, errand, scene.trace)
  await log.refresh()
  const full = drafts.map((draft) => ({ type: '', actor: actor('sam', 'seat'), payload: {}, ...draft }))
  return log.append(full).then(
    () => 'accepted',
    (error: { code?: string }) => String(error.code),
  )
}

describe('someone who can write to the files but holds no key', () => {
  it('changes a payload', async () => {
    const scene = await openScene(AT.claim)
    const bundle = withEvent(await atHome(scene), 'main', AT.answer, (event) => ({
      ...event,
      payload: Buffer.from('{"action":"ask/a/1","seat":"a","text":"MIT"}'),
    }))
    expect(faults(judge(bundle, scene.trust))).toEqual(['PAYLOAD_HASH_MISMATCH 2'])
  })

  it('changes a payload and the hash that the header holds of it', async () => {
    const scene = await openScene(AT.claim)
    const payload = { action: 'ask/a/1', seat: 'a', text: 'MIT' }
    const bundle = withEvent(await atHome(scene), 'main', AT.answer, (event) => ({
      ...changedEvent(event, { payload }),
      hash: event.hash,
    }))
    expect(faults(judge(bundle, scene.trust))).toEqual(['HASH_MISMATCH 2'])
  })

  it('changes a payload and every hash after it, up to the head', async () => {
    const scene = await openScene(AT.claim)
    const sealed = await events(scene.store, scene.trace)
    const payload = { action: 'ask/a/1', seat: 'a', text: 'MIT' }
    const forged = rewrite(sealed, AT.answer, { payload }, new Map())
    const report = judge(withEvents(await atHome(scene), 'main', forged), scene.trust)
    expect(faults(report)).toEqual([
      'SIG_INVALID 2',
      'SIG_INVALID 3',
      'SIG_INVALID 4',
      'SIG_INVALID 5',
      'SIG_INVALID 6',
    ])
  })

  it('signs the change with a key of their own', async () => {
    const scene = await openScene(AT.intent)
    const own = namedKey('stranger')
    const payload = { action: 'ask/a/1', seat: 'a', text: 'MIT' }
    const change = { payload, signer: own }
    const bundle = withEvent(await atHome(scene), 'main', AT.answer, (event) => changedEvent(event, change))
    expect(faults(judge(bundle, scene.trust))).toEqual(['SIG_INVALID 2'])
    const header = { actor: actor('sam', 'seat', 'stranger') }
    const named = withEvent(await atHome(scene), 'main', AT.answer, (e) =>
      changedEvent(e, { ...change, header }),
    )
    expect(faults(judge(named, scene.trust))).toEqual(['KEY_UNKNOWN 2'])
  })

  it('deletes an event, or exchanges two', async () => {
    const scene = await openScene(AT.claim)
    const bundle = await atHome(scene)
    const without = withEvent(bundle, 'main', AT.approval, () => null)
    expect(faults(judge(without, scene.trust))).toContain('CHAIN_BREAK 5')
    expect(judge(without, scene.trust).status).toBe('fail')
    const sealed = await events(scene.store, scene.trace)
    const [a, b] = [sealed[AT.intent], sealed[AT.approval]] as [SealedEvent, SealedEvent]
    const swapped = withEvents(bundle, 'main', [...sealed.slice(0, 3), b, a, ...sealed.slice(5)])
    expect(faults(judge(swapped, scene.trust))).toEqual(['CHAIN_BREAK 4', 'CHAIN_BREAK 3', 'CHAIN_BREAK 5'])
  })

  it('splices in the events of another trace', async () => {
    const scene = await openScene(AT.claim)
    const other = scene.ports.newTrace()
    const log = new TraceLog(scene.ports, errand, other)
    await log.append(errandDrafts().slice(0, AT.claim))
    const foreign = (await events(scene.store, other))[AT.approval] as SealedEvent
    const bundle = withEvent(await atHome(scene), 'main', AT.approval, () => foreign)
    const report = judge(bundle, scene.trust)
    expect(faults(report)[0]).toBe('SCHEMA_INVALID 4')
    expect(report.status).toBe('fail')
  })

  it('puts a payload where one was erased, without the salt that would show it', async () => {
    const scene = await openScene(AT.intent)
    await scene.registrar.redact({ trace: scene.trace, seq: AT.answer, artifact: null }, 'paula', 'private')
    const honest = await reportAtHome(scene)
    expect([honest.status, faults(honest)]).toEqual(['pass-with-warnings', ['REDACTION_LIMITED 2']])
    const payload = Buffer.from('{"action":"ask/a/1","seat":"a","text":"I never said this"}')
    const bundle = withEvent(await atHome(scene), 'main', AT.answer, (event) => ({ ...event, payload }))
    expect(faults(judge(bundle, scene.trust))).toEqual(['SCHEMA_INVALID 2'])
  })
})

describe('someone inside, with keys of their own role', () => {
  it('LED-11 signs in the role of another with their own key', async () => {
    const scene = await openScene(AT.approval)
    const draft = { type: 'intent_approved', payload: { action: 'approve/1' } }
    expect(await refusalOf(scene, { ...draft, actor: actor('eve', 'critic') })).not.toBe('accepted')
    await smuggle(scene, scene.trace, { ...draft, actor: actor('eve', 'critic') })
    expect(faults(await reportAtHome(scene))).toEqual(['KEY_ROLE_MISMATCH 4'])
  })

  it('LED-11 signs in the name of another agent with their own key', async () => {
    const scene = await openScene(AT.approval)
    await smuggle(scene, scene.trace, {
      type: 'intent_approved',
      payload: { action: 'approve/1' },
      actor: actor('carl', 'critic', 'eve'),
    })
    expect(faults(await reportAtHome(scene))).toEqual(['KEY_ROLE_MISMATCH 4'])
  })

  it('LED-3 names the key of another and signs with their own', async () => {
    const scene = await openScene(AT.approval)
    await smuggle(scene, scene.trace, {
      type: 'intent_approved',
      payload: { action: 'approve/1' },
      actor: actor('carl', 'critic'),
      signer: namedKey('eve'),
    })
    expect(faults(await reportAtHome(scene))).toEqual(['SIG_INVALID 4'])
  })

  it('VER-3 says what only another role may say, in their own', async () => {
    const scene = await openScene(AT.approval)
    const draft = {
      type: 'intent_approved',
      payload: { action: 'approve/1' },
      actor: actor('eve', 'executor'),
    }
    expect(await refusalOf(scene, draft)).toBe('EVENT_REFUSED')
    await smuggle(scene, scene.trace, draft)
    expect(faults(await reportAtHome(scene))).toEqual(['ROLE_POLICY_VIOLATION 4'])
  })
})

describe('someone who runs a tool', () => {
  const drafts = errandDrafts()
  const [started, executed] = [drafts[AT.started] as SmuggledDraft, drafts[AT.executed] as SmuggledDraft]

  it('VER-3 without an intent', async () => {
    const scene = await openScene(AT.intent)
    expect(await refusalOf(scene, started)).toBe('EVENT_REFUSED')
    await smuggle(scene, scene.trace, started, executed)
    expect(faults(await reportAtHome(scene))).toEqual(['ORDER_VIOLATION 3'])
  })

  it('VER-3 without approval', async () => {
    const scene = await openScene(AT.approval)
    expect(await refusalOf(scene, started)).toBe('EVENT_REFUSED')
    await smuggle(scene, scene.trace, started, executed)
    expect(faults(await reportAtHome(scene))).toEqual(['APPROVAL_MISSING 4'])
  })

  it('LED-14 without approval, and has something unrelated erased so that no one can tell', async () => {
    const scene = await openScene(AT.approval)
    await smuggle(scene, scene.trace, started)
    await scene.registrar.redact(
      { trace: scene.trace, seq: AT.intent, artifact: null },
      'eve',
      'a name in it',
    )
    expect(faults(await reportAtHome(scene))).toEqual(['REDACTION_LIMITED 3', 'REDACTION_LIMITED 4'])
    const other = await openScene(AT.approval)
    await smuggle(other, other.trace, started)
    await other.registrar.redact(
      { trace: other.trace, seq: AT.opened, artifact: null },
      'eve',
      'a name in it',
    )
    expect(faults(await reportAtHome(other))).toContain('APPROVAL_MISSING 4')
    expect((await reportAtHome(other)).status).toBe('fail')
  })

  it('LED-17 without saying that it was started', async () => {
    const scene = await openScene(AT.started)
    expect(await refusalOf(scene, executed)).toBe('EVENT_REFUSED')
    await smuggle(scene, scene.trace, executed)
    expect(faults(await reportAtHome(scene))).toEqual(['ORDER_VIOLATION 5'])
  })

  it('LED-17 without naming the action, so that no rule about actions applies', async () => {
    const scene = await openScene(AT.intent)
    const { action: _, ...rest } = executed.payload ?? {}
    const draft = { ...executed, payload: rest }
    expect(await refusalOf(scene, draft)).toBe('EVENT_REFUSED')
    await smuggle(scene, scene.trace, draft)
    expect(faults(await reportAtHome(scene))).toEqual(['SCHEMA_INVALID 3'])
  })

  it('LED-17 as the answer to a question that is open', async () => {
    const scene = await openScene(AT.answer)
    const draft = { ...executed, payload: { ...executed.payload, action: 'ask/a/1' } }
    expect(await refusalOf(scene, draft)).toBe('EVENT_REFUSED')
    await smuggle(scene, scene.trace, draft)
    expect(faults(await reportAtHome(scene))).toEqual(['ORDER_VIOLATION 2'])
  })

  it('LED-17 twice under one approval', async () => {
    const scene = await openScene(AT.claim)
    expect(await refusalOf(scene, started)).toBe('EVENT_REFUSED')
    await smuggle(scene, scene.trace, started, executed)
    const report = await reportAtHome(scene)
    expect(report.status).toBe('fail')
    expect(faults(report)).toEqual(['ORDER_VIOLATION 7'])
  })

  it('LED-17 once, and reports a second outcome', async () => {
    const scene = await openScene(AT.claim)
    expect(await refusalOf(scene, executed)).toBe('EVENT_REFUSED')
    await smuggle(scene, scene.trace, executed)
    expect(faults(await reportAtHome(scene))).toEqual(['ORDER_VIOLATION 7'])
  })

  it('VER-3 under the approval of another errand, carried along as if it were the parent', async () => {
    const scene = await openScene(AT.started)
    const rogue = scene.ports.newTrace()
    await smuggle(scene, rogue, started, executed)
    const bundle = await wholeBundle(scene.store, rogue)
    const donor = (await atHome(scene)).main
    const report = judge({ ...bundle, ancestors: [donor] }, scene.trust)
    expect(faults(report)).toEqual(['SCHEMA_INVALID 0'])
    expect(judge(bundle, scene.trust).status).toBe('fail')
  })

  it('LED-15 in a fork, under the approval that the parent had', async () => {
    const scene = await openScene(AT.started)
    const fork = scene.ports.newTrace()
    const hash = (await events(scene.store, scene.trace))[AT.approval]?.hash ?? ''
    const parent = { trace: scene.trace, seq: AT.approval, hash }
    const forked = { type: 'trace_forked', actor: actor('paula', 'planner'), payload: { parent } }
    await smuggle(scene, fork, forked, started, executed)
    const report = judge(await wholeBundle(scene.store, fork), scene.trust)
    expect(faults(report)).toEqual(['ORDER_VIOLATION 1'])
  })
})

describe('someone who forks', () => {
  const forkOf = async (scene: PageContext, parent: { trace: string; seq: number; hash: string }) => {
    const fork = scene.ports.newTrace()
    await smuggle(scene, fork, {
      type: 'trace_forked',
      actor: actor('paula', 'planner'),
      payload: { parent },
    })
    return wholeBundle(scene.store, fork)
  }

  it('LED-15 names a parent that the fork does not extend', async () => {
    const scene = await openScene(AT.claim)
    const hash = (await events(scene.store, scene.trace))[AT.answer]?.hash ?? ''
    const honest = await forkOf(scene, { trace: scene.trace, seq: AT.answer, hash })
    expect(faults(judge(honest, scene.trust))).toEqual([])
    for (const parent of [
      { trace: scene.trace, seq: AT.intent, hash },
      { trace: scene.trace, seq: AT.answer, hash: 'f'.repeat(64) },
      { trace: scene.ports.newTrace(), seq: AT.answer, hash },
      { trace: scene.trace, seq: 99, hash },
    ]) {
      const bundle = await forkOf(scene, parent)
      expect(faults(judge(bundle, scene.trust)), JSON.stringify(parent)).toEqual(['FORK_PARENT_MISSING 0'])
    }
  })

  it('LED-15 hands over a parent with an event left out and another doubled, each proven to be in it', async () => {
    const scene = await openScene(AT.claim)
    const sealed = await events(scene.store, scene.trace)
    const hash = sealed[AT.approval]?.hash ?? ''
    const bundle = await forkOf(scene, { trace: scene.trace, seq: AT.approval, hash })
    const { proveEvent } = await import('../../src/clerk/extract.ts')
    const proofs = await Promise.all([0, 1, 2, 2, 4].map((seq) => proveEvent(scene.kit, scene.trace, seq)))
    const [first] = proofs
    if (!first) throw new Error('no proof')
    const parent = { ...first.main, events: proofs.flatMap((proof) => proof.main.events) }
    const report = judge({ ...bundle, registry: first.registry, ancestors: [parent] }, scene.trust)
    expect(report.status).toBe('fail')
    expect(faults(report)).toContain('FORK_PARENT_MISSING 0')
  })

  it('LED-15 goes back in time', async () => {
    const scene = await openScene(AT.claim)
    const hash = (await events(scene.store, scene.trace))[AT.answer]?.hash ?? ''
    const fork = scene.ports.newTrace()
    const payload = { parent: { trace: scene.trace, seq: AT.answer, hash } }
    const at = '2020-01-01T00:00:00.000Z'
    await smuggle(scene, fork, { type: 'trace_forked', actor: actor('paula', 'planner'), payload, at })
    const report = judge(await wholeBundle(scene.store, fork), scene.trust)
    expect(faults(report)).toEqual(['ORDER_VIOLATION 0'])
    expect(headerOf((await events(scene.store, fork))[0]).at).toBe(at)
  })
})
