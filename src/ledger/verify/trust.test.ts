// What a reader holds, and how much of it a bundle is found to match.

import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { namedKey } from '../../../test/support/ports.ts'
import {
  AT,
  atHome,
  errandDrafts,
  judge,
  openForgery,
  openScene,
  smuggle,
  withSection,
} from '../../../test/support/tamper.ts'
import { faults } from '../../../test/support/verification.ts'
import { proveEvent } from '../../clerk/extract.ts'
import { sha256 } from '../../stores/digest.ts'
import { toHex } from '../bytes.ts'
import { noteMessage } from '../signing.ts'
import { composeNote, noteSignature, parseNote } from '../tree/checkpoint.ts'

describe('the trust of a reader', () => {
  it('VER-9 is not contradicted by a checkpoint of another home, nor by a malformed note', async () => {
    const scene = await openScene(AT.intent)
    const note = await scene.registrar.sign(scene.trace)
    const foreign = note.replace(scene.registrar.trace, '01KE0000000000000000000E5E')
    const trust = { ...scene.trust, checkpoints: [foreign, 'no note'] }
    const report = judge(await atHome(scene), trust)
    expect([report.status, report.trusted_by, report.truncation_excluded_to]).toEqual(['pass', 'key', null])
  })

  it('VER-9 is contradicted by a checkpoint of this registry that none of its registrars signed', async () => {
    const scene = await openScene(AT.intent)
    const forged = await openForgery(AT.intent)
    const { text } = parseNote(await scene.registrar.sign(scene.trace))
    const { publicKey, privateKey } = namedKey('nobody')
    const signature = sign(null, noteMessage(text), privateKey)
    const rightByNobody = composeNote(text, [
      noteSignature(sha256, scene.registrar.trace, publicKey, signature),
    ])
    for (const note of [await forged.registrar.sign(forged.trace), rightByNobody]) {
      const report = judge(await atHome(scene), { ...scene.trust, checkpoints: [note] })
      expect(faults(report)).toEqual(['CHECKPOINT_INCONSISTENT'])
      expect(report.truncation_excluded_to).toBe(null)
    }
  })

  it('LED-13 rules out a cut tail of the trace only by a checkpoint of that trace', async () => {
    const scene = await openScene(AT.intent)
    const { registrar, trace } = scene
    const [ofRegistry, ofTrace] = [await registrar.sign(registrar.trace), await registrar.sign(trace)]
    const holding = async (...checkpoints: readonly string[]) => {
      const report = judge(await atHome(scene), { keys: [], checkpoints })
      return [report.status, report.trusted_by, report.truncation_excluded_to]
    }
    expect(await holding(ofRegistry)).toEqual(['pass', 'checkpoint', null])
    expect(await holding(ofTrace)).toEqual(['pass', 'checkpoint', AT.intent])
    expect(await holding(ofTrace, ofRegistry)).toEqual(['pass', 'checkpoint', AT.intent])
  })

  it('LED-13 is newer than the single event that is shown', async () => {
    const scene = await openScene(AT.intent)
    const proof = await proveEvent(scene.kit, scene.trace, AT.asked)
    await smuggle(scene, scene.trace, errandDrafts()[AT.intent] ?? {})
    const held = await scene.registrar.sign(scene.trace)
    const report = judge(proof, { ...scene.trust, checkpoints: [held] })
    expect([report.status, faults(report)]).toEqual(['pass-with-warnings', ['LOG_TRUNCATED']])
    expect(report.truncation_excluded_to).toBe(null)
  })

  it('VER-9 is the key of a registrar that was named in a forged registry, and in whose name nothing there is signed', async () => {
    const [real, forged] = [namedKey('registrar'), await openForgery(AT.intent)]
    const key = { id: real.id, public_key: toHex(real.publicKey), agent: 'registrar', roles: ['registrar'] }
    const old = namedKey('forged registrar').id
    const actor = { agent: 'registrar', role: 'registrar', key: old }
    const late = { id: namedKey('late').id, public_key: toHex(namedKey('late').publicKey) }
    await smuggle(
      forged,
      forged.registrar.trace,
      { type: 'key_rotated', actor, payload: { old, key } },
      {
        type: 'key_registered',
        actor: { ...actor, key: real.id },
        payload: { key: { ...late, agent: 'late', roles: ['seat'] } },
        signer: namedKey('forged registrar'),
      },
    )
    const report = judge(await atHome(forged), { keys: [real.id], checkpoints: [] })
    expect([report.status, report.trusted_by]).toEqual(['fail', null])
    expect(faults(report).map((fault) => fault.split(' ')[0])).toEqual(['SIG_INVALID', 'TRUST_UNPINNED'])
  })

  it('VER-9 judges no key where no registry is given, or another trace in its place', async () => {
    const scene = await openScene(AT.asked)
    const home = await atHome(scene)
    const none = withSection(home, 'registry', (s) => ({ ...s, events: [] }))
    expect(faults(judge(none, scene.trust))).toEqual(['KEY_UNKNOWN', 'KEY_UNKNOWN 0', 'TRUST_UNPINNED'])
    expect(faults(judge({ ...home, registry: { ...home.main } }, scene.trust))[0]).toBe('SCHEMA_INVALID')
  })
})
