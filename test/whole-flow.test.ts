import { describe, expect, it } from 'vitest'
import { extract, proveEvent, proveExtension, wholeBundle } from '../src/clerk/extract.ts'
import { sha256 } from '../src/vaults/digest.ts'
import { MemoryVault } from '../src/vaults/memory.ts'
import { completeErrand } from './support/errand-run.ts'
import { openOffice } from './support/office.ts'
import { check, checkFile, faults, toFile } from './support/verification.ts'

describe('from a clerk to a reader', () => {
  it('VER-7 carries a finished trace to someone who has only the file and the key', async () => {
    const vault = new MemoryVault()
    const { office, registrar } = await openOffice(vault)
    const trust = { keys: [office.key('registrar').id], checkpoints: [] }
    const book = await completeErrand(office, registrar)
    const desk = { vault, registrar, sha256 }

    const atHome = await check(await wholeBundle(vault, book.trace), vault, trust)
    expect(faults(atHome)).toEqual([])
    expect(atHome.status).toBe('pass')

    const report = await checkFile(await toFile(await extract(desk, book.trace), vault), trust)
    expect(faults(report)).toEqual([])
    expect(report).toMatchObject({ status: 'pass', trace: book.trace, size: book.size, trusted_by: 'key' })

    const registry = await checkFile(await toFile(await extract(desk, registrar.trace), vault), trust)
    expect(faults(registry)).toEqual([])

    const proof = await checkFile(await toFile(await proveEvent(desk, book.trace, 3), vault), trust)
    expect(faults(proof)).toEqual([])
    expect(proof).toMatchObject({ status: 'pass', form: 'sparse' })

    const earlier = await registrar.sign(registrar.trace)
    await registrar.register('late', ['seat'], office.key('late').publicKey)
    const extension = await checkFile(await toFile(await proveExtension(desk, earlier), vault), trust)
    expect(faults(extension)).toEqual([])
  })

  it('VER-9 calls nothing more than pass-with-warnings while nobody is trusted', async () => {
    const vault = new MemoryVault()
    const { office, registrar } = await openOffice(vault)
    const book = await completeErrand(office, registrar)
    const report = await checkFile(
      await toFile(await extract({ vault, registrar, sha256 }, book.trace), vault),
    )
    expect(report.status).toBe('pass-with-warnings')
    expect(faults(report)).toEqual(['TRUST_UNPINNED'])
  })
})
