// What exporters, thieves of keys and forgers of whole homes do to readers who hold a key or a checkpoint of the
// real home. The forger uses the same names and the same trace ids; only the keys differ.

import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { extract, proveEvent, proveExtension } from '../../src/clerk/extract.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import { toHex } from '../../src/ledger/bytes.ts'
import type { SealedEvent } from '../../src/ledger/event.ts'
import type { KeyRecord } from '../../src/ledger/registry/registry.ts'
import { eventMessage, noteMessage } from '../../src/ledger/signing.ts'
import { composeNote, noteSignature, parseNote } from '../../src/ledger/tree/checkpoint.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { namedKey, type TestKey } from '../support/ports.ts'
import {
  AT,
  actor,
  atHome,
  errandDrafts,
  events,
  headerOf,
  judge,
  openForgery,
  openScene,
  type PageContext,
  rewrite,
  type SmuggledDraft,
  smuggle,
  withEvent,
  withEvents,
  withSection,
} from '../support/tamper.ts'
import { signAgain } from '../support/tamper-sign.ts'
import { faults } from '../support/verification.ts'

const keyOf = (scene: PageContext, name: string): KeyRecord => {
  const key = scene.registrar.log.state.keys.get(namedKey(name).id)
  if (!key) throw new Error(`no key of ${name}`)
  return key
}

const holding = (...checkpoints: readonly string[]) => ({ keys: [], checkpoints })

/** Hands the registry of the scene over to a key of which only the public half is known. */
const handOver = (scene: PageContext, to: string, from = 'registrar') =>
  smuggle(scene, scene.registrar.trace, {
    type: 'key_rotated',
    actor: { ...actor('registrar', 'registrar'), key: namedKey(from).id },
    payload: {
      old: namedKey(from).id,
      key: {
        id: namedKey(to).id,
        public_key: Buffer.from(namedKey(to).publicKey).toString('hex'),
        agent: 'registrar',
        roles: ['registrar'],
      },
    },
  })

/** The bundle with its checkpoints signed by this key instead. */
function signedBy(bundle: Bundle, key: TestKey): Bundle {
  const again = (note: string | null): string | null => {
    if (note === null) return null
    const { text } = parseNote(note)
    const signature = sign(null, noteMessage(text), key.privateKey)
    return composeNote(text, [noteSignature(sha256, bundle.registry.trace, key.publicKey, signature)])
  }
  const registry = { ...bundle.registry, checkpoint: again(bundle.registry.checkpoint) }
  return { ...bundle, registry, main: { ...bundle.main, checkpoint: again(bundle.main.checkpoint) } }
}

