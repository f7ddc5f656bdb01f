// What a durable store refuses by itself, no matter who asks: SQL is thrown at it past the port, and a process is killed
// under it. Run for every store that keeps its ledgers in a database.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedTestStore } from '../contracts/stores.ts'
import { bundleScript, startScript } from './children.ts'
import { endOf, makeChain, makeTrace } from './events.ts'

export interface OpenedStore extends OpenedTestStore {
  /** What `openVaultAt` opens in another process. */
  readonly place: string
  /** SQL past the port, on tables traces, events and redactions. Rejects when the store refuses. */
  execute(sql: string): Promise<void>
}

const COLUMNS = 'hash, header, signature, payload, salt'
const insert = (seq: string, prev: string, where: string) =>
  `INSERT INTO events (trace, seq, prev, ${COLUMNS}) SELECT trace, ${seq}, ${prev}, ${COLUMNS} FROM events ${where}`

const FORBIDDEN = [
  'UPDATE events SET payload = header',
  'UPDATE events SET payload = NULL, salt = NULL',
  'UPDATE events SET signature = header WHERE seq = 1',
  'UPDATE events SET seq = seq + 10 WHERE seq = 2',
  'DELETE FROM events',
  'DELETE FROM events WHERE seq = 2',
  `UPDATE traces SET protocol = 'other/1'`,
  'DELETE FROM traces',
  'UPDATE redactions SET seq = 0',
  'DELETE FROM redactions',
]

const FORKING = [
  insert('1', 'prev', 'WHERE seq = 1'),
  insert('1', 'hash', 'WHERE seq = 2'),
  insert('99', 'prev', 'WHERE seq = 2'),
]

export function describeStoreGuards(name: string, open: () => Promise<OpenedStore>): void {
  describe(`the store's own guards: ${name}`, () => {
    let opened: OpenedStore
    const trace = makeTrace()
    const registry = makeTrace()

    /** One trace with an erased payload, beside the registry that ordered it. */
    beforeEach(async () => {
      opened = await open()
      const { store } = opened
      await store.append(trace, endOf([]), makeChain({ trace, count: 3 }))
      await store.append(
        registry,
        endOf([]),
        makeChain({ trace: registry, count: 1, protocol: 'registry/1' }),
      )
      await store.erase({ trace, seq: 0, artifact: null, registry: { trace: registry, seq: 0 } })
    })
    afterEach(() => opened.dispose())

    async function everything(): Promise<string> {
      const found: unknown[] = [await opened.store.traces()]
      for (const id of [trace, registry]) {
        for await (const { hash, payload, salt, ...rest } of opened.store.read(id)) {
          found.push([hash, payload?.length, salt?.length, Buffer.from(rest.signature).toString('hex')])
        }
      }
      return JSON.stringify(found)
    }

    it.each(FORBIDDEN)('LED-2 refuses %s', async (sql) => {
      const before = await everything()
      await expect(opened.execute(sql)).rejects.toThrow()
      expect(await everything()).toBe(before)
    })

    it.each(FORKING)('LED-7 refuses a fork: %s', async (sql) => {
      const before = await everything()
      await expect(opened.execute(`${sql} AND payload IS NOT NULL`)).rejects.toThrow()
      expect(await everything()).toBe(before)
    })

    it('LED-14 erases a payload by hand only where a redaction is recorded, and touches nothing else of it', async () => {
      const before = await everything()
      await opened.execute('UPDATE events SET payload = NULL, salt = NULL WHERE payload IS NULL')
      await expect(
        opened.execute('UPDATE events SET payload = NULL, salt = NULL, header = hash WHERE payload IS NULL'),
      ).rejects.toThrow()
      expect(await everything()).toBe(before)
    })

    it('does not count a clerk whose process was killed', async () => {
      const child = startScript(await bundleScript('test/support/attend-store.ts'), [opened.place, 'anna'])
      await child.line(/^here$/)
      expect(await opened.store.attends('anna')).toBe(true)
      await child.kill()
      await expect.poll(() => opened.store.attends('anna'), { timeout: 10_000 }).toBe(false)
      const leave = await opened.store.attend('anna')
      expect(await opened.store.attends('anna')).toBe(true)
      await leave()
    })
  })
}
