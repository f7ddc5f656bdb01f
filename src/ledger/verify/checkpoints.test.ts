// What checkpoints and recorded heads must agree with: each guard is met by the smallest bundle that it alone stops.

import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { namedKey, type TestKey } from '../../../test/support/ports.ts'
import {
  AT,
  actor,
  atHome,
  errandDrafts,
  events,
  judge,
  openScene,
  type PageContext,
  rewrite,
  smuggle,
  withEvents,
  withSection,
} from '../../../test/support/tamper.ts'
import { faults } from '../../../test/support/verification.ts'
import { extract, proveEvent, proveExtension, wholeBundle } from '../../clerk/extract.ts'
import { sha256 } from '../../stores/digest.ts'
import { noteMessage } from '../signing.ts'
import { composeNote, noteSignature, parseNote } from '../tree/checkpoint.ts'

const drafts = errandDrafts()
const registrar = actor('registrar', 'registrar')

const lineBy = (key: TestKey, name: string, text: string): string =>
  noteSignature(sha256, name, key.publicKey, sign(null, noteMessage(text), key.privateKey))

async function revoke({ registrar }: PageContext, name: string): Promise<void> {
  const key = registrar.log.state.keys.get(namedKey(name).id)
  if (key) await registrar.revoke(key, 'lost', null)
}

