import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeStoreContract } from '../../test/contracts/stores.ts'
import { bundleScript } from '../../test/support/children.ts'
import * as chains from '../../test/support/events.ts'
import { canMount, onReadonlyDisk, onSmallDisk } from '../../test/support/mounts.ts'
import { describeSearchContract } from '../../test/support/search-contract.ts'
import { describeStoreGuards, type OpenedStore } from '../../test/support/store-guards.ts'
import { isWitanError } from '../ledger/errors.ts'
import { type Database, loadSqlite } from './sqlite/driver.ts'
import { databaseFile } from './sqlite/open.ts'
import { PAGE_BYTES } from './sqlite/schema.ts'
import { openSqliteStore } from './sqlite.ts'
import type { Store } from './store.ts'

const { endOf, makeChain, makeTrace } = chains

async function openFresh(): Promise<OpenedStore> {
  const place = await mkdtemp(join(tmpdir(), 'witan-'))
  const vaults: Store[] = []
  const reopen = async (): Promise<Store> => {
    const store = await openSqliteStore({ directory: place })
    vaults.push(store)
    return store
  }
  return {
    place,
    store: await reopen(),
    reopen,
    async execute(sql) {
      const { DatabaseSync } = await loadSqlite()
      const db = new DatabaseSync(databaseFile(place))
      try {
        db.exec(sql)
      } finally {
        db.close()
      }
    },
    async dispose() {
      for (const store of vaults) await store.close()
      await rm(place, { recursive: true })
    },
  }
}

describeStoreContract('SQLite', chains, openFresh)
describeSearchContract('SQLite', chains, openFresh)
describeStoreGuards('SQLite', openFresh)

