// Text under way, over a real socket in a real folder: what arrives, who may open it, and that no one waits for a reader.

import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { withClient } from '../../../test/support/postgres-store.ts'
import { hearTable, tellByTable } from '../postgres/live-table.ts'
import { type LiveText, MOST_CHARS } from './live-text.ts'
import { hearSocket, tellBySocket } from './socket.ts'

const TRACE = '01J00000000000000000000001'
const OTHER = '01J00000000000000000000002'
const PATIENCE = { timeout: 20_000, interval: 20 }

let home: string
const ending: (() => Promise<void> | void)[] = []

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'witan-live-'))
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
  rmSync(home, { recursive: true, force: true })
})

async function heardIn(folder: string): Promise<LiveText[]> {
  const heard: LiveText[] = []
  const listener = await hearSocket(folder, (writing) => heard.push(writing))
  ending.push(() => listener.close())
  return heard
}

function tellerIn(folder: string) {
  const teller = tellBySocket(folder)
  ending.push(() => teller.close())
  return teller
}

const last = (heard: readonly LiveText[], who: string): string | undefined =>
  heard.findLast((writing) => writing.who === who)?.text

describe('text that is being written, over a socket', () => {
  it('is received as it grows, begins again with its writer, and keeps only its end', async () => {
    const heard = await heardIn(home)
    const teller = tellerIn(home)
    teller.tell(TRACE, 'ana', 'one ')
    teller.tell(TRACE, 'ana', 'two')
    teller.tell(TRACE, 'ben', 'x')
    await vi.waitFor(() => expect(last(heard, 'ana')).toBe('one two'), PATIENCE)
    expect(last(heard, 'ben')).toBe('x')
    teller.tell(TRACE, 'ana', null)
    teller.tell(TRACE, 'ana', 'anew')
    await vi.waitFor(() => expect(last(heard, 'ana')).toBe('anew'), PATIENCE)
    teller.tell(TRACE, 'ana', 'z'.repeat(3 * MOST_CHARS))
    await vi.waitFor(() => expect(last(heard, 'ana')).toBe('z'.repeat(MOST_CHARS)), PATIENCE)
  })

  it('reaches a later listener whole', async () => {
    const teller = tellerIn(home)
    teller.tell(TRACE, 'ana', 'before anyone listened, ')
    const heard = await heardIn(home)
    await vi.waitFor(() => {
      teller.tell(TRACE, 'ben', '.')
      expect(last(heard, 'ana')).toBe('before anyone listened, ')
    }, PATIENCE)
  })

  it('can be opened by its owner alone, in a home with a path of any length, and takes the place of a dead one', async () => {
    const deep = join(home, 'a'.repeat(60), 'b'.repeat(60))
    mkdirSync(deep, { recursive: true })
    writeFileSync(join(deep, 'live.sock'), 'left by a console that was killed')
    const heard = await heardIn(deep)
    expect(statSync(join(deep, 'live.sock')).isSocket()).toBe(true)
    expect(statSync(join(deep, 'live.sock')).mode & 0o777).toBe(0o600)
    tellerIn(deep).tell(TRACE, 'ana', 'deep')
    await vi.waitFor(() => expect(last(heard, 'ana')).toBe('deep'), PATIENCE)
  })

  it('does not wait for a reader that reads nothing', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => sockets.push(socket.pause()))
    server.listen(join(home, 'live.sock'))
    await once(server, 'listening')
    ending.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const teller = tellBySocket(home)
    const before = process.memoryUsage().rss
    for (let i = 0; i < 200; i++) {
      for (let n = 0; n < 100; n++) teller.tell(TRACE, `seat-${n % 64}`, 'word '.repeat(400))
      await new Promise((resolve) => setImmediate(resolve))
    }
    // 40 MB were written; what waits is bounded by the last of each.
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20)
    await teller.close()
  })

  it('disconnects a client that sends anything', async () => {
    const heard = await heardIn(home)
    for (const bytes of ['no json\n', '{"trace":"../x","who":"a","text":"b"}\n', 'x'.repeat(200_000)]) {
      const socket = connect(join(home, 'live.sock'))
      const closed = new Promise((resolve) => socket.on('close', resolve))
      socket.on('error', () => undefined)
      socket.write(bytes)
      await closed
    }
    expect(heard).toEqual([])
  })
})

const server = inject('postgresUrl')

describe.skipIf(server === null)(
  `text that is being written, over a table${server ? '' : ' (skipped: no server)'}`,
  () => {
    it('is received for watched traces, is stored in an unlogged table, and is removed with its writer', async () => {
      const database = await freshDatabase(server ?? '')
      ending.push(() => database.drop())
      const heard: LiveText[] = []
      let watched = [TRACE]
      const listener = await hearTable(
        database.url,
        () => watched,
        (writing) => heard.push(writing),
      )
      ending.push(() => listener.close())
      const teller = tellByTable(database.url)
      teller.tell(TRACE, 'ana', 'one \0')
      teller.tell(OTHER, 'ben', 'elsewhere')
      await vi.waitFor(() => expect(last(heard, 'ana')).toBe('one '), PATIENCE)
      teller.tell(TRACE, 'ana', 'two')
      await vi.waitFor(() => expect(last(heard, 'ana')).toBe('one two'), PATIENCE)
      expect(last(heard, 'ben')).toBeUndefined()
      watched = [OTHER]
      await vi.waitFor(() => expect(last(heard, 'ben')).toBe('elsewhere'), PATIENCE)
      const query = (sql: string) =>
        withClient(database.url, async (client) => (await client.query(sql)).rows)
      expect(
        await query(`SELECT relpersistence AS kept FROM pg_class WHERE oid = 'witan_live.writing'::regclass`),
      ).toEqual([{ kept: 'u' }])
      await teller.close()
      expect(await query('SELECT * FROM witan_live.writing')).toEqual([])
    })
  },
)
