import { describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../test/support/clerk-desk.ts'
import { completeErrand } from '../../test/support/errand-run.ts'
import { checkFile, faults, toFile } from '../../test/support/verification.ts'
import { artifactsIn, extract, proveEvent, proveExtension, wholeBundle } from './extract.ts'

const deskOf = ({ store, registrar, ports }: Desk) => ({ store, registrar, sha256: ports.sha256 })
const trustIn = ({ ports }: Desk) => ({ keys: [ports.key('registrar').id], checkpoints: [] })

describe('making bundles', () => {
  it('LED-16 says that there is no such trace or event, instead of making an empty bundle', async () => {
    const desk = await openDesk()
    const { trace } = await completeErrand(desk.ports, desk.registrar)
    const unknown = desk.ports.newTrace()
    await expect(wholeBundle(desk.store, unknown)).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    await expect(extract(deskOf(desk), unknown)).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    await expect(proveEvent(deskOf(desk), unknown, 0)).rejects.toMatchObject({ code: 'TRACE_NOT_FOUND' })
    for (const seq of [-1, 0.5, 99]) {
      await expect(proveEvent(deskOf(desk), trace, seq)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    }
  })

  it('LED-12 proves every single event of a trace', async () => {
    const desk = await openDesk()
    const { trace, size } = await completeErrand(desk.ports, desk.registrar)
    for (let seq = 0; seq < size; seq++) {
      const bundle = await proveEvent(deskOf(desk), trace, seq)
      const report = await checkFile(await toFile(bundle, desk.store), trustIn(desk))
      expect([seq, report.status, ...faults(report)]).toEqual([seq, 'pass'])
    }
  })

  it('LED-12 proves no extension of a checkpoint from another home', async () => {
    const [desk, other] = [await openDesk(), await openDesk()]
    const note = await other.registrar.sign(other.registrar.trace)
    await expect(proveExtension(deskOf(desk), note)).rejects.toMatchObject({ code: 'NOTE_INVALID' })
  })

  it('VER-7 leaves content out on request, and names artifacts that are too large', async () => {
    const desk = await openDesk()
    const { trace, state } = await completeErrand(desk.ports, desk.registrar)
    const bare = await extract(deskOf(desk), trace, { withoutContent: true })
    expect(bare.main.events.every(({ event }) => event.payload === null && event.salt === null)).toBe(true)
    expect(artifactsIn(bare)).toEqual([])
    const light = await extract(deskOf(desk), trace, { artifactLimit: 3 })
    expect(light.omitted).toEqual(state.inner.executed)
    const report = await checkFile(await toFile(light, desk.store), trustIn(desk))
    expect(report.status).toBe('pass-with-warnings')
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(['ARTIFACT_OMITTED']))
  })
})
