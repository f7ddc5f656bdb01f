import { readdir, readFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { makeChain, makeTrace } from '../../../test/support/events.ts'
import { openStore, type PostgresStore, withClient } from '../../../test/support/postgres-store.ts'
import { GENESIS } from '../../ledger/event.ts'
import { openPostgresStore } from '../postgres.ts'
import { storeError } from './connection.ts'

const NEW = { size: 0, hash: GENESIS }
const server = inject('postgresUrl')

describe('what PostgreSQL reports', () => {
  it.each([
    ['53100', 'DISK_FULL'],
    ['25006', 'HOME_READONLY'],
    ['28P01', 'VAULT_UNREACHABLE'],
    ['57P01', 'VAULT_UNREACHABLE'],
    ['ECONNRESET', 'VAULT_UNREACHABLE'],
    ['53300', 'VAULT_BUSY'],
    ['55P03', 'VAULT_BUSY'],
    ['WTN01', 'VAULT_REFUSED'],
    ['42501', 'VAULT_REFUSED'],
    ['42P01', 'VAULT_CORRUPT'],
    ['XX001', 'VAULT_CORRUPT'],
    // Prepared statements of other clients, or none of one's own: only a pooler gives those.
    ['42P05', 'CONFIG_INVALID'],
    ['26000', 'CONFIG_INVALID'],
  ])('LED-16 becomes one of our codes: %s is %s', (state, code) => {
    const theirs = Object.assign(new Error('at postgres://me:secret@host/db'), {
      code: state,
      client: { secret: 1 },
    })
    const ours = storeError(theirs, 'host/db')
    expect(ours).toMatchObject({ code, next: expect.stringMatching(/\w/) })
    expect((ours as Error).message).not.toContain('secret')
    expect((ours as Error).cause).toBeUndefined()
  })

  it('passes on an error of the code unchanged', () => {
    const bug = new TypeError('undefined is not a function')
    expect(storeError(bug, 'host')).toBe(bug)
  })
})

/** Passes everything on until told to cut: then the server gets the next request and the client no answer. */
async function startProxy(target: URL) {
  const open = new Set<Socket>()
  let cutting = false
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    }
    client.on('data', (bytes) => upstream.write(bytes)).on('close', () => upstream.end())
    upstream
      .on('close', () => client.end())
      .on('data', (bytes) => {
        if (!cutting) return void client.write(bytes)
        cutting = false
        client.destroy()
      })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(target.href)
  const address = proxy.address()
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    cutNextAnswer() {
      cutting = true
    },
    close() {
      proxy.close()
      for (const socket of open) socket.destroy()
    },
  }
}

describe.skipIf(server === null)(
  `a PostgreSQL store with faults${server ? '' : ' (skipped: no server)'}`,
  () => {
    let database: PostgresStore
    const trace = makeTrace()
    const registry = makeTrace()
    const MARK = 'a sentence that must vanish'

    beforeEach(async () => {
      database = await openStore(server ?? '')
    })
    afterEach(() => database.dispose())

    it.each([1, 64])('LED-9 appends %i events once if the answer is lost', async (count) => {
      const proxy = await startProxy(new URL(database.place))
      const store = await openPostgresStore({ url: proxy.url })
      const first = makeChain({ trace, count: 2 })
      await store.append(trace, NEW, first)
      for (let size = 2; size < 2 + count * 3; size += count) {
        const head = await database.store.head(trace)
        const next = makeChain({ trace, count, from: size, prev: head?.hash ?? '' })
        proxy.cutNextAnswer()
        await store.append(trace, { size, hash: head?.hash ?? '' }, next)
        expect(await database.store.hashes(trace, size)).toEqual(next.map(({ hash }) => hash))
      }
      await store.close()
      proxy.close()
    })

    /** A trace with something to erase, an artifact, and the registry that orders it. */
    async function begin(bytes: Uint8Array) {
      const payload = (seq: number) => ({ text: seq === 0 ? 'kept' : MARK })
      await database.store.append(trace, NEW, makeChain({ trace, count: 4, payload }))
      await database.store.append(
        registry,
        NEW,
        makeChain({ trace: registry, count: 1, protocol: 'registry/1' }),
      )
      const { hash } = await database.store.putArtifact(bytes)
      return { hash, by: { trace: registry, seq: 0 } }
    }

    /** Files of this database, write-ahead log not counted, in which the bytes stand. */
    async function filesWith(text: string): Promise<readonly string[]> {
      const [place] = await database.rows<{ dir: string }>(
        `SELECT current_setting('data_directory') || '/base/' || oid AS dir FROM pg_database WHERE datname = current_database()`,
      )
      await database.execute('CHECKPOINT')
      const found: string[] = []
      for (const name of await readdir(place?.dir ?? '')) {
        const bytes = await readFile(join(place?.dir ?? '', name)).catch(() => Buffer.alloc(0))
        if (bytes.includes(text)) found.push(name)
      }
      return found
    }

    it('LED-14 leaves erased bytes in no file of the database', async () => {
      const noise = (text: string) => Buffer.from(`${text} `.repeat(100_000))
      const { hash, by } = await begin(noise('an artifact that must vanish'))
      await database.store.putArtifact(noise('an artifact that stays'))
      expect(await filesWith('an artifact that must vanish')).not.toEqual([])
      for (const seq of [1, 2, 3]) await database.store.erase({ trace, seq, artifact: null, registry: by })
      await database.store.erase({ trace, seq: null, artifact: hash, registry: by })
      expect(await filesWith('an artifact that must vanish')).toEqual([])
      expect(await filesWith('must vanish')).toEqual([])
      expect(await filesWith('an artifact that stays')).not.toEqual([])
    })

    it.each(['LOCK TABLE witan.events IN ACCESS SHARE MODE', 'SELECT count(*) FROM pg_class'])(
      'LED-14 says when others keep the erased bytes alive, and finishes when erasing again: %s',
      async (sql) => {
        const { by } = await begin(Uint8Array.of(1))
        const erasure = { trace, seq: 1, artifact: null, registry: by }
        await withClient(database.place, async (client) => {
          await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
          await client.query(sql)
          await expect(database.store.erase(erasure)).rejects.toMatchObject({ code: 'VAULT_BUSY' })
        })
        await database.store.erase(erasure)
      },
    )
  },
)
