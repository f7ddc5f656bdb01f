// LED-9: SIGKILL at random moments, again and again on the same home.
import { randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../src/stores/sqlite.ts'
import { audit, collectKeys, type Keys } from './support/audit.ts'
import { bundleScript, startScript } from './support/children.ts'
import { endOf, makeChain, makeTrace, testKey } from './support/events.ts'

const KILLS = 110
const HOMES = 2

describe('a process killed while it appends', () => {
  let base: string
  let script: string
  const homes = Array.from({ length: HOMES }, (_, i) => ({ name: `home-${i}`, trace: makeTrace() }))

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'witan-crash-'))
    script = await bundleScript('test/support/append-endlessly.ts')
  })
  afterAll(() => rm(base, { recursive: true }))

  interface Witnessed {
    readonly keys: Keys
    readonly acknowledged: { readonly size: number; readonly hash: string }[]
  }

  /** Most die while they append, some while they still open the store. */
  async function killOnce(
    directory: string,
    trace: string,
    { keys, acknowledged }: Witnessed,
  ): Promise<void> {
    const child = startScript(script, [directory, trace])
    if (randomInt(8) > 0) await child.line(/^ready$/)
    await pause(randomInt(0, 160))
    await child.kill()
    const { errors, signal } = await child.ended
    expect([signal, errors]).toEqual(['SIGKILL', ''])
    collectKeys(child.lines(), keys)
    for (const line of child.lines()) {
      const [word, size, hash = ''] = line.split(' ')
      if (word === 'ack') acknowledged.push({ size: Number(size), hash })
    }
  }

  async function ordeal(
    name: string,
    trace: string,
  ): Promise<{ events: number; artifacts: number; acks: number }> {
    const directory = join(base, name)
    const witnessed: Witnessed = { keys: new Map([[testKey.id, testKey.publicObject]]), acknowledged: [] }
    for (let i = 0; i < KILLS; i++) await killOnce(directory, trace, witnessed)

    const store = await openSqliteStore({ directory })
    const found = await audit(store, trace, witnessed.keys)
    for (const { size, hash } of witnessed.acknowledged) expect(found.hashes[size - 1]).toBe(hash)
    const head = (await store.head(trace)) ?? endOf([])
    expect(head.size).toBe(found.hashes.length)

    await store.putArtifact(Buffer.alloc(100_000))
    await store.append(trace, head, makeChain({ trace, count: 1, from: head.size, prev: head.hash }))
    expect(readdirSync(join(directory, 'artifacts/tmp'))).toEqual([])
    await store.close()
    return { events: found.hashes.length, artifacts: found.artifacts, acks: witnessed.acknowledged.length }
  }

  it('LED-9 loses nothing it acknowledged, and the trace verifies and goes on', async () => {
    const results = await Promise.all(homes.map(({ name, trace }) => ordeal(name, trace)))
    const sum = (of: (result: (typeof results)[number]) => number) =>
      results.reduce((all, one) => all + of(one), 0)
    const [acks, events, artifacts] = [
      sum(({ acks }) => acks),
      sum(({ events }) => events),
      sum((r) => r.artifacts),
    ]
    console.log(
      `SQLite: ${KILLS * HOMES} kills, ${acks} acknowledged appends all present, ` +
        `${events} events and ${artifacts} artifacts verified`,
    )
    expect(acks).toBeGreaterThan(KILLS * HOMES)
  }, 300_000)

  it('LED-9 leaves a home usable that was being made when the process died', async () => {
    for (let i = 0; i < 25; i++) {
      const directory = join(base, `young-${i}`)
      const trace = makeTrace()
      const child = startScript(script, [directory, trace])
      await child.line(/^key /)
      await pause(randomInt(0, 25))
      await child.kill()
      const store = await openSqliteStore({ directory })
      const head = (await store.head(trace)) ?? endOf([])
      await store.append(trace, head, makeChain({ trace, count: 1, from: head.size, prev: head.hash }))
      await store.close()
    }
  }, 120_000)
})
