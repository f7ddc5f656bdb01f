import { describe, expect, it } from 'vitest'
import { type Kit, openKit } from '../../test/support/clerk-kit.ts'
import { completeErrand } from '../../test/support/errand-run.ts'
import { checkFile, faults, toFile } from '../../test/support/verification.ts'
import { artifactsIn, extract, proveEvent, proveExtension, wholeBundle } from './extract.ts'

const kitOf = ({ store, registrar, ports }: Kit) => ({ store, registrar, sha256: ports.sha256 })
const trustIn = ({ ports }: Kit) => ({ keys: [ports.key('registrar').id], checkpoints: [] })

describe('making bundles', () => {
  it('LED-16 reports a trace or event that does not exist, instead of making an empty bundle', async () => {
    const kit = await openKit()
    const { trace } = await completeErrand(kit.ports, kit.registrar)
    const unknown = kit.ports.newTrace()
    await expect(wholeBundle(kit.store, unknown)).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    await expect(extract(kitOf(kit), unknown)).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    await expect(proveEvent(kitOf(kit), unknown, 0)).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    for (const seq of [-1, 0.5, 99]) {
      await expect(proveEvent(kitOf(kit), trace, seq)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    }
  })

  it('LED-12 proves every single event of a trace', async () => {
    const kit = await openKit()
    const { trace, size } = await completeErrand(kit.ports, kit.registrar)
    for (let seq = 0; seq < size; seq++) {
      const bundle = await proveEvent(kitOf(kit), trace, seq)
      const report = await checkFile(await toFile(bundle, kit.store), trustIn(kit))
      expect([seq, report.status, ...faults(report)]).toEqual([seq, 'pass'])
    }
  })

  it('LED-12 proves no extension of a checkpoint from another home', async () => {
    const [kit, other] = [await openKit(), await openKit()]
    const note = await other.registrar.sign(other.registrar.trace)
    await expect(proveExtension(kitOf(kit), note)).rejects.toMatchObject({ code: 'NOTE_INVALID' })
  })

  it('VER-7 leaves content out on request, and names artifacts that are too large', async () => {
    const kit = await openKit()
    const { trace, state } = await completeErrand(kit.ports, kit.registrar)
    const bare = await extract(kitOf(kit), trace, { withoutContent: true })
    expect(bare.main.events.every(({ event }) => event.payload === null && event.salt === null)).toBe(true)
    expect(artifactsIn(bare)).toEqual([])
    const light = await extract(kitOf(kit), trace, { artifactLimit: 3 })
    expect(light.omitted).toEqual(state.inner.executed)
    const report = await checkFile(await toFile(light, kit.store), trustIn(kit))
    expect(report.status).toBe('pass-with-warnings')
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(['ARTIFACT_OMITTED']))
  })
})