describe('someone who forges a whole home', () => {
  it('VER-9 gets no more than a warning past a reader who trusts no one', async () => {
    const forged = await openForgery()
    for (const bundle of [await atHome(forged), await extract(forged.kit, forged.trace)]) {
      const report = judge(bundle, holding())
      expect([report.status, faults(report)]).toEqual(['pass-with-warnings', ['TRUST_UNPINNED']])
      expect(report.trusted_by).toBe(null)
    }
  })

  it('VER-9 presents it to a reader who knows the real key', async () => {
    const [real, forged] = [await openScene(), await openForgery()]
    expect([forged.trace, forged.registrar.trace]).toEqual([real.trace, real.registrar.trace])
    expect(judge(await extract(real.kit, real.trace), real.trust).status).toBe('pass')
    for (const bundle of [await atHome(forged), await extract(forged.kit, forged.trace)]) {
      const report = judge(bundle, real.trust)
      expect([report.status, faults(report), report.trusted_by]).toEqual(['fail', ['TRUST_UNPINNED'], null])
    }
  })

  it('VER-9 presents it to a reader who holds a checkpoint of the real trace or registry', async () => {
    const [real, forged] = [await openScene(), await openForgery()]
    for (const trace of [real.trace, real.registrar.trace]) {
      const trust = holding(await real.registrar.sign(trace))
      for (const bundle of [await atHome(forged), await extract(forged.kit, forged.trace)]) {
        const report = judge(bundle, trust)
        expect(faults(report)).toEqual(['CHECKPOINT_INCONSISTENT', 'TRUST_UNPINNED'])
        expect(report).toMatchObject({ status: 'fail', trusted_by: null, truncation_excluded_to: null })
      }
    }
  })

  it('VER-9 hands the forged registry over to the real key, which never signed anything in it', async () => {
    const [real, forged] = [await openScene(), await openForgery()]
    const held = await real.registrar.sign(real.registrar.trace)
    await handOver(forged, 'registrar', 'forged registrar')
    const bundle = await atHome(forged)
    expect(faults(judge(bundle, real.trust))).toEqual(['TRUST_UNPINNED'])
    expect(judge(bundle, real.trust).status).toBe('fail')
    expect(judge(bundle, holding(held)).status).toBe('fail')
    expect(judge(bundle, holding(held)).trusted_by).toBe(null)
  })

  it('VER-9 does so in an extract, signed with the key that handed over', async () => {
    const [real, forged] = [await openScene(), await openForgery()]
    await handOver(forged, 'registrar', 'forged registrar')
    const own = await Registrar.open({
      ...forged.ports,
      sign: async (requests) => requests.map(() => new Uint8Array(64)),
    })
    const bundle = await extract({ store: forged.store, registrar: own, sha256 }, forged.trace)
    const signed = signedBy(bundle, namedKey('forged registrar'))
    expect(judge(signed, real.trust).status).toBe('fail')
    expect(faults(judge(signed, real.trust))).toEqual(['CHECKPOINT_INCONSISTENT', 'TRUST_UNPINNED'])
    const trust = holding(await real.registrar.sign(real.registrar.trace))
    expect(judge(signed, trust)).toMatchObject({ status: 'fail', trusted_by: null })
  })

  it('VER-9 slips a genuine event of the real registry behind the forged hand-over', async () => {
    const [real, forged] = [await openScene(), await openForgery()]
    await handOver(forged, 'registrar', 'forged registrar')
    const genuine = (await events(real.store, real.registrar.trace)).at(-1) as SealedEvent
    const own = await atHome(forged)
    const bundle = withSection(own, 'registry', (s) => ({
      ...s,
      events: [...s.events, { event: genuine, proof: [] }],
    }))
    expect(judge(bundle, real.trust).status).toBe('fail')
  })

  it('LED-10 takes the registry key in use after a real hand-over, and the one before it', async () => {
    const scene = await openScene()
    const { registrar } = scene
    await registrar.rotate(keyOf(scene, 'registrar'), scene.ports.key('second registrar').publicKey)
    for (const bundle of [await atHome(scene), await extract(scene.kit, scene.trace)]) {
      for (const name of ['registrar', 'second registrar']) {
        const report = judge(bundle, { keys: [namedKey(name).id], checkpoints: [] })
        expect([report.status, faults(report)]).toEqual(['pass', []])
      }
    }
  })
})

