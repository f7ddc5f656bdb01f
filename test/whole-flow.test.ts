import { describe, expect, it } from 'vitest'
import { extract, proveEvent, proveExtension, wholeBundle } from '../src/clerk/extract.ts'
import { sha256 } from '../src/stores/digest.ts'
import { MemoryStore } from '../src/stores/memory.ts'
import { completeErrand } from './support/errand-run.ts'
import { openPorts } from './support/ports.ts'
import { check, checkFile, faults, toFile } from './support/verification.ts'

describe('from a clerk to a reader', () => {
  it('VER-7 carries a finished trace to someone who has only the file and the key', async () => {
    const store = new MemoryStore()
    const { ports, registrar } = await openPorts(store)
    const trust = { keys: [ports.key('registrar').id], checkpoints: [] }
    const log = await completeErrand(ports, registrar)
    const kit = { store, registrar, sha256 }

    const atHome = await check(await wholeBundle(store, log.trace), store, trust)
    expect(faults(atHome)).toEqual([])
    expect(atHome.status).toBe('pass')

    const report = await checkFile(await toFile(await extract(kit, log.trace), store), trust)
    expect(faults(report)).toEqual([])
    expect(report).toMatchObject({ status: 'pass', trace: log.trace, size: log.size, trusted_by: 'key' })

    const registry = await checkFile(await toFile(await extract(kit, registrar.trace), store), trust)
    expect(faults(registry)).toEqual([])

    const proof = await checkFile(await toFile(await proveEvent(kit, log.trace, 3), store), trust)
    expect(faults(proof)).toEqual([])
    expect(proof).toMatchObject({ status: 'pass', form: 'sparse' })

    const earlier = await registrar.sign(registrar.trace)
    await registrar.register('late', ['seat'], ports.key('late').publicKey)
    const extension = await checkFile(await toFile(await proveExtension(kit, earlier), store), trust)
    expect(faults(extension)).toEqual([])
  })

  it('VER-9 calls nothing more than pass-with-warnings while no one is trusted', async () => {
    const store = new MemoryStore()
    const { ports, registrar } = await openPorts(store)
    const log = await completeErrand(ports, registrar)
    const report = await checkFile(
      await toFile(await extract({ store, registrar, sha256 }, log.trace), store),
    )
    expect(report.status).toBe('pass-with-warnings')
    expect(faults(report)).toEqual(['TRUST_UNPINNED'])
  })
})
