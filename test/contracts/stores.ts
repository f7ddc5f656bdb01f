// What every store promises, as one suite: a new adapter passes it or is none. It talks to the port alone; what
// the store behind it refuses by itself is asked in the tests of the durable stores.

import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GENESIS, type Payload, type SealedEvent } from '../../src/ledger/event.ts'
import type { Store } from '../../src/stores/store.ts'

export interface OpenedTestStore {
  readonly store: Store
  /** Another handle on the same store, as another process would have. The one who disposes closes it. */
  reopen(): Promise<Store>
  dispose(): Promise<void>
}

/** Really signed chains; how they are made is no business of a store. */
export interface Chains {
  makeTrace(): string
  makeChain(options: {
    readonly trace: string
    readonly protocol?: string
    readonly count: number
    readonly from?: number
    readonly prev?: string
    readonly payload?: (seq: number) => Payload
  }): readonly SealedEvent[]
}

const NEW = { size: 0, hash: GENESIS }
const refused = { code: 'VAULT_REFUSED' }
const moved = { code: 'HEAD_MOVED' }
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const endOf = (all: readonly SealedEvent[]) => ({ size: all.length, hash: all.at(-1)?.hash ?? GENESIS })

async function collect<Item>(source: AsyncIterable<Item> | readonly Item[]): Promise<Item[]> {
  const out: Item[] = []
  for await (const item of source) out.push(item)
  return out
}