describe('a thief of the registrar key that was handed over', () => {
  it('LED-10 makes up an extract of the time before, for a reader who knows the new key', async () => {
    const scene = await openScene(AT.claim)
    scene.ports.key('second registrar')
    const rotated = await handOver(scene, 'second registrar')
    // The thief rewrites the registry up to the hand-over, with a key of their own for the critic.
    const sealed = (await events(scene.store, scene.registrar.trace)).slice(0, -1)
    const critic = sealed.findIndex((event) => Buffer.from(event.payload ?? '').includes('carl'))
    const public_key = Buffer.from(namedKey('thief').publicKey).toString('hex')
    const key = { id: namedKey('thief').id, public_key, agent: 'carl', roles: ['critic'] }
    const forged = rewrite(sealed, critic, { payload: { key } }, scene.ports.keys)
    const bundle = withEvents(await atHome(scene), 'registry', [...forged, ...rotated])
    const trust = { keys: [namedKey('second registrar').id], checkpoints: [] }
    const report = judge(bundle, trust)
    expect(report.status).toBe('fail')
    expect(faults(report)).toContain(`CHAIN_BREAK ${headerOf(rotated[0]).seq}`)
  })

  it('LED-10 signs the extract with the old key', async () => {
    const scene = await openScene(AT.claim)
    scene.ports.key('second registrar')
    await handOver(scene, 'second registrar')
    const kit = { ...scene.kit, registrar: await Registrar.open(scene.ports) }
    const honest = await extract(kit, scene.trace)
    const { checkpoint } = signedBy(honest, namedKey('registrar')).registry
    expect(checkpoint).not.toBe(honest.registry.checkpoint)
    for (const name of ['registrar', 'second registrar']) {
      const trust = { keys: [namedKey(name).id], checkpoints: [] }
      expect(judge(honest, trust).status).toBe('pass')
      const report = judge({ ...honest, registry: { ...honest.registry, checkpoint } }, trust)
      expect(report.status).toBe('fail')
      expect(faults(report)[0]).toBe('CHECKPOINT_INCONSISTENT')
    }
  })
})

describe('a thief of a key that was revoked', () => {
  const answer = errandDrafts()[AT.answer] as {
    type: string
    actor: ReturnType<typeof actor>
    payload: object
  }

  it('LED-10 claims a registry position from before the revocation', async () => {
    const scene = await openScene(AT.answer)
    const before = headerOf((await events(scene.store, scene.trace))[AT.asked]).registry
    await scene.registrar.revoke(keyOf(scene, 'sam'), 'stolen', null)
    await smuggle(scene, scene.trace, { ...(answer as object), registry: before })
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual(['KEY_REVOKED 2'])
  })

  it('LED-10 writes into a trace that no one knew of', async () => {
    const scene = await openScene(AT.answer)
    const before = headerOf((await events(scene.store, scene.trace))[AT.asked]).registry
    await scene.registrar.revoke(keyOf(scene, 'paula'), 'stolen', null)
    const fresh = { ...scene, trace: scene.ports.newTrace() }
    await smuggle(scene, fresh.trace, { ...errandDrafts()[AT.opened], registry: before })
    expect(faults(judge(await atHome(fresh), scene.trust))).toEqual(['KEY_REVOKED 0'])
    const extracted = await extract(scene.kit, fresh.trace)
    expect(faults(judge(extracted, scene.trust))).toEqual(['KEY_REVOKED 0'])
  })

  it('LED-10 rewrites a trace from an early event on and cuts it short of the recorded head', async () => {
    const scene = await openScene(AT.claim)
    await scene.registrar.revoke(keyOf(scene, 'sam'), 'stolen', null)
    const sealed = (await events(scene.store, scene.trace)).slice(0, AT.intent)
    const payload = { action: 'ask/a/1', seat: 'a', text: 'what the thief wants' }
    const forged = rewrite(sealed, AT.answer, { payload }, new Map([[namedKey('sam').id, namedKey('sam')]]))
    const bundle = withEvents(await atHome(scene), 'main', forged)
    expect(faults(judge(bundle, scene.trust))).toEqual(['KEY_REVOKED 2', 'LOG_TRUNCATED'])
  })

  it('LED-10 rewrites it at full length, with the keys of everyone', async () => {
    const scene = await openScene(AT.claim)
    await scene.registrar.revoke(keyOf(scene, 'sam'), 'stolen', null)
    const payload = { action: 'ask/a/1', seat: 'a', text: 'what the thief wants' }
    const forged = rewrite(await events(scene.store, scene.trace), AT.answer, { payload }, scene.ports.keys)
    const report = judge(withEvents(await atHome(scene), 'main', forged), scene.trust)
    expect(faults(report)).toEqual(['KEY_REVOKED 2', 'CHECKPOINT_INCONSISTENT'])
  })

  it('LED-10 relies on what was honestly signed before, which stays valid', async () => {
    const scene = await openScene(AT.claim)
    await scene.registrar.revoke(keyOf(scene, 'sam'), 'left the company', null)
    for (const bundle of [await atHome(scene), await extract(scene.kit, scene.trace)])
      expect(faults(judge(bundle, scene.trust))).toEqual([])
  })

  it('LED-10 had the key before anyone noticed: from the compromise on only checkpoints count', async () => {
    const scene = await openScene(AT.claim)
    const since = scene.registrar.log.size
    await scene.registrar.revoke(keyOf(scene, 'sam'), 'stolen', since)
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual(['KEY_REVOKED 2'])
    const other = await openScene(AT.claim)
    await other.registrar.checkpoint(other.trace)
    await other.registrar.revoke(keyOf(other, 'sam'), 'stolen', other.registrar.log.size)
    expect(faults(judge(await atHome(other), other.trust))).toEqual([])
    expect(faults(judge(await extract(other.kit, other.trace), other.trust))).toEqual([])
  })
})

