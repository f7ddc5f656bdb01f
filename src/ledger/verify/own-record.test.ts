// A reader who has the home: a bundle that names its registry is compared with what that home recorded itself.

import { describe, expect, it } from 'vitest'
import {
  AT,
  atHome,
  errandDrafts,
  events,
  judge,
  openScene,
  type PageContext,
  smuggle,
} from '../../../test/support/tamper.ts'
import { faults } from '../../../test/support/verification.ts'
import { extract, proveEvent } from '../../clerk/extract.ts'
import type { Trust } from './inquire.ts'

/** What the home has, and nothing else that the reader would trust. */
async function ownTrust({ store, registrar, trace }: PageContext): Promise<Trust> {
  const traces = new Map(
    await Promise.all([registrar.trace, trace].map(async (one) => [one, await events(store, one)] as const)),
  )
  return { keys: [], checkpoints: [], own: { registry: registrar.log.state, traces } }
}

describe("VER-9 a bundle of the reader's own home", () => {
  it('is trusted if the home recorded it, whole, in parts or as a beginning', async () => {
    const scene = await openScene(AT.intent)
    const [whole, early] = [await atHome(scene), await extract(scene.kit, scene.trace)]
    const part = await proveEvent(scene.kit, scene.trace, AT.asked)
    await smuggle(scene, scene.trace, errandDrafts()[AT.intent] ?? {})
    const trust = await ownTrust(scene)
    for (const bundle of [whole, early, part, await atHome(scene)])
      expect(judge(bundle, trust)).toMatchObject({ status: 'pass', trusted_by: 'key' })
    // Without the home nothing ties it to anyone.
    expect(judge(whole, { keys: [], checkpoints: [] })).toMatchObject({ trusted_by: null })
  })

  it('is refused if it has more than the home recorded, or other content', async () => {
    const scene = await openScene(AT.intent)
    const before = await ownTrust(scene)
    await smuggle(scene, scene.trace, errandDrafts()[AT.intent] ?? {})
    for (const bundle of [
      await atHome(scene),
      await extract(scene.kit, scene.trace),
      await proveEvent(scene.kit, scene.trace, AT.asked),
    ]) {
      const report = judge(bundle, before)
      expect([report.status, report.trusted_by]).toEqual(['fail', null])
      expect(new Set(faults(report))).toEqual(new Set(['CHECKPOINT_INCONSISTENT']))
      expect(report.failures.some(({ message }) => message.includes('events in this home, not'))).toBe(true)
    }
    const traces = new Map([...(before.own?.traces ?? [])].filter(([trace]) => trace !== scene.trace))
    const never = judge(await atHome(scene), { ...before, own: { ...before.own, traces } as never })
    expect(never.failures.map(({ message }) => message).join()).toContain('this home never recorded')
  })

  it("is refused if one event, or only a signature, differs from the home's", async () => {
    const scene = await openScene(AT.intent)
    const trust = await ownTrust(scene)
    const bundle = await atHome(scene)
    for (const change of [
      { hash: 'f'.repeat(64) },
      { signature: new Uint8Array(64) },
      { signature: new Uint8Array(63) },
    ]) {
      const known = (trust.own?.traces.get(scene.trace) ?? []).map((event, i) =>
        i === 1 ? { ...event, ...change } : event,
      )
      const traces = new Map([...(trust.own?.traces ?? []), [scene.trace, known]])
      const report = judge(bundle, { ...trust, own: { ...trust.own, traces } as never })
      expect(report.failures.map(({ message }) => message).join()).toContain(
        `event 1 of ${scene.trace} is not the one that this home recorded`,
      )
    }
    const part = await proveEvent(scene.kit, scene.trace, AT.asked)
    const swapped = (trust.own?.traces.get(scene.trace) ?? []).map((event, i) =>
      i === 0 ? { ...event, hash: 'f'.repeat(64) } : event,
    )
    const traces = new Map([...(trust.own?.traces ?? []), [scene.trace, swapped]])
    expect(
      judge(part, { ...trust, own: { ...trust.own, traces } as never })
        .failures.map(({ message }) => message)
        .join(),
    ).toContain('are not those that this home recorded')
  })

  it('is not compared with the record of another home', async () => {
    const scene = await openScene(AT.intent)
    const { own } = await ownTrust(scene)
    const elsewhere = { ...scene.registrar.log.state, registry: '01KE0000000000000000000E5E' }
    const trust = {
      keys: [],
      checkpoints: [],
      own: { registry: elsewhere, traces: own?.traces ?? new Map() },
    }
    expect(judge(await atHome(scene), trust)).toMatchObject({
      status: 'pass-with-warnings',
      trusted_by: null,
    })
  })
})
