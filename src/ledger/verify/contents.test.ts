import { describe, expect, it } from 'vitest'
import { openPorts } from '../../../test/support/ports.ts'
import { toFile } from '../../../test/support/verification.ts'
import { wholeBundle } from '../../clerk/extract.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { MAX_READ_BYTES, type Occurrence, type Protocol } from '../../protocol.ts'
import { readBundle } from '../../stores/bundle-file.ts'
import { MemoryStore } from '../../stores/memory.ts'
import { answerArtifacts, examine } from '../../stores/verify-answers.ts'
import { fromUtf8, utf8 } from '../bytes.ts'
import { artifactsToReadIn } from './replay.ts'

const hashOf = (event: Occurrence): string => String(event.payload?.source)

/** The one who cites must cite what is in the source. */
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
  const store = new MemoryStore()
  const { ports, registrar } = await openPorts(store)
  const log = new TraceLog(ports, citations, ports.newTrace())
  const { hash, size } = await store.putArtifact(utf8(source))
  const other = await store.putArtifact(utf8('nobody reads this'))
  const artifacts = [
    { hash, size, name: 'source.txt', media_type: 'text/plain' },
    { hash: other.hash, size: other.size, name: 'other.txt', media_type: 'text/plain' },
  ]
  const actor = registrar.actor('paula', 'planner')
  await log.append([
    { type: 'kept', actor, payload: { artifacts } },
    { type: 'cited', actor, payload: { source: hash, quote } },
  ])
  const trust = { keys: [ports.key('registrar').id], checkpoints: [] }
  return { store, trust, hash, other: other.hash, bundle: await wholeBundle(store, log.trace) }
}

describe('artifacts that a protocol judges by', () => {
  it('VER-10 are the ones its events say they read, and no others', async () => {
    const { bundle, hash } = await cited('MIT License', 'MIT')
    expect([...artifactsToReadIn(bundle, PROTOCOLS)]).toEqual([hash])
    expect([...artifactsToReadIn(bundle, [])]).toEqual([])
  })

  it('VER-10 are read: a quote that is there passes, one that is not is found', async () => {
    const honest = await cited('MIT License', 'MIT')
    expect((await examine(honest.bundle, honest.store, honest.trust, PROTOCOLS)).status).toBe('pass')
    const forged = await cited('MIT License', 'Apache')
    const report = await examine(forged.bundle, forged.store, forged.trust, PROTOCOLS)
    expect(report.failures).toMatchObject([{ code: 'CLAIM_UNPROVEN', event: `${forged.bundle.trace}/1` }])
  })

  it('VER-7 are read from a file as well, with the same report', async () => {
    const { bundle, store, trust } = await cited('MIT License', 'Apache')
    const file = await toFile(bundle, store)
    const read = await readBundle(
      (async function* () {
        yield file
      })(),
      (carried) => artifactsToReadIn(carried, PROTOCOLS),
    )
    const fromFile = await examine(read.bundle, read.artifacts, trust, PROTOCOLS)
    expect(fromFile).toEqual(await examine(bundle, store, trust, PROTOCOLS))
  })

  it('LED-16 are not read at all from a bundle that takes more memory than there is', async () => {
    const { bundle, store } = await cited('MIT License', 'MIT')
    const file = await toFile(bundle, store)
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

  it('VER-4 are a failure if the verifier did not get them, not a pass', async () => {
    const { bundle, store, trust, hash, other } = await cited('MIT License', 'Apache')
    const unread = await answerArtifacts([hash, other], store)
    const report = await examine(bundle, unread, trust, PROTOCOLS)
    expect(report.failures).toMatchObject([{ code: 'ARTIFACT_MISSING', artifact: hash }])
  })

  it('VER-4 are a failure when they are too large to be held', async () => {
    const { bundle, store, trust, hash } = await cited('x'.repeat(MAX_READ_BYTES + 1), 'x')
    const report = await examine(bundle, store, trust, PROTOCOLS)
    expect(report.failures).toMatchObject([{ code: 'ARTIFACT_MISSING', artifact: hash }])
    expect(report.failures[0]?.message).toContain('too large')
  })
})
