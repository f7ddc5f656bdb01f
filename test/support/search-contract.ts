// What every store promises about searching, as one suite: the same queries find the same events everywhere, and what
// was erased is found no more.

import { describe, expect, it } from 'vitest'
import { GENESIS, type Header, type Payload } from '../../src/ledger/event.ts'
import { readQuery } from '../../src/ledger/text/search.ts'
import type { EventText, Store } from '../../src/stores/store.ts'
import type { Chains, OpenedTestStore } from '../contracts/stores.ts'

type Place = Pick<Header, 'trace' | 'seq'>

const placeOf = ({ header }: EventText): Place => {
  const { trace, seq }: Header = JSON.parse(header)
  return { trace, seq }
}

const TEXTS = [
  'Shall we move to SQLite?',
  'Zürich prefers PostgreSQL, and moves slowly.',
  'Quotes \'single\' and "double"; NEAR(all) OR NOT: operators are words & marks | \\ !',
  '我们应该换数据库吗',
]

export function describeSearchContract(
  name: string,
  { makeChain, makeTrace }: Chains,
  open: () => Promise<OpenedTestStore>,
): void {
  const begin = async (
    store: Store,
    payload: (seq: number) => Payload,
    count: number,
    protocol = 'agents/1',
  ) => {
    const trace = makeTrace()
    const events = makeChain({ trace, count, payload, protocol })
    await store.append(trace, { size: 0, hash: GENESIS }, events)
    return { trace, events }
  }
  const found = async (store: Store, query: string): Promise<readonly Place[]> => {
    const out: Place[] = []
    for await (const some of store.find(readQuery(query))) out.push(...some.map(placeOf))
    return out
  }
  const opened = async (test: (one: OpenedTestStore) => Promise<void>): Promise<void> => {
    const one = await open()
    try {
      await test(one)
    } finally {
      await one.dispose()
    }
  }

  describe(`searching: ${name}`, () => {
    it('APP-15 finds words, phrases and beginnings, in any case, script and with any accents', () =>
      opened(async ({ store }) => {
        const { trace } = await begin(store, (seq) => ({ text: TEXTS[seq] ?? '', n: 7 }), TEXTS.length)
        const seqs = async (query: string) => (await found(store, query)).map(({ seq }) => seq)
        expect(await found(store, 'sqlite')).toEqual([{ trace, seq: 0 }])
        expect(await seqs('"move to sqlite"')).toEqual([0])
        expect(await seqs('"sqlite move"')).toEqual([])
        expect(await seqs('zurich POSTGRES*')).toEqual([1])
        expect(await seqs('move*')).toEqual([1, 0])
        expect(await seqs('near or not')).toEqual([2])
        expect(await seqs('\'single\' "double"')).toEqual([2])
        expect(await seqs('数据库')).toEqual([3])
        expect(await seqs('sqlite zurich')).toEqual([])
        expect(await seqs('"" *')).toEqual([])
      }))

    it('APP-15 finds what was appended since the last search, newest first, through every handle', () =>
      opened(async ({ store, reopen }) => {
        const first = await begin(store, () => ({ text: 'early heron' }), 2)
        expect(await found(store, 'heron')).toHaveLength(2)
        const second = await begin(await reopen(), () => ({ text: 'late heron' }), 1)
        const next = makeChain({
          trace: first.trace,
          count: 1,
          from: 2,
          prev: first.events.at(-1)?.hash ?? '',
          payload: () => ({ text: 'last heron' }),
        })
        await store.append(first.trace, { size: 2, hash: first.events.at(-1)?.hash ?? '' }, next)
        const all = await found(await reopen(), 'heron')
        expect(all).toHaveLength(4)
        expect(all).toContainEqual({ trace: second.trace, seq: 0 })
        expect(all.filter(({ trace }) => trace === first.trace).map(({ seq }) => seq)).toEqual([2, 1, 0])
        const many = await begin(store, () => ({ text: 'many cranes' }), 700)
        const cranes = await found(store, 'cranes')
        expect(cranes.map(({ seq }) => seq)).toEqual(many.events.map((_, i) => 699 - i))
      }))

    it('APP-15 finds words of the texts an event names, not of requests, nor of what is no text', () =>
      opened(async ({ store }) => {
        const put = async (text: string, name: string, media_type: string) => ({
          ...(await store.putArtifact(Buffer.from(text))),
          name,
          media_type,
        })
        const artifacts = [
          await put('a plain kingfisher', 'note.txt', 'text/plain'),
          await put('{"said":"a quoted\\nbittern"}', 'raw.json', 'application/json'),
          await put('{"parts":["an asked egret"]}', 'request.json', 'application/json'),
          await put('a packed avocet', 'vectors', 'application/octet-stream'),
        ]
        const { trace } = await begin(store, () => ({ text: 'names them', artifacts }), 1)
        for (const word of ['kingfisher', '"quoted bittern"', 'names kingfisher'])
          expect(await found(store, word)).toEqual([{ trace, seq: 0 }])
        for (const word of ['egret', 'avocet', 'plain.txt']) expect(await found(store, word)).toEqual([])
      }))

    it('APP-15 gives the first events of many traces as text, in the order asked for', () =>
      opened(async ({ store }) => {
        const one = await begin(store, (seq) => ({ text: `Zürich ${seq}` }), 3)
        const two = await begin(store, (seq) => ({ text: `我们 ${seq}` }), 1)
        const openings = await store.openings([two.trace, makeTrace(), one.trace])
        const text = (bytes?: Uint8Array | null) => Buffer.from(bytes ?? []).toString()
        const kept = ({ events: [first] }: typeof one): EventText => ({
          header: text(first?.header),
          payload: text(first?.payload),
        })
        expect(openings).toEqual([kept(two), kept(one)])
        const registry = await begin(store, () => ({ text: 'registered' }), 1, 'registry/1')
        await store.erase({
          trace: one.trace,
          seq: 0,
          artifact: null,
          registry: { trace: registry.trace, seq: 0 },
        })
        expect((await store.openings([one.trace])).map(({ payload }) => payload)).toEqual([null])
        expect(await store.openings([])).toEqual([])
      }))

    it('APP-15 gives the first event of its trace with each hit, which may be left out where it is long', () =>
      opened(async ({ store }) => {
        const said = (seq: number) => ({ text: seq === 0 ? 'Shall the plover stay?' : 'the dunlin may' })
        const { trace } = await begin(store, said, 2)
        const long = (seq: number) => ({ text: seq === 0 ? 'why '.repeat(10_000) : 'the dunlin may' })
        const other = await begin(store, long, 2)
        const openings: (EventText | null)[] = []
        for await (const some of store.find(readQuery('dunlin')))
          openings.push(...some.map(({ opening }) => opening))
        const [short, whole] = await store.openings([trace, other.trace])
        expect(openings).toHaveLength(2)
        expect([null, whole]).toContainEqual(openings[0])
        expect(openings[1]).toEqual(short)
      }))

    it('LED-14 finds nothing of what was erased, and still everything else', () =>
      opened(async ({ store }) => {
        const kept = await store.putArtifact(Buffer.from('the osprey nests'))
        const artifacts = [{ ...kept, name: 'note.txt', media_type: 'text/plain' }]
        const texts = (seq: number): Payload =>
          seq === 1 ? { text: 'secret harrier' } : { text: 'open harrier', artifacts }
        const { trace } = await begin(store, texts, 3)
        const registry = await begin(store, () => ({ text: 'registered' }), 1, 'registry/1')
        expect(await found(store, 'harrier')).toHaveLength(3)
        const record = { trace: registry.trace, seq: 0 }
        await store.erase({ trace, seq: 1, artifact: null, registry: record })
        expect(await found(store, 'secret')).toEqual([])
        expect(await found(store, 'open harrier')).toHaveLength(2)
        expect(await found(store, 'osprey')).toHaveLength(2)
        await store.erase({ trace, seq: null, artifact: kept.hash, registry: record })
        expect(await found(store, 'osprey')).toEqual([])
        expect(await found(store, 'harrier')).toHaveLength(2)
      }))
  })
}
