import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { describeStoreContract } from '../../test/contracts/stores.ts'
import * as chains from '../../test/support/events.ts'
import { freshDatabase } from '../../test/support/postgres.ts'
import { openStore, type PostgresStore, withClient } from '../../test/support/postgres-store.ts'
import { describeSearchContract } from '../../test/support/search-contract.ts'
import { describeStoreGuards } from '../../test/support/store-guards.ts'
import { GENESIS } from '../ledger/event.ts'
import { batchOf } from './postgres/event-batch.ts'
import { openPostgresStore } from './postgres.ts'

const { endOf, makeChain, makeTrace } = chains
const NEW = { size: 0, hash: GENESIS }
const server = inject('postgresUrl')

if (server === null) {
  describe.skip('the PostgreSQL store (skipped: no PostgreSQL server in this run)', () => {
    it('needs a server', () => {})
  })
} else {
  describeStoreContract('PostgreSQL', chains, () => openStore(server))
  describeSearchContract('PostgreSQL', chains, () => openStore(server))
  describeStoreGuards('PostgreSQL', () => openStore(server))
  describeAppending(server)
  describeOpening(server)
}

function describeAppending(server: string): void {
  describe('appending to PostgreSQL', () => {
    let database: PostgresStore
    const trace = makeTrace()
    const events = makeChain({ trace, count: 4 })
    const upTo = (size: number) => endOf(events.slice(0, size))

    beforeEach(async () => {
      database = await openStore(server)
      await database.store.append(trace, NEW, events.slice(0, 1))
    })
    afterEach(() => database.dispose())

    const APPEND = 'SELECT witan.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS done'
    const valuesOf = (at: number, next: typeof events) => {
      const batch = batchOf(trace, upTo(at), next)
      return [trace, batch?.protocol, at, batch?.prev, ...(batch?.columns ?? []), null]
    }

    it.each(['read committed', 'repeatable read', 'serializable'])(
      'LED-6 sees what was committed while it waited for the lock, though the default is %s',
      async (isolation) => {
        await database.execute(`DO $$ BEGIN EXECUTE format(
          'ALTER DATABASE %I SET default_transaction_isolation = %L', current_database(), '${isolation}'
        ); END $$`)
        const later = await database.reopen()
        await withClient(database.place, async (client) => {
          await client.query('BEGIN')
          await client.query(APPEND, valuesOf(1, events.slice(1, 2)))
          const stale = later.append(
            trace,
            upTo(1),
            makeChain({ trace, count: 1, from: 1, prev: upTo(1).hash }),
          )
          const fitting = database.store.append(trace, upTo(2), events.slice(2))
          const outcome = Promise.allSettled([stale, fitting])
          const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
          await expect.poll(async () => (await client.query(waiting)).rows[0]?.n).toBe(2)
          await client.query('COMMIT')
          // Whichever of the two gets the lock first: the one at the stale head loses, the other fits.
          expect(await outcome).toMatchObject([
            { status: 'rejected', reason: { code: 'HEAD_MOVED' } },
            { status: 'fulfilled' },
          ])
        })
        expect(await later.hashes(trace)).toEqual(events.map(({ hash }) => hash))
      },
    )

    it('LED-6 appends to one trace while another is locked', async () => {
      const other = makeTrace()
      await withClient(database.place, async (client) => {
        await client.query('BEGIN')
        await client.query(APPEND, valuesOf(1, events.slice(1, 2)))
        await database.store.append(other, NEW, makeChain({ trace: other, count: 3 }))
        expect((await database.store.head(other))?.size).toBe(3)
        await client.query('ROLLBACK')
      })
      expect((await database.store.head(trace))?.size).toBe(1)
    })

    it('LED-2 refuses TRUNCATE, and changes to artifacts, from any client', async () => {
      const { hash } = await database.store.putArtifact(Buffer.alloc(3_000_000, 1))
      const forbidden = [
        ...['events', 'traces', 'redactions', 'artifacts', 'artifact_chunks'].map(
          (t) => `TRUNCATE ${t} CASCADE`,
        ),
        'DELETE FROM artifacts',
        'DELETE FROM artifact_chunks',
        'UPDATE artifacts SET size = 1',
        `UPDATE artifact_chunks SET bytes = ''`,
        `INSERT INTO artifact_chunks SELECT upload, 99, '' FROM artifacts`,
        `SET session_replication_role = replica; DELETE FROM events`,
      ]
      for (const sql of forbidden) await expect(database.execute(sql), sql).rejects.toThrow()
      expect(await database.store.statArtifact(hash)).toEqual({ hash, size: 3_000_000 })
      expect(await database.store.hashes(trace)).toHaveLength(1)
    })

    it('LED-8 removes files of a dead writer, and leaves those of a live one', async () => {
      const dead = '00000000-0000-4000-8000-000000000000'
      await database.execute(`INSERT INTO uploads VALUES ('${dead}')`)
      await database.execute(`INSERT INTO artifact_chunks VALUES ('${dead}', 0, 'half')`)
      const other = await database.reopen()
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(2_500_000, 2)
        await other.putArtifact(Buffer.alloc(2_500_000, 3))
        yield Buffer.alloc(1_000_000, 4)
      }
      const { size } = await database.store.putArtifact(slow())
      expect(size).toBe(3_500_000)
      const [left] = await database.rows<{ uploads: number; chunks: number }>(`
        SELECT (SELECT count(*)::int FROM uploads) AS uploads, count(*)::int AS chunks FROM artifact_chunks`)
      expect(left).toEqual({ uploads: 0, chunks: 7 })
    })

    it('LED-8 leaves nothing of a long source that fails', async () => {
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(2_500_000, 5)
        throw new Error('the source broke')
      }
      await expect(database.store.putArtifact(failing())).rejects.toThrow('the source broke')
      expect(await database.rows('SELECT 1 FROM artifact_chunks')).toEqual([])
    })

    it('LED-17 does not treat a clerk with a broken connection as dead', async () => {
      const clerk = makeTrace()
      const leave = await database.store.attend(clerk)
      const colleague = await database.reopen()
      await database.execute(
        `SELECT pg_terminate_backend(pid) FROM pg_locks
         WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      expect(await colleague.attends(clerk)).toBe(true)
      await leave()
      expect(await colleague.attends(clerk)).toBe(false)
    })

    it('reads large payloads in pages that stay small', async () => {
      const id = makeTrace()
      const large = makeChain({
        trace: id,
        count: 24,
        payload: (seq) => ({ text: `${seq}`.repeat(400_000) }),
      })
      await database.store.append(id, NEW, large)
      const seen: string[] = []
      for await (const event of database.store.read(id, 1)) seen.push(event.hash)
      expect(seen).toEqual(large.slice(1).map(({ hash }) => hash))
    })
  })
}

function describeOpening(server: string): void {
  describe('opening a PostgreSQL store', () => {
    let database: { readonly url: string; drop(): Promise<void> }

    beforeEach(async () => {
      database = await freshDatabase(server)
    })
    afterEach(() => database.drop())

    const execute = (sql: string) => withClient(database.url, (client) => client.query(sql))

    it('lets many processes create the same store at once', async () => {
      const vaults = await Promise.all([1, 2, 3, 4].map(() => openPostgresStore({ url: database.url })))
      for (const store of vaults) expect(await store.traces()).toEqual([])
      for (const store of vaults) await store.close()
    })

    it.each([
      'CREATE TABLE witan.events (id int)',
      'CREATE TABLE witan.witan_meta (name text)',
      `CREATE TABLE witan.witan_meta (program text, version int); INSERT INTO witan.witan_meta VALUES ('other', 1)`,
      `CREATE TABLE witan.witan_meta (program text, version int); INSERT INTO witan.witan_meta VALUES ('witan', 99)`,
      'CREATE FUNCTION witan.refuse() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    ])('LED-16 refuses a schema of another program untouched: %s', async (sql) => {
      await execute(`CREATE SCHEMA witan; ${sql}`)
      const things = `SELECT relname FROM pg_class WHERE relnamespace = 'witan'::regnamespace ORDER BY 1`
      const before = (await execute(things)).rows
      await expect(openPostgresStore({ url: database.url })).rejects.toMatchObject({ code: 'VAULT_FOREIGN' })
      expect((await execute(things)).rows).toEqual(before)
      const beside = await openPostgresStore({ url: database.url, schema: 'witan_beside' })
      expect(await beside.traces()).toEqual([])
      await beside.close()
    })

    it('LED-16 finds a table missing', async () => {
      await (await openPostgresStore({ url: database.url })).close()
      await execute('DROP TABLE witan.redactions')
      await expect(openPostgresStore({ url: database.url })).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
    })

    it('LED-16 reads without the right to write, and says so when asked to write', async () => {
      await (await openPostgresStore({ url: database.url })).close()
      const own = new URL(database.url)
      await execute(`ALTER DATABASE ${own.pathname.slice(1)} SET default_transaction_read_only = on`)
      const store = await openPostgresStore({ url: database.url })
      const trace = makeTrace()
      expect(await store.traces()).toEqual([])
      const attempt = store.append(trace, NEW, makeChain({ trace, count: 1 }))
      await expect(attempt).rejects.toMatchObject({ code: 'HOME_READONLY' })
      await store.close()
    })

    it('LED-16 says that a server cannot be reached, and never the password', async () => {
      const secret = 'op3n-s3same'
      const broken = (change: (url: URL) => void) => {
        const url = new URL(database.url)
        url.password = secret
        change(url)
        return url.href
      }
      const cases: [string, string][] = [
        [broken(() => {}), 'VAULT_UNREACHABLE'],
        [
          broken((url) => {
            url.port = '1'
          }),
          'VAULT_UNREACHABLE',
        ],
        [
          broken((url) => {
            url.hostname = 'host.invalid'
          }),
          'VAULT_UNREACHABLE',
        ],
        [`postgres://user:12/${secret}@host.invalid/db`, 'VAULT_UNREACHABLE'],
        [`postgres://user:${secret}@[/db`, 'CONFIG_INVALID'],
        [`mysql://user:${secret}@host/db`, 'CONFIG_INVALID'],
      ]
      const { username, password, host } = new URL(database.url)
      cases.push([`postgres://${username}:${password}@${host}/no_such_database`, 'VAULT_UNREACHABLE'])
      for (const [url, code] of cases) {
        const error: unknown = await openPostgresStore({ url, patience: 0 }).catch(
          (thrown: unknown) => thrown,
        )
        expect(error).toMatchObject({ code, next: expect.stringMatching(/\w/) })
        const shown = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`
        expect(shown).not.toContain(secret)
        expect(shown).not.toContain(password)
      }
    })

    it('keeps no connection when it is closed', async () => {
      const store = await openPostgresStore({ url: database.url })
      const trace = makeTrace()
      const watched = store.watch(trace, 0, new AbortController().signal)
      await store.attend('anna')
      await store.append(trace, NEW, makeChain({ trace, count: 1 }))
      await watched
      const endless = store.watch(trace, 9, new AbortController().signal)
      await store.close()
      await endless
      await expect(store.head(trace)).rejects.toMatchObject({ code: 'VAULT_UNREACHABLE' })
      const others = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'witan' AND datname = current_database()`
      await expect.poll(async () => (await execute(others)).rowCount).toBe(0)
    })
  })
}
