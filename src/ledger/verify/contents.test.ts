import { describe, expect, it } from 'vitest'
import { openOffice } from '../../../test/support/office.ts'
import { toFile } from '../../../test/support/verification.ts'
import { Book } from '../../clerk/book.ts'
import { wholeBundle } from '../../clerk/extract.ts'
import { MAX_READ_BYTES, type Occurrence, type Protocol } from '../../protocol.ts'
import { answerArtifacts, examine } from '../../vaults/answers.ts'
import { readBundle } from '../../vaults/bundle-file.ts'
import { MemoryVault } from '../../vaults/memory.ts'
import { fromUtf8, utf8 } from '../bytes.ts'
import { contentsWanted } from './contents.ts'

const hashOf = (event: Occurrence): string => String(event.payload?.source)

/** Whoever cites must cite what stands in the source. */
const citations: Protocol<null> = {
  id: 'citations/1',
  initial: null,
  evolve: () => null,
  refuse: () => null,
  decide: () => [],
  finished: () => false,
  reads: (event) => (event.type === 'cited' ? [hashOf(event)] : []),
  examine(_, event, content) {
    if (event.type !== 'cited') return null
    const bytes = content(hashOf(event))
    if (!bytes || fromUtf8(bytes)?.includes(String(event.payload?.quote))) return null
    return { code: 'CLAIM_UNPROVEN', message: 'the quote does not stand in its source' }
  },
}
const PROTOCOLS = [citations as Protocol]

async function cited(source: string, quote: string) {
  const vault = new MemoryVault()
  const { office, registrar } = await openOffice(vault)
  const book = new Book(office, citations, office.newTrace())
  const { hash, size } = await vault.putArtifact(utf8(source))
  const other = await vault.putArtifact(utf8('nobody reads this'))
  const artifacts = [
    { hash, size, name: 'source.txt', media_type: 'text/plain' },
    { hash: other.hash, size: other.size, name: 'other.txt', media_type: 'text/plain' },
  ]
  const actor = registrar.actor('paula', 'planner')
  await book.append([
    { type: 'kept', actor, payload: { artifacts } },
    { type: 'cited', actor, payload: { source: hash, quote } },
  ])
  const trust = { keys: [office.key('registrar').id], checkpoints: [] }
  return { vault, trust, hash, other: other.hash, bundle: await wholeBundle(vault, book.trace) }
}

describe('artifacts that a protocol judges by', () => {
  it('VER-10 are the ones its events say they read, and no others', async () => {
    const { bundle, hash } = await cited('MIT License', 'MIT')
    expect([...contentsWanted(bundle, PROTOCOLS)]).toEqual([hash])
    expect([...contentsWanted(bundle, [])]).toEqual([])
  })

  it('VER-10 are read: a quote that stands there passes, one that does not is found', async () => {
    const honest = await cited('MIT License', 'MIT')
    expect((await examine(honest.bundle, honest.vault, honest.trust, PROTOCOLS)).status).toBe('pass')
    const forged = await cited('MIT License', 'Apache')
    const report = await examine(forged.bundle, forged.vault, forged.trust, PROTOCOLS)
    expect(report.failures).toMatchObject([{ code: 'CLAIM_UNPROVEN', event: `${forged.bundle.trace}/1` }])
  })

  it('VER-7 are read from a file as well, with the same report', async () => {
    const { bundle, vault, trust } = await cited('MIT License', 'Apache')
    const file = await toFile(bundle, vault)
    const read = await readBundle(
      (async function* () {
        yield file
      })(),
      (carried) => contentsWanted(carried, PROTOCOLS),
    )
    const fromFile = await examine(read.bundle, read.artifacts, trust, PROTOCOLS)
    expect(fromFile).toEqual(await examine(bundle, vault, trust, PROTOCOLS))
  })

  it('LED-16 are not read at all from a bundle that takes more memory than there is', async () => {
    const { bundle, vault } = await cited('MIT License', 'MIT')
    const file = await toFile(bundle, vault)
    const stream = async function* () {
      yield file
    }
    const lines = bundle.main.events.length + bundle.registry.events.length
    await expect(readBundle(stream(), undefined, lines * 2_000)).rejects.toMatchObject({
      code: 'BUNDLE_TOO_LARGE',
      next: expect.stringContaining('--max-old-space-size'),
    })
    expect((await readBundle(stream(), undefined, file.length * 10)).bundle.trace).toBe(bundle.trace)
  })

  it('VER-4 are a failure when nobody handed them to the verifier, not a pass', async () => {
    const { bundle, vault, trust, hash, other } = await cited('MIT License', 'Apache')
    const unread = await answerArtifacts([hash, other], vault)
    const report = await examine(bundle, unread, trust, PROTOCOLS)
    expect(report.failures).toMatchObject([{ code: 'ARTIFACT_MISSING', artifact: hash }])
  })

  it('VER-4 are a failure when they are too large to be held', async () => {
    const { bundle, vault, trust, hash } = await cited('x'.repeat(MAX_READ_BYTES + 1), 'x')
    const report = await examine(bundle, vault, trust, PROTOCOLS)
    expect(report.failures).toMatchObject([{ code: 'ARTIFACT_MISSING', artifact: hash }])
    expect(report.failures[0]?.message).toContain('too large')
  })
})