describe('an exporter without keys', () => {
  it('LED-10 leaves a revocation out of the extract of the registry', async () => {
    const scene = await openScene(AT.answer)
    const before = headerOf((await events(scene.store, scene.trace))[AT.asked]).registry
    await scene.registrar.revoke(keyOf(scene, 'sam'), 'stolen', null)
    await smuggle(scene, scene.trace, { ...errandDrafts()[AT.answer], registry: before })
    const bundle = await extract(scene.kit, scene.trace)
    expect(faults(judge(bundle, scene.trust))).toEqual(['KEY_REVOKED 2'])
    const revocation = scene.registrar.log.size - 1
    const without = withEvent(bundle, 'registry', revocation, () => null)
    expect(faults(judge(without, scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
  })

  it('LED-13 replays an old extract of the registry to a reader who holds a newer checkpoint of it', async () => {
    const scene = await openScene()
    const old = await extract(scene.kit, scene.trace)
    await scene.registrar.revoke(keyOf(scene, 'sam'), 'stolen', null)
    const newer = await scene.registrar.sign(scene.registrar.trace)
    const report = judge(old, { ...scene.trust, checkpoints: [newer] })
    expect([report.status, faults(report)]).toEqual(['pass-with-warnings', ['LOG_TRUNCATED']])
    const whole = withEvents(
      await atHome(scene),
      'registry',
      (await events(scene.store, scene.registrar.trace)).slice(0, -1),
    )
    expect(faults(judge(whole, { ...scene.trust, checkpoints: [newer] }))).toEqual(['LOG_TRUNCATED'])
  })

  it('LED-14 leaves a redaction out', async () => {
    const scene = await openScene(AT.intent)
    await scene.registrar.redact({ trace: scene.trace, seq: AT.answer, artifact: null }, 'paula', 'private')
    const bundle = await extract(scene.kit, scene.trace)
    expect(faults(judge(bundle, scene.trust))).toEqual(['REDACTION_LIMITED 2'])
    const without = withEvent(bundle, 'registry', scene.registrar.log.size - 1, () => null)
    expect(faults(judge(without, scene.trust))).toEqual(['PAYLOAD_MISSING 2'])
  })

  it('LED-13 cuts the tail', async () => {
    const scene = await openScene(AT.claim)
    const bundle = await extract(scene.kit, scene.trace)
    const held = { ...scene.trust, checkpoints: [await scene.registrar.sign(scene.trace)] }
    expect(judge(bundle, held)).toMatchObject({ status: 'pass', truncation_excluded_to: AT.claim })
    expect(judge(bundle, scene.trust)).toMatchObject({ status: 'pass', truncation_excluded_to: null })
    const cut = withSection(bundle, 'main', (s) => ({ ...s, events: s.events.slice(0, -2) }))
    expect(faults(judge(cut, scene.trust))).toEqual(['LOG_TRUNCATED'])
    const bare = withSection(cut, 'main', (s) => ({ ...s, checkpoint: null }))
    expect(judge(bare, scene.trust)).toMatchObject({ status: 'pass', truncation_excluded_to: null })
    expect(faults(judge(bare, held))).toEqual(['LOG_TRUNCATED'])
    expect(judge(bare, held).truncation_excluded_to).toBe(null)
  })

  it('LED-13 cuts everything', async () => {
    const scene = await openScene(AT.claim)
    const bundle = await atHome(scene)
    for (const part of ['main', 'registry'] as const)
      expect(judge(withEvents(bundle, part, []), scene.trust).status).toBe('fail')
    const extracted = withEvents(await extract(scene.kit, scene.trace), 'main', [])
    expect(judge(extracted, scene.trust).status).toBe('fail')
  })

  it('LED-13 vouches for a trace that never was, with a word where an earlier checkpoint should stand', async () => {
    const scene = await openScene(AT.claim)
    const bundle = await extract(scene.kit, scene.trace)
    const trace = scene.ports.newTrace()
    const earlier = { note: 'nothing', proof: [] }
    const main = { ...bundle.main, trace, events: [], checkpoint: null, earlier }
    const codes = ['SCHEMA_INVALID', 'CHECKPOINT_INCONSISTENT']
    expect(faults(judge({ ...bundle, trace, main }, scene.trust))).toEqual(codes)
    const loose = withSection(bundle, 'main', (s) => ({ ...s, checkpoint: null, earlier }))
    expect(faults(judge(loose, scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
  })

  it('VER-3 slips a trace that no one signed beside the proof of a single event', async () => {
    const scene = await openScene(AT.claim)
    const proof = await proveEvent(scene.kit, scene.trace, AT.answer)
    const made = { ...(await atHome(scene)).main, trace: scene.ports.newTrace() }
    expect(judge(proof, scene.trust).status).toBe('pass')
    expect(faults(judge({ ...proof, ancestors: [made] }, scene.trust))).toEqual(['SCHEMA_INVALID'])
  })

  it('LED-12 swaps a signature for another that is valid too', async () => {
    const scene = await openScene(AT.intent)
    const bundle = await extract(scene.kit, scene.trace)
    const swapped = withEvent(bundle, 'main', AT.answer, (event) => ({
      ...event,
      signature: signAgain(namedKey('sam').privateKey, eventMessage(event.header), 'another nonce'),
    }))
    expect(faults(judge(swapped, scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
    // The signature itself is as good as the first: nothing but the checkpoint knows the difference.
    const bare = withSection(swapped, 'main', (section) => ({ ...section, checkpoint: null }))
    expect(faults(judge(bare, scene.trust))).toEqual([])
  })

  it('VER-5 withholds some payloads and leaves others', async () => {
    const scene = await openScene(AT.claim)
    const none = await extract(scene.kit, scene.trace, { withoutContent: true })
    const report = judge(none, scene.trust, new Map())
    expect([report.status, faults(report)]).toEqual(['pass-with-warnings', ['CONTENT_WITHHELD']])
    const full = await extract(scene.kit, scene.trace)
    const original = full.main.events[AT.answer]?.event as SealedEvent
    const some = withEvent(none, 'main', AT.answer, () => original)
    expect(faults(judge(some, scene.trust))).toEqual(['SCHEMA_INVALID 2', 'CONTENT_WITHHELD'])
    const less = withEvent(full, 'main', AT.answer, (event) => ({ ...event, payload: null, salt: null }))
    expect(faults(judge(less, scene.trust))).toEqual(['PAYLOAD_MISSING 2'])
  })
})

describe('a home that tells two histories', () => {
  it('LED-13 shows each reader another trace under the same id', async () => {
    const scene = await openScene(AT.claim)
    const held = await scene.registrar.sign(scene.trace)
    const payload = { action: 'ask/a/1', seat: 'a', text: 'what the other reader sees' }
    const forged = rewrite(await events(scene.store, scene.trace), AT.answer, { payload }, scene.ports.keys)
    const report = judge(withEvents(await atHome(scene), 'main', forged), {
      ...scene.trust,
      checkpoints: [held],
    })
    expect(faults(report)).toEqual(['CHECKPOINT_INCONSISTENT'])
    expect(report).toMatchObject({ status: 'fail', truncation_excluded_to: null })
  })

  it('LED-13 shows an extract of a registry that was rewritten behind a checkpoint someone holds', async () => {
    const scene = await openScene(AT.claim)
    const held = await scene.registrar.sign(scene.registrar.trace)
    await scene.registrar.register('late', ['seat'], namedKey('late').publicKey)
    const bundle = await extract(scene.kit, scene.trace)
    const trust = { ...scene.trust, checkpoints: [held] }
    expect(faults(judge(bundle, trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
    expect(judge(bundle, trust).status).toBe('pass-with-warnings')
    const proven = {
      ...bundle,
      registry: { ...bundle.registry, earlier: (await proveExtension(scene.kit, held)).main.earlier },
    }
    expect(faults(judge(proven, trust))).toEqual([])
    const rewritten = await openScene(AT.claim)
    await rewritten.registrar.register('another', ['seat'], namedKey('else').publicKey)
    const other = await rewritten.registrar.sign(rewritten.registrar.trace)
    expect(faults(judge(bundle, { ...scene.trust, checkpoints: [other] }))).toEqual([
      'CHECKPOINT_INCONSISTENT',
    ])
    expect(judge(bundle, { ...scene.trust, checkpoints: [other] }).status).toBe('fail')
  })
})

describe('someone who finds a key that was rotated out', () => {
  const stale = async (scene: PageContext): Promise<SmuggledDraft> => ({
    ...errandDrafts()[AT.opened],
    registry: scene.registrar.log.head,
  })

  it('LED-10 adds nothing by it, in a new trace or behind what stood then', async () => {
    const scene = await openScene(AT.intent)
    const opening = await stale(scene)
    await scene.registrar.rotate(keyOf(scene, 'paula'), scene.ports.key('second paula').publicKey)
    expect(keyOf(scene, 'paula').revoked).toMatchObject({ retired: true, compromisedSince: null })
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual([])
    const fresh = scene.ports.newTrace()
    for (const trace of [fresh, scene.trace]) await smuggle(scene, trace, opening)
    expect(faults(judge(await atHome({ ...scene, trace: fresh }), scene.trust))).toEqual(['KEY_REVOKED 0'])
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual([`KEY_REVOKED ${AT.intent}`])
  })

  it('LED-10 could still backdate where the rotation recorded no heads, as those of older homes', async () => {
    const scene = await openScene(AT.intent)
    const opening = await stale(scene)
    const next = namedKey('second paula')
    const key = { id: next.id, public_key: toHex(next.publicKey), agent: 'paula', roles: ['planner'] }
    const payload = { old: namedKey('paula').id, key }
    const by = actor('registrar', 'registrar')
    await smuggle(scene, scene.registrar.trace, { type: 'key_rotated', actor: by, payload })
    const fresh = scene.ports.newTrace()
    await smuggle(scene, fresh, opening)
    expect(faults(judge(await atHome({ ...scene, trace: fresh }), scene.trust))).toEqual([])
  })

  it('LED-10 gets no checkpoint of a trace past a reader, once the registrar who signs it is revoked', async () => {
    const scene = await openScene(AT.intent)
    const proof = await proveEvent(scene.kit, scene.trace, AT.asked)
    await scene.registrar.rotate(keyOf(scene, 'registrar'), scene.ports.key('second registrar').publicKey)
    const now = await proveEvent(scene.kit, scene.trace, AT.asked)
    const old = { ...now, main: proof.main }
    expect(faults(judge(old, scene.trust))).toEqual([])
    await smuggle(scene, scene.trace, errandDrafts()[AT.intent] ?? {})
    const later = await proveEvent(scene.kit, scene.trace, AT.intent)
    const forged = { ...later, registry: now.registry, main: signedBy(later, namedKey('registrar')).main }
    expect(faults(judge(forged, scene.trust))).toContain('KEY_REVOKED')
  })
})