describe('a checkpoint of more events than the bundle shows', () => {
  it('LED-12 comes with a proof that does not lead from the earlier one to it', async () => {
    const scene = await openScene(AT.intent)
    const held = await scene.registrar.sign(scene.trace)
    await smuggle(scene, scene.trace, drafts[AT.intent] ?? {}, drafts[AT.approval] ?? {})
    const honest = await proveExtension(scene.kit, held)
    const trust = { ...scene.trust, checkpoints: [held] }
    expect(judge(honest, trust)).toMatchObject({ status: 'pass', truncation_excluded_to: AT.intent })
    const [first = '', ...rest] = honest.main.earlier?.proof ?? []
    for (const proof of [
      [],
      rest,
      [first.replace(/^../, (byte) => (byte === '00' ? '01' : '00')), ...rest],
    ]) {
      const bad = withSection(honest, 'main', (s) => ({ ...s, earlier: { note: held, proof } }))
      const report = judge(bad, trust)
      expect([report.status, faults(report)]).toEqual(['fail', ['CHECKPOINT_INCONSISTENT']])
      expect(report.truncation_excluded_to).toBe(null)
      expect(judge(bad, scene.trust).status).toBe('fail')
    }
  })

  it('LED-12 is recorded in the registry and is not a note', async () => {
    const scene = await openScene(AT.intent)
    const payload = { trace: scene.trace, size: 1, note: 'a note' }
    await smuggle(scene, scene.registrar.trace, { type: 'checkpoint_recorded', actor: registrar, payload })
    const last = scene.registrar.log.size
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual([
      `SCHEMA_INVALID ${last}`,
      'CHECKPOINT_INCONSISTENT',
    ])
  })

  it('LED-12 is missing beside single events, or belongs to another trace', async () => {
    const scene = await openScene(AT.intent)
    const proof = await proveEvent(scene.kit, scene.trace, AT.asked)
    const held = proof.main.checkpoint ?? ''
    const trust = { ...scene.trust, checkpoints: [held] }
    expect(judge(proof, trust)).toMatchObject({ status: 'pass', truncation_excluded_to: AT.intent })
    const bare = withSection(proof, 'main', (s) => ({ ...s, checkpoint: null }))
    const report = judge(bare, trust)
    expect(faults(report)).toEqual(['CHAIN_BREAK 1', 'CHECKPOINT_INCONSISTENT'])
    expect(report.truncation_excluded_to).toBe(null)
    const other = withSection(await extract(scene.kit, scene.trace), 'main', (s) => ({
      ...s,
      checkpoint: proof.registry.checkpoint,
    }))
    expect(faults(judge(other, scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
  })

  it('LED-12 cannot be read beside single events', async () => {
    const scene = await openScene(AT.intent)
    const proof = await proveEvent(scene.kit, scene.trace, AT.asked)
    const unread = withSection(proof, 'main', (s) => ({ ...s, checkpoint: 'not a note' }))
    const report = judge(unread, scene.trust)
    expect(faults(report)).toEqual(['CHAIN_BREAK 1', 'CHECKPOINT_INCONSISTENT'])
    expect(report).toMatchObject({ size: 0, root: null })
  })

  it('LED-12 is one of another registry under the same key, or has a signature that is none', async () => {
    const scene = await openScene(AT.intent)
    const bundle = await extract(scene.kit, scene.trace)
    const { text } = parseNote(bundle.main.checkpoint ?? '')
    const elsewhere = '01KE0000000000000000000E5E'
    const moved = text.replace(scene.registrar.trace, elsewhere)
    const key = namedKey('registrar')
    const sixtyFour = new Uint8Array(64).fill(1)
    for (const note of [
      composeNote(moved, [lineBy(key, elsewhere, moved)]),
      composeNote(text, [noteSignature(sha256, scene.registrar.trace, key.publicKey, sixtyFour)]),
    ]) {
      const other = withSection(bundle, 'main', (s) => ({ ...s, checkpoint: note }))
      expect(faults(judge(other, scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
    }
  })

  it('LED-10 of the registry counts only under the registrar that it ends with, not under one that handed over', async () => {
    const scene = await openScene(AT.intent)
    const key = scene.registrar.log.state.keys.get(namedKey('registrar').id)
    if (!key) throw new Error('no registrar')
    await scene.registrar.rotate(key, scene.ports.key('second registrar').publicKey)
    const bundle = await extract(scene.kit, scene.trace)
    expect(faults(judge(bundle, scene.trust))).toEqual([])
    const { text } = parseNote(bundle.registry.checkpoint ?? '')
    const note = composeNote(text, [lineBy(namedKey('registrar'), scene.registrar.trace, text)])
    const stolen = withSection(bundle, 'registry', (s) => ({ ...s, checkpoint: note }))
    const report = judge(stolen, scene.trust)
    expect(report.failures.map(({ message }) => message)).toContain(
      'the checkpoint of the registry is signed by a key that was not registrar then',
    )
  })

  it('LED-12 counts under the line of the registrar, also behind the line of a stranger of the same name', async () => {
    const scene = await openScene(AT.intent)
    const bundle = await extract(scene.kit, scene.trace)
    const { text } = parseNote(bundle.main.checkpoint ?? '')
    const lines = ['nobody', 'registrar'].map((name) => lineBy(namedKey(name), scene.registrar.trace, text))
    const both = withSection(bundle, 'main', (s) => ({ ...s, checkpoint: composeNote(text, lines) }))
    expect(faults(judge(both, scene.trust))).toEqual([])
  })
})

describe('what the registry recorded of a trace', () => {
  it('LED-13 is compared with the trace, although the bundle has no checkpoint', async () => {
    const scene = await openScene(AT.claim)
    await scene.registrar.checkpoint(scene.trace)
    const home = await atHome(scene)
    expect(faults(judge(home, scene.trust))).toEqual([])
    const cut = withSection(home, 'main', (s) => ({ ...s, events: s.events.slice(0, -1) }))
    expect(faults(judge(cut, scene.trust))).toEqual(['LOG_TRUNCATED'])
    const payload = { action: 'ask/a/1', seat: 'a', text: 'MIT' }
    const forged = rewrite(await events(scene.store, scene.trace), AT.answer, { payload }, scene.ports.keys)
    const report = judge(withEvents(home, 'main', forged), scene.trust)
    expect(faults(report)).toEqual(['CHECKPOINT_INCONSISTENT'])
  })

  it('LED-10 is the head that a revocation found, no more and no less', async () => {
    const scene = await openScene(AT.claim)
    await scene.registrar.register('idle', ['seat'], namedKey('idle').publicKey)
    await revoke(scene, 'idle')
    const home = await atHome(scene)
    expect(faults(judge(home, scene.trust))).toEqual([])
    const cut = withSection(home, 'main', (s) => ({ ...s, events: s.events.slice(0, -1) }))
    expect(faults(judge(cut, scene.trust))).toEqual(['LOG_TRUNCATED'])
    const last = AT.claim - 1
    const change = { header: { at: '2026-06-01T00:00:00.000Z' } }
    const forged = rewrite(await events(scene.store, scene.trace), last, change, scene.ports.keys)
    expect(faults(judge(withEvents(home, 'main', forged), scene.trust))).toEqual(['CHECKPOINT_INCONSISTENT'])
    const proof = await proveEvent(scene.kit, scene.trace, AT.asked)
    expect(faults(judge(proof, scene.trust))).toEqual([])
  })

  it('LED-10 LED-15 may lie beyond the prefix that a fork stands on', async () => {
    const scene = await openScene(AT.claim)
    const hash = (await events(scene.store, scene.trace))[AT.answer]?.hash ?? ''
    const payload = { parent: { trace: scene.trace, seq: AT.answer, hash } }
    const fork = scene.ports.newTrace()
    await smuggle(scene, fork, { type: 'trace_forked', actor: actor('paula', 'planner'), payload })
    await revoke(scene, 'sam')
    await scene.registrar.checkpoint(scene.trace)
    expect(faults(judge(await wholeBundle(scene.store, fork), scene.trust))).toEqual([])
  })
})

describe('a checkpoint of the registry', () => {
  it('LED-10 commits to the key events before it, and to no others', async () => {
    const scene = await openScene(AT.asked)
    const { trace } = scene.registrar
    const checkpoint = await scene.registrar.sign(trace)
    await scene.registrar.register('late', ['seat'], namedKey('late').publicKey)
    await scene.registrar.register('later', ['seat'], namedKey('later').publicKey)
    const main = { ...(await wholeBundle(scene.store, trace)).main, checkpoint }
    const bundle = { trace, content: 'full' as const, registry: main, ancestors: [], main, omitted: [] }
    expect(faults(judge(bundle, scene.trust))).toEqual([])
  })

  it('LED-10 is not satisfied by as many key events as there were, with one left out and one twice', async () => {
    const scene = await openScene(AT.asked)
    await revoke(scene, 'sam')
    const bundle = await extract(scene.kit, scene.trace)
    const doubled = withSection(bundle, 'registry', (s) => {
      const kept = s.events.slice(0, -1)
      return { ...s, events: [...kept, ...kept.slice(-1)] }
    })
    expect(faults(judge(doubled, scene.trust))).toContain('CHECKPOINT_INCONSISTENT')
  })

  it('LED-13 shows that the registry was cut short, reported once, in either form', async () => {
    const scene = await openScene(AT.asked)
    const { trace } = scene.registrar
    const checkpoint = await scene.registrar.sign(trace)
    const home = await atHome(scene)
    const registry = { ...home.registry, checkpoint, events: home.registry.events.slice(0, -1) }
    const own = { trace, content: 'full' as const, registry, ancestors: [], main: registry, omitted: [] }
    for (const bundle of [{ ...home, registry }, own]) {
      const found = faults(judge(bundle, scene.trust)).filter((fault) => fault === 'LOG_TRUNCATED')
      expect(found).toHaveLength(1)
    }
  })
})
