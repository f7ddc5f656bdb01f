import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { makeChain, makeTrace } from '../../../test/support/events.ts'
import { GENESIS, type Header } from '../../ledger/event.ts'
import { readQuery } from '../../ledger/text/search.ts'
import { openSqliteStore } from '../sqlite.ts'
import type { EventText, Store } from '../store.ts'
import { searchFile } from './search.ts'

const made: string[] = []
const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'witan-search-'))
  made.push(directory)
  return directory
}
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
})

type Place = Pick<Header, 'trace' | 'seq'>

const placeOf = ({ header }: EventText): Place => {
  const { trace, seq }: Header = JSON.parse(header)
  return { trace, seq }
}

const NEW = { size: 0, hash: GENESIS }

async function found(store: Store, query: string): Promise<readonly Place[]> {
  const out: Place[] = []
  for await (const some of store.find(readQuery(query))) out.push(...some.map(placeOf))
  return out
}

async function withStore<Result>(
  directory: string,
  work: (store: Store) => Promise<Result>,
  readonly = false,
): Promise<Result> {
  const store = await openSqliteStore({ directory, readonly })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const filesWith = (directory: string, word: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes(word))

async function filled(directory: string, count = 5): Promise<string> {
  const trace = makeTrace()
  const payload = (seq: number) => ({ text: seq === 1 ? 'the qwertzharrier nests' : `open words ${seq}` })
  await withStore(directory, (store) => store.append(trace, NEW, makeChain({ trace, count, payload })))
  return trace
}

describe('the index of words in SQLite', () => {
  it('LED-14 holds erased words in no file of the home, nor does any other file', async () => {
    const directory = temporaryDirectory()
    const trace = await filled(directory, 1200)
    const registry = makeTrace()
    await withStore(directory, async (store) => {
      await store.append(registry, NEW, makeChain({ trace: registry, count: 1, protocol: 'registry/1' }))
      expect(await found(store, 'qwertzharrier')).toEqual([{ trace, seq: 1 }])
    })
    expect(filesWith(directory, 'qwertz')).toContain(searchFile(directory))
    const reader = await openSqliteStore({ directory, readonly: true })
    await withStore(directory, async (store) => {
      expect(await found(store, 'nests')).toHaveLength(1)
      await store.erase({ trace, seq: 1, artifact: null, registry: { trace: registry, seq: 0 } })
      expect(filesWith(directory, 'qwertz')).toEqual([])
      expect(filesWith(directory, 'nests')).toEqual([])
    })
    expect(await found(reader, 'qwertzharrier')).toEqual([])
    expect(await found(reader, '"open words"')).toHaveLength(1199)
    expect(filesWith(directory, 'qwertz')).toEqual([])
    await reader.close()
  })

  it('APP-15 is made by the first search and not by appending, readable by its owner alone', async () => {
    const directory = temporaryDirectory()
    await filled(directory)
    expect(readdirSync(directory)).not.toContain('search.db')
    await withStore(directory, async (store) => expect(await found(store, 'nests')).toHaveLength(1), true)
    expect(statSync(searchFile(directory)).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['is no database', Buffer.from('not a database at all '.repeat(40))],
    ['is empty', Buffer.alloc(0)],
  ])('APP-15 is made again when the file %s', async (_, bytes) => {
    const directory = temporaryDirectory()
    await filled(directory)
    writeFileSync(searchFile(directory), bytes)
    expect(await withStore(directory, (store) => found(store, 'nests'))).toHaveLength(1)
  })

  it('APP-15 is made again when it belongs to other events', async () => {
    const [directory, other] = [temporaryDirectory(), temporaryDirectory()]
    await filled(directory)
    await filled(other, 9)
    await withStore(other, (store) => found(store, 'nests'))
    writeFileSync(searchFile(directory), readFileSync(searchFile(other)))
    const hits = await withStore(directory, (store) => found(store, '"open words"'))
    expect(hits.map(({ seq }) => seq)).toEqual([4, 3, 2, 0])
  })

  it('APP-15 finds everything when several searches make it at once', async () => {
    const directory = temporaryDirectory()
    await filled(directory, 1500)
    const counts = await Promise.all(
      [1, 2, 3].map(() => withStore(directory, async (store) => (await found(store, 'open')).length)),
    )
    expect(counts).toEqual([1499, 1499, 1499])
  })
})