/** Plain arrays, so that a Buffer equals the Uint8Array it was made from. */
const plain = (events: readonly SealedEvent[]) =>
  events.map(({ hash, header, signature, payload, salt }) =>
    [hash, header, signature, payload, salt].map((part) => (part instanceof Uint8Array ? [...part] : part)),
  )

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export function describeStoreContract(
  name: string,
  { makeChain, makeTrace }: Chains,
  open: () => Promise<OpenedTestStore>,
): void {
  describe(`the vault contract: ${name}`, () => {
    let opened: OpenedTestStore
    let store: Store
    let trace: string

    const bytesIn = async (hash: string) =>
      Buffer.concat(await collect((await store.openArtifact(hash)) ?? []))
    const stored = async (id = trace) => plain(await collect(store.read(id)))
    const begin = async (count: number, protocol = 'agents/1', id = trace) => {
      const events = makeChain({ trace: id, count, protocol })
      await store.append(id, NEW, events)
      return events
    }
    const more = (events: readonly SealedEvent[], count = 1, id = trace) =>
      makeChain({ trace: id, count, from: events.length, prev: endOf(events).hash })

    beforeEach(async () => {
      opened = await open()
      store = opened.store
      trace = makeTrace()
    })
    afterEach(() => opened.dispose())

    it('LED-1 gives back what was appended, byte for byte and in order', async () => {
      const events = [...(await begin(3))]
      const next = more(events, 600)
      await store.append(trace, endOf(events), next)
      expect(await stored()).toEqual(plain([...events, ...next]))
      expect(await store.hashes(trace)).toEqual([...events, ...next].map(({ hash }) => hash))
      const { hash } = endOf(next)
      expect(await store.head(trace)).toMatchObject({ size: 603, hash, header: { seq: 602, trace } })
    })

    it('LED-1 reads any range, and nothing of what is not there', async () => {
      const events = await begin(10)
      expect(plain(await collect(store.read(trace, 3, 5)))).toEqual(plain(events.slice(3, 5)))
      expect(await store.hashes(trace, 8)).toEqual(events.slice(8).map(({ hash }) => hash))
      expect(await store.hashes(trace, 2, 4)).toEqual(events.slice(2, 4).map(({ hash }) => hash))
      for (const [from, to] of [[10], [4, 4], [5, 3], [99, 100]]) {
        expect(await collect(store.read(trace, from, to))).toEqual([])
        expect(await store.hashes(trace, from, to)).toEqual([])
      }
      const unknown = makeTrace()
      expect(await store.head(unknown)).toBeNull()
      expect(await collect(store.read(unknown))).toEqual([])
      expect(await store.hashes(unknown)).toEqual([])
    })

    it('LED-1 reads up to the head as the read began, while others append', async () => {
      const events = await begin(40)
      const seen: SealedEvent[] = []
      for await (const event of store.read(trace)) {
        if (seen.length === 0) await store.append(trace, endOf(events), more(events, 5))
        seen.push(event)
      }
      expect(plain(seen)).toEqual(plain(events))
    })

    it('LED-1 refuses a gap, a wrong predecessor and an event of another trace, and appends none of a batch', async () => {
      const events = await begin(2)
      const [good, bad] = more(events, 2)
      const prev = good?.hash ?? ''
      const elsewhere = makeChain({ trace: makeTrace(), count: 1, from: 3, prev })
      const unlinked = makeChain({ trace, count: 1, from: 3, prev: GENESIS.replace('0', '1') })
      const far = makeChain({ trace, count: 1, from: 4, prev })
      for (const last of [elsewhere, unlinked, far, good === undefined ? [] : [good]]) {
        const batch = [good, ...last].filter((event) => event !== undefined)
        await expect(store.append(trace, endOf(events), batch)).rejects.toMatchObject(refused)
      }
      const broken = { ...(bad ?? events[0]), header: new TextEncoder().encode('{}') } as SealedEvent
      const half = [good, broken].filter((event) => event !== undefined)
      await expect(store.append(trace, endOf(events), half)).rejects.toMatchObject({ code: 'HEADER_INVALID' })
      expect(await stored()).toEqual(plain(events))
    })

    it('LED-7 rejects an append at a stale or unknown head and changes nothing', async () => {
      const events = await begin(3)
      const other = { size: 3, hash: GENESIS.replace('0', 'f') }
      const upon = (id: string) => makeChain({ trace: id, count: 1, from: 3, prev: other.hash })
      const unknown = makeTrace()
      const stale = [
        [trace, NEW, makeChain({ trace, count: 1 })],
        [trace, endOf(events.slice(0, 2)), more(events.slice(0, 2))],
        [trace, { size: 4, hash: GENESIS }, makeChain({ trace, count: 1, from: 4, prev: GENESIS })],
        [trace, other, upon(trace)],
        [unknown, other, upon(unknown)],
      ] as const
      for (const [id, at, one] of stale) await expect(store.append(id, at, one)).rejects.toMatchObject(moved)
      expect(await stored()).toEqual(plain(events))
    })

    it('LED-10 rejects an append whose keys were judged by a registry that grew meanwhile', async () => {
      const events = await begin(1)
      await begin(2, 'registry/1', makeTrace())
      for (const [id, before] of Object.entries({ [trace]: events, [makeTrace()]: [] })) {
        const judgedBy = (size: number) => store.append(id, endOf(before), more(before, 1, id), size)
        await expect(judgedBy(1)).rejects.toMatchObject(moved)
        expect(await stored(id)).toEqual(plain(before))
        await judgedBy(2)
      }
    })

    it('LED-7 lets one of many win the same head, and the others find it moved', async () => {
      const events = await begin(1)
      const handles = [store, await opened.reopen(), await opened.reopen()]
      const results = await Promise.allSettled(
        handles.flatMap((handle) => [1, 2].map(() => handle.append(trace, endOf(events), more(events)))),
      )
      const losers = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
      expect(losers).toMatchObject(Array(5).fill(moved))
      expect((await store.head(trace))?.size).toBe(2)
    })

    it('LED-6 appends to different traces at the same time', async () => {
      const handles = [store, await opened.reopen(), await opened.reopen(), await opened.reopen()]
      const names = await Promise.all(
        handles.map(async (handle) => {
          const id = makeTrace()
          const events = makeChain({ trace: id, count: 25 })
          for (const [i, event] of events.entries())
            await handle.append(id, endOf(events.slice(0, i)), [event])
          return { id, events }
        }),
      )
      for (const { id, events } of names) expect(await stored(id)).toEqual(plain(events))
    })

    it('names its traces and its one registry', async () => {
      expect(await store.registry()).toBeNull()
      expect(await store.traces()).toEqual([])
      const events = await begin(2)
      const registry = makeTrace()
      await begin(3, 'registry/1', registry)
      expect(await store.registry()).toBe(registry)
      const found = await store.traces()
      const sizes = Object.fromEntries(found.map((one) => [one.trace, one.size]))
      expect(sizes).toEqual({ [trace]: 2, [registry]: 3 })
      expect(found.find((one) => one.trace === trace)).toMatchObject({
        protocol: 'agents/1',
        started: expect.stringMatching(/Z$/),
        last: { type: 'noted', hash: endOf(events).hash },
      })
      await expect(begin(1, 'registry/1', makeTrace())).rejects.toMatchObject(refused)
      expect(await store.traces()).toHaveLength(2)
    })

    it('LED-8 keeps artifacts by the hash of their bytes, once', async () => {
      const large = randomBytes(5 << 20)
      for (const bytes of [new Uint8Array(), Uint8Array.of(7), large]) {
        const expected = { hash: sha256(bytes), size: bytes.length }
        expect(await store.putArtifact(bytes)).toEqual(expected)
        expect(await store.putArtifact(pieces(bytes, 99_991))).toEqual(expected)
        expect(await store.statArtifact(expected.hash)).toEqual(expected)
        expect((await bytesIn(expected.hash)).equals(bytes)).toBe(true)
      }
      for (const absent of [sha256(randomBytes(8)), '', '../../witan.db']) {
        expect(await store.statArtifact(absent)).toBeNull()
        expect(await store.openArtifact(absent)).toBeNull()
      }
    })

    it('LED-8 takes the same and different artifacts from many writers at once', async () => {
      const second = await opened.reopen()
      const several = [1, 2, 3, 4, 5].map((n) => randomBytes(n * 70_000))
      const puts = several.flatMap((bytes) =>
        [store, second, store].map((one) => one.putArtifact(pieces(bytes, 9000))),
      )
      for (const { hash, size } of await Promise.all(puts)) {
        expect(await second.statArtifact(hash)).toEqual({ hash, size })
        expect(sha256(await bytesIn(hash))).toBe(hash)
      }
    })

    it('LED-8 stores nothing of a source that fails, and says what it said', async () => {
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield Uint8Array.of(1, 2, 3)
        throw new Error('the source broke')
      }
      await expect(store.putArtifact(failing())).rejects.toThrow('the source broke')
      expect(await store.statArtifact(sha256(Uint8Array.of(1, 2, 3)))).toBeNull()
    })

    it('LED-14 erases a payload or an artifact that a registry event names, and nothing else', async () => {
      const events = await begin(3)
      const registry = makeTrace()
      await begin(2, 'registry/1', registry)
      const { hash } = await store.putArtifact(randomBytes(1000))
      const payload = { trace, seq: 1, artifact: null, registry: { trace: registry, seq: 1 } }
      for (const _ of ['once', 'again']) await store.erase(payload)
      await store.erase({ ...payload, seq: null, artifact: hash })
      expect(await store.statArtifact(hash)).toBeNull()
      const rest = events.map((event, seq) => (seq === 1 ? { ...event, payload: null, salt: null } : event))
      expect(await stored()).toEqual(plain(rest))
      await store.append(trace, endOf(events), more(events))
    })

    it('LED-14 erases nothing without a registry event', async () => {
      const events = await begin(2)
      const { hash } = await store.putArtifact(Uint8Array.of(1))
      const registry = makeTrace()
      const wanted = { trace, seq: 1, artifact: null, registry: { trace: registry, seq: 1 } }
      await expect(store.erase(wanted)).rejects.toMatchObject(refused)
      await begin(1, 'registry/1', registry)
      await expect(store.erase(wanted)).rejects.toMatchObject(refused)
      await expect(store.erase({ ...wanted, registry: { trace, seq: 0 } })).rejects.toMatchObject(refused)
      await expect(store.erase({ ...wanted, seq: null, artifact: hash })).rejects.toMatchObject(refused)
      expect(await stored()).toEqual(plain(events))
      expect(await store.statArtifact(hash)).not.toBeNull()
    })

    it('wakes a watcher when another handle appends, and lets it go when it is told to', async () => {
      const events = await begin(1)
      const other = await opened.reopen()
      const stop = new AbortController()
      await store.watch(trace, 0, stop.signal)
      const woken = store.watch(trace, 1, stop.signal)
      const first = store.watch(makeTrace(), 0, stop.signal)
      await other.append(trace, endOf(events), more(events))
      await woken
      stop.abort()
      await first
      await store.watch(trace, 99, stop.signal)
    })

    it('knows which clerks are at work', async () => {
      const other = await opened.reopen()
      expect(await store.attends('anna')).toBe(false)
      const leave = await store.attend('anna')
      expect([await other.attends('anna'), await other.attends('bert')]).toEqual([true, false])
      await leave()
      expect(await other.attends('anna')).toBe(false)
    })

    it('finds everything again when it is opened anew', async () => {
      const events = await begin(5)
      const { hash } = await store.putArtifact(Uint8Array.of(1, 2, 3))
      await store.close()
      store = await opened.reopen()
      expect(await stored()).toEqual(plain(events))
      expect([...(await bytesIn(hash))]).toEqual([1, 2, 3])
      await store.append(trace, endOf(events), more(events))
    })
  })
}