const rawly = async <Result>(
  directory: string,
  work: (db: Database) => Result | Promise<Result>,
): Promise<Result> => {
  const { DatabaseSync } = await loadSqlite()
  const db = new DatabaseSync(databaseFile(directory))
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

describe('a SQLite store', () => {
  let base: string
  let directory: string
  let fresh = 0
  const file = () => databaseFile(directory)
  const listing = () => (existsSync(directory) ? readdirSync(directory).sort() : [])

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'witan-'))
  })
  afterAll(() => rm(base, { recursive: true }))
  beforeEach(() => {
    directory = join(base, String(fresh++))
  })

  const open = () => openSqliteStore({ directory })
  const openReadonly = () => openSqliteStore({ directory, readonly: true })

  /** A closed home with one trace. */
  async function home(count: number, payload = (seq: number) => ({ text: `event ${seq} `.repeat(90) })) {
    const store = await open()
    const trace = makeTrace()
    const events = makeChain({ trace, count, payload })
    for (let at = 0; at < count; at += 500) {
      await store.append(trace, endOf(events.slice(0, at)), events.slice(at, at + 500))
    }
    await store.close()
    return { trace, events }
  }

  async function codeOf(work: () => Promise<unknown>): Promise<string> {
    try {
      await work()
      return 'none'
    } catch (error) {
      if (!isWitanError(error)) throw error
      expect(error.next).not.toBe('')
      return error.code
    }
  }

  async function readAll(how: () => Promise<Store>): Promise<number> {
    const store = await how()
    try {
      let events = 0
      for (const { trace } of await store.traces()) {
        for await (const { header } of store.read(trace)) events += header.length > 0 ? 1 : 0
      }
      return events
    } finally {
      await store.close()
    }
  }

  it('makes its files for their owner alone', async () => {
    const store = await open()
    await store.append(...first(makeTrace()))
    await store.putArtifact(Buffer.alloc(100_000))
    const modes = (name: string) => statSync(join(directory, name)).mode & 0o777
    expect([modes('.'), modes('artifacts'), modes('artifacts/tmp')]).toEqual([0o700, 0o700, 0o700])
    expect([modes('witan.db'), modes('witan.db-wal')]).toEqual([0o600, 0o600])
    await store.close()
  })

  const first = (trace: string) => [trace, endOf([]), makeChain({ trace, count: 1 })] as const

  it('LED-2 refuses to replace a row, which no trigger on DELETE would see', async () => {
    const { trace } = await home(3)
    const columns = 'trace, seq, hash, prev, signature, header, payload, salt'
    const attempts = [
      `INSERT OR REPLACE INTO events(${columns}) SELECT ${columns} FROM events WHERE seq = 1`,
      `INSERT OR REPLACE INTO events(id, ${columns})
       SELECT 1, trace, 3, zeroblob(32), hash, signature, header, payload, salt FROM events WHERE seq = 2`,
      `INSERT OR REPLACE INTO traces(trace, protocol) VALUES ('${trace}', 'other/1')`,
      `INSERT OR REPLACE INTO traces(id, trace, protocol) VALUES (1, 'other', 'other/1')`,
      `UPDATE OR REPLACE events SET seq = 1 WHERE seq = 2`,
    ]
    await rawly(directory, (db) => {
      for (const sql of attempts) expect(() => db.exec(sql)).toThrow(/witan: /)
      expect(db.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 3 })
    })
  })

  it('LED-7 has the unique constraints in the schema itself', async () => {
    await home(1)
    const unique = await rawly(directory, (db) =>
      db
        .prepare(`SELECT group_concat(c.name, ',') AS columns FROM pragma_index_list('events') l,
                  pragma_index_info(l.name) c WHERE l."unique" = 1 GROUP BY l.name ORDER BY 1`)
        .all()
        .map((row) => row.columns),
    )
    expect(unique).toEqual(['trace,prev', 'trace,seq'])
  })

  it('takes no more than 1.3 times the canonical bytes at payloads of a kibibyte', async () => {
    const { events } = await home(5000, () => ({ text: 'x'.repeat(1013) }))
    const canonical = events.reduce(
      (sum, { header, payload }) => sum + header.length + (payload?.length ?? 0),
      0,
    )
    expect(statSync(file()).size / canonical).toBeLessThan(1.3)
    expect(statSync(`${file()}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  })

  it('LED-16 reports a missing home if it may only read, and creates nothing', async () => {
    expect(await codeOf(openReadonly)).toBe('HOME_MISSING')
    mkdirSync(directory)
    expect(await codeOf(openReadonly)).toBe('HOME_MISSING')
    expect(listing()).toEqual([])
    writeFileSync(file(), '')
    expect(await codeOf(openReadonly)).toBe('HOME_MISSING')
    expect(await readAll(open)).toBe(0)
    expect(await readAll(openReadonly)).toBe(0)
  })

  it('LED-16 leaves files of other programs alone', async () => {
    const foreign: Record<string, () => Promise<void> | void> = {
      text: () => writeFileSync(file(), 'Dear diary,\nthis is a long enough text to look at.\n'.repeat(9)),
      short: () => writeFileSync(file(), 'x'),
      zeros: () => writeFileSync(file(), Buffer.alloc(4096)),
      database: () =>
        rawly(directory, (db) => db.exec('CREATE TABLE events(x); INSERT INTO events VALUES (1)')),
      logged: () => rawly(directory, (db) => db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t(x)')),
    }
    for (const [name, make] of Object.entries(foreign)) {
      directory = join(base, `foreign-${name}`)
      mkdirSync(directory)
      await make()
      const before = [listing(), readFileSync(file())]
      expect([name, await codeOf(open), await codeOf(openReadonly)]).toEqual([
        name,
        'VAULT_FOREIGN',
        'VAULT_FOREIGN',
      ])
      expect([listing(), readFileSync(file())]).toEqual(before)
    }
  })

  it('LED-16 refuses a directory in place of the file, and a store of a later version', async () => {
    mkdirSync(file(), { recursive: true })
    expect(await codeOf(open)).toBe('VAULT_FOREIGN')
    directory = join(base, 'later')
    await home(1)
    await rawly(directory, (db) => db.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)'))
    expect(await codeOf(open)).toBe('VAULT_FOREIGN')
  })

  it('LED-16 reports a truncated file and does not touch it', async () => {
    await home(200)
    const whole = readFileSync(file())
    for (const size of [1, 16, 50, 99, 100, 5000, PAGE_BYTES, PAGE_BYTES * 3, whole.length - 1]) {
      writeFileSync(file(), whole)
      truncateSync(file(), size)
      for (const how of [open, openReadonly]) {
        expect([size, await codeOf(() => readAll(how))]).toEqual([size, 'VAULT_CORRUPT'])
      }
      expect(readFileSync(file()).equals(whole.subarray(0, size))).toBe(true)
    }
  })

  it('LED-16 reports overwritten pages or reads past them, and does not touch the file', async () => {
    await home(100)
    const whole = readFileSync(file())
    const found = new Set<string>()
    for (let at = PAGE_BYTES; at < whole.length; at += PAGE_BYTES) {
      for (const start of [at, at + PAGE_BYTES / 2]) {
        const damaged = Buffer.from(whole).fill(0xa5, start, start + PAGE_BYTES / 2)
        writeFileSync(file(), damaged)
        const result = await codeOf(async () => expect(await readAll(open)).toBe(100))
        expect(['none', 'VAULT_CORRUPT']).toContain(result)
        found.add(result)
        expect(readFileSync(file()).equals(damaged)).toBe(true)
      }
    }
    expect(found).toContain('VAULT_CORRUPT')
  })

  it('LED-14 leaves erased bytes in no file of the home', async () => {
    const marks = Array.from({ length: 60 }, (_, seq) => `<<erase me ${seq} ${makeTrace()}>>`)
    const sizes = [1, 20, 150, 900, 4000]
    const text = (seq: number) => (marks[seq] ?? '').repeat(sizes[seq % sizes.length] ?? 1)
    const { trace } = await home(60, (seq) => ({ text: text(seq) }))
    const store = await open()
    const registry = makeTrace()
    await store.append(registry, endOf([]), makeChain({ trace: registry, protocol: 'registry/1', count: 1 }))
    const order = { trace: registry, seq: 0 }
    const { hash } = await store.putArtifact(Buffer.from('<<erase this artifact>>'.repeat(50_000)))
    const holding = (mark: string) =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(mark))
        .map(({ name }) => name)
    expect(holding('<<erase this artifact>>')).toEqual([hash])
    await store.erase({ trace, seq: null, artifact: hash, registry: order })
    expect(holding('<<erase this artifact>>')).toEqual([])
    for (const seq of marks.map((_, i) => (i * 37) % 60)) {
      expect(holding(marks[seq] ?? '')).not.toEqual([])
      await store.erase({ trace, seq, artifact: null, registry: order })
      expect(holding(marks[seq] ?? '')).toEqual([])
    }
    await store.close()
  })

  it('LED-14 says so when a reader keeps erased bytes in the log, and finishes when asked again', async () => {
    const { trace } = await home(2, () => ({ text: '<<held by a reader>>' }))
    const store = await open()
    const registry = makeTrace()
    await store.append(registry, endOf([]), makeChain({ trace: registry, protocol: 'registry/1', count: 1 }))
    const erasure = { trace, seq: 1, artifact: null, registry: { trace: registry, seq: 0 } }
    await rawly(directory, async (reader) => {
      reader.exec('BEGIN')
      reader.prepare('SELECT count(*) FROM events').get()
      expect(await codeOf(() => store.erase(erasure))).toBe('VAULT_BUSY')
      reader.exec('COMMIT')
    })
    await store.erase(erasure)
    expect(statSync(`${file()}-wal`).size).toBe(0)
    await store.close()
  }, 60_000)

  describe('on a disk with a fault', () => {
    const possible = canMount()
    let script: string
    beforeAll(async () => {
      script = await bundleScript('test/support/store-in-trouble.ts')
    })
    const said = async (child: ReturnType<typeof onSmallDisk>) => JSON.parse(await child.line(/^\{/))

    it.skipIf(!possible)(
      'LED-16 reports a full disk, keeps what it had and goes on when there is space',
      async () => {
        mkdirSync(directory)
        expect(await said(onSmallDisk(directory, 4096, script, 'full', directory))).toEqual({
          founded: ['DISK_FULL', 'none'],
          appending: 'DISK_FULL',
          artifact: 'DISK_FULL',
          debris: 0,
          key: 'DISK_FULL',
          whole: true,
          afterwards: 'none',
          grown: true,
        })
      },
    )

    const refusals = { append: 'HOME_READONLY', artifact: 'HOME_READONLY', key: 'HOME_READONLY' }

    it.skipIf(!possible)(
      'LED-16 reads a home where nothing can be written, and refuses to write',
      async () => {
        await home(30)
        const before = listing()
        const answer = await said(onReadonlyDisk(directory, script, 'readonly', directory))
        expect(answer).toEqual({ read: 'none', sizes: [30], ...refusals })
        // A driver may let go of the log of the closed home only now; everything else is there as it was.
        const lasting = (names: readonly string[]) => names.filter((name) => !/-(?:wal|shm)$/.test(name))
        expect(lasting(listing())).toEqual(lasting(before))
        expect(before).toEqual(expect.arrayContaining(listing()))
      },
    )

    it.skipIf(!possible)('LED-16 never shows fewer events than exist if the log cannot be read', async () => {
      const store = await open()
      await store.append(...first(makeTrace()))
      const [source, whole] = [directory, join(base, 'with-shm')]
      directory = join(base, 'without-shm')
      for (const copy of [whole, directory]) {
        mkdirSync(copy)
        for (const name of ['witan.db', 'witan.db-wal']) copyFileSync(join(source, name), join(copy, name))
      }
      copyFileSync(join(source, 'witan.db-shm'), join(whole, 'witan.db-shm'))
      await store.close()
      const without = await said(onReadonlyDisk(directory, script, 'readonly', directory))
      expect(without).toEqual({ read: 'HOME_READONLY', sizes: [], ...refusals })
      const answer = await said(onReadonlyDisk(whole, script, 'readonly', whole))
      expect([
        ['none', [1]],
        ['HOME_READONLY', []],
      ]).toContainEqual([answer.read, answer.sizes])
    })
  })
})
