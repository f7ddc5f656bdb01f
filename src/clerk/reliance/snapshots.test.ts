import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { errand } from '../../../test/protocols/errand.ts'
import { type Kit, openKit } from '../../../test/support/clerk-kit.ts'
import { approve, type ErrandLog, openErrand, runClerk } from '../../../test/support/errand-run.ts'
import type { Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import { snapshotMessage } from '../../ledger/signing.ts'
import {
  decodeSnapshot,
  encodeSnapshot,
  readSnapshot,
  type Snapshot,
  snapshotBody,
} from '../../ledger/snapshot.ts'
import { readTreeHead } from '../../ledger/tree/tree-head.ts'
import { openSnapshotFiles } from '../../stores/snapshot-files.ts'
import { forkTrace } from '../fork.ts'
import { Registrar } from '../registrar.ts'
import { TraceLog } from '../trace-log.ts'

let home: string
let kit: Kit
let log: ErrandLog

const folder = (): string => join(home, 'snapshots', log.trace)
const kept = async (): Promise<readonly number[]> =>
  (await readdir(folder()).catch(() => [])).map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)
const longest = async (): Promise<string> => join(folder(), `${(await kept()).at(-1)}.snapshot`)

/** Where someone began to read the trace since this was last emptied. */
const begins: number[] = []

/** As another process would: with ports that have read nothing yet. */
async function reopened(trace = log.trace) {
  const ports = { ...kit.ports }
  begins.length = 0
  const again = new TraceLog(ports, errand, trace)
  await again.refresh()
  return { again, ports }
}

async function foldedWhole(): Promise<ErrandLog> {
  const { snapshots: _, ...ports } = kit.ports
  const whole = new TraceLog(ports, errand, log.trace)
  await whole.refresh()
  return whole
}

/** Someone who can write to the home, and holds this key, writes the state that suits them. */
async function forge(key: string, change: (state: { inner: { approved: boolean } }) => void): Promise<void> {
  const found = decodeSnapshot(await readFile(await longest()))
  if (!found) throw new Error('there is no snapshot')
  const snapshot = readSnapshot(found.body)
  change(snapshot.state as never)
  const body = snapshotBody(snapshot)
  const actor = { agent: key, role: key, key: kit.ports.key(key).id }
  const signature = kit.ports.signNow(actor, snapshotMessage(body))
  await writeFile(await longest(), encodeSnapshot({ key: actor.key, signature, body }))
}

