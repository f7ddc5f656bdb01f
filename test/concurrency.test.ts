// LED-6 and LED-7: eight processes append to one trace as fast as they can.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { audit, collectKeys, type Keys } from './support/audit.ts'
import { bundleScript, startScript } from './support/children.ts'
import { makeTrace } from './support/events.ts'
import { freshDatabase } from './support/postgres.ts'
import { openVaultAt } from './support/store-at.ts'

const PROCESSES = 8
const APPENDS = 500

describe('many processes on one trace', () => {
  let script: string
  beforeAll(async () => {
    script = await bundleScript('test/support/append-racing.ts')
  })

  /** The store does not exist yet: making it is part of the race. */
  async function contend(kind: string, place: string): Promise<void> {
    const trace = makeTrace()
    const names = Array.from({ length: PROCESSES }, (_, i) => `process-${i}`)
    const children = names.map((name) => startScript(script, [place, trace, String(APPENDS), name]))
    const keys: Keys = new Map()
    let retries = 0
    for (const child of children) {
      expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
      collectKeys(child.lines(), keys)
      retries += Number((await child.line(/^done /)).split(' ')[1])
    }
    const store = await openVaultAt(place)
    const { hashes, payloads } = await audit(store, trace, keys)
    await store.close()
    console.log(
      `${kind}: ${PROCESSES} processes × ${APPENDS} appends: ${hashes.length} events, ${retries} retries`,
    )
    expect(hashes).toHaveLength(PROCESSES * APPENDS)
    expect(new Set(hashes).size).toBe(PROCESSES * APPENDS)
    for (const name of names) {
      const own = payloads.filter(({ by }) => by === name).map(({ n }) => n)
      expect(own).toEqual(Array.from({ length: APPENDS }, (_, n) => n))
    }
  }

  it('LED-6 LED-7 keeps one chain without fork or loss in SQLite', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'witan-many-'))
    try {
      await contend('SQLite', join(directory, 'home'))
    } finally {
      await rm(directory, { recursive: true })
    }
  }, 180_000)

  const url = inject('postgresUrl')
  it.skipIf(url === null)(
    'LED-6 LED-7 keeps one chain without fork or loss in PostgreSQL',
    async () => {
      const database = await freshDatabase(url ?? '')
      try {
        await contend('PostgreSQL', database.url)
      } finally {
        await database.drop()
      }
    },
    180_000,
  )
})
