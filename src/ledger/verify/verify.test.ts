// Guards of the verifier that no whole attack goes through: each is met by the smallest trace or bundle that it alone
// stops, and the report says exactly that.

import { describe, expect, it } from 'vitest'
import { OUTPUT } from '../../../test/support/errand-run.ts'
import { namedKey } from '../../../test/support/ports.ts'
import {
  ARTIFACT,
  AT,
  actor,
  atHome,
  changedEvent,
  errandDrafts,
  events,
  judge,
  openScene,
  type PageContext,
  smuggle,
  withEvent,
  withSection,
} from '../../../test/support/tamper.ts'
import { faults } from '../../../test/support/verification.ts'
import { extract, wholeBundle } from '../../clerk/extract.ts'
import { sha256 } from '../../stores/digest.ts'
import { toHex, utf8 } from '../bytes.ts'
import { payloadHash } from '../event.ts'

const drafts = errandDrafts()
const registrar = actor('registrar', 'registrar')
const planner = actor('paula', 'planner')

async function positionOf({ store, registrar: { trace } }: PageContext, size: number) {
  const [hash = ''] = await store.hashes(trace, size - 1, size)
  return { size, hash }
}

describe('an event out of place', () => {
  it('VER-5 is of another protocol than its trace', async () => {
    const scene = await openScene(AT.answer)
    await smuggle(scene, scene.trace, { ...drafts[AT.answer], protocol: 'registry/1' })
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual(['SCHEMA_INVALID 2'])
  })

  it('VER-5 is of a protocol that this verifier does not know, as is its whole trace', async () => {
    const scene = await openScene(AT.answer)
    const trace = scene.ports.newTrace()
    await smuggle(scene, trace, { ...drafts[AT.opened], protocol: 'unheard-of/1' })
    expect(faults(judge(await wholeBundle(scene.store, trace), scene.trust))).toEqual(['SCHEMA_INVALID'])
  })

  it('LED-10 names a registry position before that of the event before it', async () => {
    const scene = await openScene(AT.answer)
    const { size } = scene.registrar.log
    await scene.registrar.register('late', ['seat'], namedKey('late').publicKey)
    const late = { ...drafts[AT.answer], registry: await positionOf(scene, size + 1) }
    await smuggle(scene, scene.trace, late)
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual([])
    await smuggle(scene, scene.trace, { ...drafts[AT.intent], registry: await positionOf(scene, size) })
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual(['ORDER_VIOLATION 3'])
  })

  it('LED-10 names a registry position before any key was registered', async () => {
    const scene = await openScene(AT.answer)
    for (const hash of ['0'.repeat(64), 'f'.repeat(64)]) {
      const trace = scene.ports.newTrace()
      await smuggle(scene, trace, { ...drafts[AT.opened], registry: { size: 0, hash } })
      const report = judge(await wholeBundle(scene.store, trace), scene.trust)
      expect(faults(report)).toEqual(['KEY_UNKNOWN 0'])
    }
  })

  it('LED-15 says in an open trace that the trace was forked', async () => {
    const scene = await openScene(AT.answer)
    const parent = {
      trace: scene.trace,
      seq: 0,
      hash: (await events(scene.store, scene.trace))[0]?.hash ?? '',
    }
    await smuggle(scene, scene.trace, { type: 'trace_forked', actor: planner, payload: { parent } })
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual(['ORDER_VIOLATION 2'])
    // The header says so, no matter what becomes of the payload.
    const payload = { trace: scene.trace, seq: 2, artifact: null, by: 'paula', reason: 'private' }
    await smuggle(scene, scene.registrar.trace, { type: 'redaction_recorded', actor: registrar, payload })
    const erased = withEvent(await atHome(scene), 'main', 2, (event) => ({
      ...event,
      payload: null,
      salt: null,
    }))
    const report = judge(erased, scene.trust)
    expect(report.failures.map(({ code }) => code)).toEqual(['REDACTION_LIMITED', 'ORDER_VIOLATION'])
    expect(report.status).toBe('fail')
  })

  it("LED-14 LED-15 is a fork whose parent's name was erased", async () => {
    const scene = await openScene(AT.intent)
    const fork = scene.ports.newTrace()
    const hash = (await events(scene.store, scene.trace))[AT.answer]?.hash ?? ''
    const payload = { parent: { trace: scene.trace, seq: AT.answer, hash } }
    await smuggle(scene, fork, { type: 'trace_forked', actor: planner, payload })
    const said = { trace: fork, seq: 0, artifact: null, by: 'paula', reason: 'private' }
    const erase = async () =>
      withEvent(await wholeBundle(scene.store, fork), 'main', 0, (event) => ({
        ...event,
        payload: null,
        salt: null,
      }))
    expect(faults(judge(await erase(), scene.trust))).toEqual(['PAYLOAD_MISSING 0'])
    await smuggle(scene, scene.registrar.trace, {
      type: 'redaction_recorded',
      actor: registrar,
      payload: said,
    })
    const report = judge({ ...(await erase()), ancestors: [] }, scene.trust)
    expect(report.status).toBe('pass-with-warnings')
    expect(report.failures.map(({ code, check }) => `${code} ${check}`)).toEqual([
      'REDACTION_LIMITED payload_hash',
      'REDACTION_LIMITED protocol_replay',
    ])
  })

  it('LED-10 stands in the registry and names another position of it than its own', async () => {
    const scene = await openScene(AT.asked)
    const { size, head } = scene.registrar.log
    const key = { id: namedKey('late').id, public_key: toHex(namedKey('late').publicKey) }
    const late = {
      type: 'key_registered',
      actor: registrar,
      payload: { key: { ...key, agent: 'late', roles: ['seat'] } },
    }
    for (const registry of [
      { size, hash: 'f'.repeat(64) },
      { size: size - 1, hash: head.hash },
      await positionOf(scene, size - 1),
    ]) {
      const other = await openScene(AT.asked)
      await smuggle(other, other.registrar.trace, { ...late, registry })
      expect(faults(judge(await atHome(other), other.trust))).toEqual([`KEY_UNKNOWN ${size}`])
    }
  })

  it('VER-5 is refused by its protocol for its form, and counts as a fault of form', async () => {
    const scene = await openScene(AT.answer)
    const payload = { action: 'ask/a/1', seat: 'b', text: 'x' }
    await smuggle(scene, scene.trace, { ...drafts[AT.answer], payload })
    const [failure, ...others] = judge(await atHome(scene), scene.trust).failures
    expect([failure?.code, failure?.check, others]).toEqual(['SCHEMA_INVALID', 'schema', []])
  })

  it('VER-5 has a salt of another length, committed to and signed', async () => {
    const scene = await openScene(AT.intent)
    for (const length of [0, 15, 17]) {
      const bundle = withEvent(await atHome(scene), 'main', AT.answer, (event) => {
        const salt = new Uint8Array(length)
        const payload_hash = payloadHash(sha256, salt, event.payload ?? salt)
        const header = { payload_hash }
        return {
          ...changedEvent({ ...event, payload: null }, { header, signer: namedKey('sam') }),
          payload: event.payload,
          salt,
        }
      })
      expect(faults(judge(bundle, scene.trust))).toEqual(['PAYLOAD_HASH_MISMATCH 2'])
    }
  })

  it('VER-5 has half a payload where all content is said to be withheld', async () => {
    const scene = await openScene(AT.intent)
    const none = await extract(scene.kit, scene.trace, { withoutContent: true })
    for (const half of [{ payload: new Uint8Array(2) }, { salt: new Uint8Array(16) }]) {
      const bundle = withEvent(none, 'main', AT.answer, (event) => ({ ...event, ...half }))
      expect(faults(judge(bundle, scene.trust))).toEqual(['SCHEMA_INVALID 2', 'CONTENT_WITHHELD'])
    }
  })

  it('VER-5 names an artifact of the right bytes and another size', async () => {
    const scene = await openScene(AT.claim)
    const found = new Map([[ARTIFACT, { state: 'intact' as const, size: OUTPUT.length + 1 }]])
    expect(faults(judge(await atHome(scene), scene.trust, found))).toEqual(['ARTIFACT_HASH_MISMATCH 6'])
  })

  it('VER-1 cannot be read, in the registry itself', async () => {
    const scene = await openScene(AT.asked)
    const home = await atHome(scene)
    const last = scene.registrar.log.size - 1
    const header = withEvent(home, 'registry', last, (event) => ({ ...event, header: utf8('{}') }))
    const payload = withEvent(home, 'registry', last, (event) => ({ ...event, payload: utf8('{') }))
    expect(faults(judge(header, scene.trust))[0]).toBe(`SCHEMA_INVALID ${last}`)
    expect(faults(judge(payload, scene.trust))[0]).toBe(`PAYLOAD_HASH_MISMATCH ${last}`)
  })

  it('LED-10 names a registry position that the extract does not prove', async () => {
    const scene = await openScene(AT.asked)
    const bundle = await extract(scene.kit, scene.trace)
    expect(faults(judge(bundle, scene.trust))).toEqual([])
    const position = (change: object) =>
      withSection(bundle, 'registry', (s) => ({
        ...s,
        positions: s.positions.map((p) => ({ ...p, ...change })),
      }))
    for (const change of [{ proof: [] }, { size: 1 }])
      expect(faults(judge(position(change), scene.trust))).toEqual(['KEY_UNKNOWN 0'])
    expect(faults(judge(position({ hash: 'f'.repeat(64) }), scene.trust))).toEqual(['KEY_UNKNOWN 0'])
    const forged = { size: bundle.registry.positions[0]?.size ?? 0, hash: 'f'.repeat(64) }
    const trace = scene.ports.newTrace()
    await smuggle(scene, trace, { ...drafts[AT.opened], registry: forged })
    const claimed = withSection(await extract(scene.kit, trace), 'registry', (s) => ({
      ...s,
      positions: bundle.registry.positions.map((p) => ({ ...p, hash: forged.hash })),
    }))
    expect(faults(judge(claimed, scene.trust))).toEqual(['KEY_UNKNOWN 0'])
  })
})