/** As the registrar itself would sign it. */
async function resign(change: (snapshot: Snapshot) => object): Promise<void> {
  const found = decodeSnapshot(await readFile(await longest()))
  if (!found) throw new Error('there is no snapshot')
  const body = snapshotBody(change(readSnapshot(found.body)) as Snapshot)
  const actor = { agent: 'registrar', role: 'registrar', key: found.key }
  const signature = kit.ports.signNow(actor, snapshotMessage(body))
  await writeFile(await longest(), encodeSnapshot({ key: found.key, signature, body }))
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'witan-snapshots-'))
  kit = await openKit()
  Object.assign(kit.ports, { snapshots: openSnapshotFiles(home) })
  log = await openErrand(kit.ports, kit.registrar)
  await runClerk(kit.ports, kit.registrar, log, { snapshotEvery: 3 })
  const read = kit.store.read.bind(kit.store)
  kit.store.read = (of, from = 0, to) => {
    if (of === log.trace) begins.push(from)
    return read(of, from, to)
  }
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('a kept state', () => {
  it('replaces folding: only later events are read', async () => {
    const size = (await kept()).at(-1) ?? 0
    expect(size).toBeGreaterThan(0)
    await approve(log, kit.registrar)
    const { again } = await reopened()
    expect(begins).toEqual([size])
    const whole = await foldedWhole()
    expect([again.state, again.head, again.flaw]).toStrictEqual([whole.state, whole.head, null])
    await runClerk(kit.ports, kit.registrar, again)
    expect(again.state.inner.closed).toBe(true)
  })

  it('gives the checkpoint that counting from the beginning gives', async () => {
    const { again, ports } = await reopened()
    const resumed = await Registrar.open(ports)
    const size = again.begun.tally.events.size
    const note = await resumed.checkpoint(log.trace, again.begun)
    expect(begins).toEqual([size, size])
    expect(size).toBeGreaterThan(0)
    const fresh = await Registrar.open({ ...kit.ports })
    const { root, signaturesRoot } = readTreeHead(await fresh.sign(log.trace))
    expect(readTreeHead(note)).toMatchObject({ root, signaturesRoot })
  })

  it('lets a fork begin without folding its parent again', async () => {
    const [first = 0] = await kept()
    const { ports } = await reopened(kit.ports.newTrace())
    const actor = kit.registrar.actor('paula', 'planner')
    const fork = await forkTrace(ports, errand, { parent: log.trace, seq: first }, actor)
    expect(begins).toEqual([first])
    const whole = new TraceLog({ ...kit.ports, snapshots: undefined as never }, errand, fork.trace)
    await whole.refresh()
    expect(fork.state).toStrictEqual(whole.state)
  })

  it.each([
    ['a key that is not the registrar', () => forge('clerk', ({ inner }) => (inner.approved = true))],
    ['a key that nobody knows', () => forge('mallory', ({ inner }) => (inner.approved = true))],
    [
      'a signature that is of another body',
      async () => {
        const text = (await readFile(await longest(), 'utf8')).replace('"approved":false', '"approved":true')
        await writeFile(await longest(), text)
      },
    ],
    ['no snapshot at all', async () => writeFile(await longest(), 'nonsense')],
    [
      'half of one',
      async () => writeFile(await longest(), (await readFile(await longest())).subarray(0, 90)),
    ],
    [
      'the snapshot of another trace',
      async () => {
        const other = await openErrand(kit.ports, kit.registrar)
        await runClerk(kit.ports, kit.registrar, other, { snapshotEvery: 3 })
        const own = join(
          home,
          'snapshots',
          other.trace,
          (await readdir(join(home, 'snapshots', other.trace))).at(-1) ?? '',
        )
        await writeFile(await longest(), await readFile(own))
      },
    ],
  ])('under %s is not trusted, and the trace is folded from its beginning', async (_, tamper) => {
    await tamper()
    const { again } = await reopened()
    expect(begins).toEqual([0])
    expect(again.state.inner.approved).toBe(false)
    expect(again.state).toStrictEqual((await foldedWhole()).state)
  })

  it('of another form of the state is not trusted', async () => {
    await forge('registrar', () => undefined)
    await reopened()
    expect(begins).not.toEqual([0])
    const form = {
      ...errand.snapshot,
      id: 'errand-state/2 calls/1',
      take: () => null,
      restore: (taken: Json) => taken,
    }
    begins.length = 0
    await new TraceLog({ ...kit.ports }, { ...errand, snapshot: form as never }, log.trace).refresh()
    expect(begins).toEqual([0])
  })

  it('LED-14 is deleted when something is erased, and does not count if it is put back', async () => {
    const [file, bytes] = [await longest(), await readFile(await longest())]
    await kit.registrar.redact({ trace: log.trace, seq: 0, artifact: null }, 'ana', 'a name')
    expect(await kept()).toEqual([])
    await mkdir(folder(), { recursive: true })
    await writeFile(file, bytes)
    const { again } = await reopened()
    // From the beginning, and each event once more to know what is erased before the next.
    expect(begins).toEqual([0, ...Array.from({ length: begins.length - 1 }, (_, seq) => seq)])
    expect(again.state.inner.seats).toEqual([])
    // The book that has folded what is erased by now keeps nothing of it either.
    await rm(folder(), { recursive: true })
    await log.keep(await kit.registrar.counted(log.trace))
    expect(await kept()).toEqual([])
  })

  it('LED-10 does not count after a key was revoked, or if the registrar changed', async () => {
    const key = kit.registrar.log.state.keys.get(kit.ports.key('sam').id)
    if (!key) throw new Error('sam has no key')
    await kit.registrar.revoke(key, 'lost', null)
    await reopened()
    expect(begins).toEqual([0])
    await log.keep(await kit.registrar.counted(log.trace))
    const fresh = (await reopened()).again
    await fresh.keep(await kit.registrar.counted(log.trace))
    await reopened()
    expect(begins).toEqual([fresh.size])
    const registrar = kit.registrar.log.state.keys.get(kit.ports.key('registrar').id)
    if (!registrar) throw new Error('there is no registrar')
    await kit.registrar.rotate(registrar, kit.ports.key('next registrar').publicKey)
    await reopened()
    expect(begins).toEqual([0])
  })

  it('of more events than the trace has is not trusted', async () => {
    const { size, hash } = log.head
    const read = kit.store.hashes.bind(kit.store)
    kit.store.hashes = async (of, from = 0, to) => {
      const found = await read(of, from, to)
      return of === log.trace ? found.filter((one) => one !== hash) : found
    }
    await log.keep(await kit.registrar.counted(log.trace))
    expect((await kept()).at(-1)).toBe(size)
    await reopened()
    expect(begins).toEqual([0])
  })

  it.each<[string, (snapshot: Snapshot) => object]>([
    ['trace', (snapshot) => ({ ...snapshot, trace: kit.registrar.trace })],
    ['protocol', (snapshot) => ({ ...snapshot, protocol: 'errand/2' })],
    ['form', (snapshot) => ({ ...snapshot, form: 'errand-state/2 calls/1' })],
    ['version', (snapshot) => ({ ...snapshot, v: 2 })],
    ['head', ({ tip, ...rest }) => ({ ...rest, tip: { ...tip, hash: 'a'.repeat(64) } })],
    ['registry', ({ registry, ...rest }) => ({ ...rest, registry: { ...registry, hash: 'a'.repeat(64) } })],
    ['later registry', ({ registry, ...rest }) => ({ ...rest, registry: { ...registry, size: 999 } })],
  ])('of another %s is not trusted, with any signature', async (_, change) => {
    await resign((snapshot) => snapshot)
    await reopened()
    expect(begins).toEqual([(await kept()).at(-1)])
    await resign(change)
    await reopened()
    expect(begins).toEqual([0])
  })

  it('is used for a prefix that ends at it, and for none that ends before it', async () => {
    const last = (await kept()).at(-1) ?? 0
    const actor = kit.registrar.actor('paula', 'planner')
    const forkAfter = async (size: number) => {
      const { ports } = await reopened(kit.ports.newTrace())
      await forkTrace(ports, errand, { parent: log.trace, seq: size - 1 }, actor)
      return [...begins]
    }
    expect(await forkAfter(last)).toEqual([last])
    const file = await longest()
    for (const name of await readdir(folder())) if (!file.endsWith(`/${name}`)) await rm(join(folder(), name))
    await rename(file, join(folder(), '1.snapshot'))
    expect(await forkAfter(2)).toEqual([0])
  })

  it('is due once the trace has grown enough since the last, if there is a place for it', async () => {
    const grown = log.size - ((await kept()).at(-1) ?? 0)
    expect([grown, grown + 1].map((events) => log.isLongUnkept(events))).toEqual([true, false])
    const { again } = await reopened()
    expect([grown, grown + 1].map((events) => again.isLongUnkept(events))).toEqual([true, false])
    await again.keep(await kit.registrar.counted(log.trace))
    expect(again.isLongUnkept(1)).toBe(false)
    expect((await foldedWhole()).isLongUnkept(1)).toBe(false)
    const { snapshot: _, ...plain } = errand
    const unable = { ...errand, snapshot: { ...errand.snapshot, take: () => null } as never }
    for (const protocol of [plain, unable]) {
      const other = new TraceLog({ ...kit.ports }, protocol, log.trace)
      await other.refresh()
      expect(other.isLongUnkept(1)).toBe(false)
    }
  })

  it('is not made of a head that was not counted', async () => {
    const counted = await kit.registrar.counted(log.trace)
    await approve(log, kit.registrar)
    const before = await kept()
    await log.keep(counted)
    expect(await kept()).toEqual(before)
  })

  it('LED-14 is made again after an erasure, and not kept if an erasure came while it was written', async () => {
    await kit.registrar.redact({ trace: log.trace, seq: 0, artifact: null }, 'ana', 'a name')
    const { again, ports } = await reopened()
    await again.keep(await kit.registrar.counted(log.trace))
    await reopened()
    expect(begins).toEqual([again.size])
    const snapshots = openSnapshotFiles(home)
    const slow = {
      ...snapshots,
      keep: async (...given: Parameters<typeof snapshots.keep>) => {
        await kit.registrar.redact({ trace: log.trace, seq: 4, artifact: null }, 'ana', 'another')
        await snapshots.keep(...given)
      },
    }
    Object.assign(ports, { snapshots: slow })
    await again.keep(await kit.registrar.counted(log.trace))
    expect(await kept()).toEqual([])
  })

  it('is kept only in the home that holds the key of the registrar', async () => {
    const { again, ports } = await reopened()
    await rm(folder(), { recursive: true })
    const counted = await kit.registrar.counted(log.trace)
    const failing = (error: Error) => Object.assign(ports, { sign: () => Promise.reject(error) })
    failing(new WitanError('KEY_NOT_FOUND', 'no such key', 'Try elsewhere.'))
    await again.keep(counted)
    expect(await kept()).toEqual([])
    failing(new WitanError('KEY_RETIRED', 'no longer', 'Try elsewhere.'))
    await expect(again.keep(counted)).rejects.toMatchObject({ code: 'KEY_RETIRED' })
  })
})
