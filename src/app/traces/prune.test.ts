// Retention on a real home: what is old goes, what is needed stays, and what is left verifies and says so.

import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { everythingIn, machines } from '../../../test/council/table.ts'
import { opinion } from '../../../test/fakes/council.ts'
import { WRITING, writeTask } from '../../../test/support/agents-home.ts'
import { THREE } from '../../../test/support/council-run.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { loadSqlite } from '../../stores/sqlite/driver.ts'
import { databaseFile } from '../../stores/sqlite/open.ts'
import { openSqliteStore } from '../../stores/sqlite.ts'

const open = machines()
const WORD = 'Quincunx'
/** Every model says something that can be looked for. */
const MARKED = Object.fromEntries(
  Object.entries(THREE).map(([name, script]) => [
    name,
    { ...script, R1: [opinion({ summary: `${WORD} by ${name}` })] },
  ]),
)

const traceOf = ({ json }: { json: Readonly<Record<string, unknown>> }): string => String(json.trace)

describe('witan prune', () => {
  it('APP-14 LED-14 erases traces that ended before the date, keeps the parents of newer traces, and what is left verifies', async () => {
    const here = await open(MARKED)
    const [gone, parent] = [
      traceOf(await here.run('ask', `Shall we have a ${WORD}?`, '--json')),
      traceOf(await here.run('ask', 'And a parent?', '--json')),
    ]
    const before = new Date().toISOString()
    const fork = await here.run('fork', parent, '--after', 'R1', '--json')
    expect([fork.code, fork.stderr]).toEqual([0, ''])
    const look = await here.run('prune', '--before', before, '--dry-run', '--json')
    expect(look.json).toMatchObject({
      erased: false,
      traces: [{ trace: gone, protocol: 'council/1', payloads: expect.any(Number) }],
      kept: [{ trace: parent, why: `${traceOf(fork)} was forked from it` }],
    })
    expect((await everythingIn(here.home)).includes(WORD)).toBe(true)
    // Neither without a reason nor without being asked.
    expect((await here.run('prune', '--before', before, '--yes')).code).toBe(2)
    const unasked = await here.run('prune', '--before', before, '--reason', 'x')
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('no terminal to ask on')])
    expect((await here.run('prune', '--before', 'soon', '--reason', 'x', '--yes')).code).toBe(2)
    const done = await here.run('prune', '--before', before, '--reason', 'one year', '--yes', '--json')
    expect([done.code, done.json]).toMatchObject([0, { erased: true, reason: 'one year' }])
    const left = await here.run('verify', gone, '--json')
    expect([left.code, left.json]).toMatchObject([0, { status: 'pass-with-warnings' }])
    expect((await here.run('verify', gone)).stdout).toContain('payload was erased by a recorded redaction')
    for (const trace of [parent, traceOf(fork), 'registry'])
      expect((await here.run('verify', trace, '--json')).json).toMatchObject({ status: 'pass' })
    const { traces } = (await here.run('list', '--json')).json
    expect(traces).toContainEqual(expect.objectContaining({ trace: gone, status: 'erased' }))
    const store = await openSqliteStore({ directory: here.home, readonly: true })
    let payloads = 0
    for await (const { payload } of store.read(gone)) if (payload) payloads++
    await store.close()
    const again = await here.run('prune', '--before', before, '--reason', 'one year', '--yes', '--json')
    expect(again.json).toMatchObject({ erased: false, traces: [] })
    // Only what says that calls were made is left of it, which holds no content.
    expect(payloads).toBeLessThan(Number(done.json.payloads))
    const question = await here.run('show', gone)
    expect(question.stdout).not.toContain(WORD)
  }, 180_000)

  it('APP-14 LED-16 keeps a trace that was tampered with, as evidence', async () => {
    const here = await open(THREE)
    const trace = traceOf(await here.run('ask', 'Shall we?', '--json'))
    const { DatabaseSync } = await loadSqlite()
    const db = new DatabaseSync(databaseFile(here.home))
    for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all())
      db.exec(`DROP TRIGGER ${String(name)}`)
    db.prepare(
      "UPDATE events SET header = x'7b7d' WHERE seq = 3 AND trace = (SELECT id FROM traces WHERE trace = ?)",
    ).run(trace)
    db.close()
    const look = await here.run('prune', '--before', '2999-01-01', '--dry-run', '--json')
    expect(look.json).toMatchObject({
      traces: [],
      kept: [{ trace, why: expect.stringContaining(`witan verify ${trace}`) }],
    })
  })

  it('APP-14 keeps unfinished traces unless told otherwise', async () => {
    const here = await open(THREE)
    await here.run('init')
    const task = await writeTask({ ...here, folder: join(here.cwd, 'work') }, WRITING)
    const parked = await here.run('agents', 'run', task, '--json')
    expect(parked.code).toBe(8)
    const before = ['prune', '--before', new Date().toISOString()]
    expect((await here.run(...before, '--dry-run', '--json')).json).toMatchObject({
      traces: [],
      kept: [{ trace: traceOf(parked), why: 'it is not finished' }],
    })
    const done = await here.run(...before, '--unfinished', '--reason', 'left', '--yes', '--json')
    expect(done.json).toMatchObject({ erased: true, traces: [{ trace: traceOf(parked) }] })
    expect((await here.run('verify', traceOf(parked), '--json')).json).toMatchObject({
      status: 'pass-with-warnings',
    })
    expect((await here.run('resume', traceOf(parked))).code).not.toBe(0)
  }, 120_000)
})

describe.skipIf(inject('postgresUrl') === null)('witan prune in PostgreSQL', () => {
  it('APP-14 LED-14 erases from the tables and lets the queue forget it', async () => {
    const database = await freshDatabase(inject('postgresUrl') ?? '')
    try {
      const here = await open(MARKED, { env: { WITAN_POSTGRES_URL: database.url } })
      const old = traceOf(await here.run('ask', `Shall we have a ${WORD}?`, '--json'))
      const waiting = traceOf(await here.run('ask', 'And this?', '--queue', '--json'))
      const before = new Date().toISOString()
      const done = await here.run('prune', '--before', before, '--reason', 'one year', '--yes', '--json')
      expect(done.json).toMatchObject({
        erased: true,
        traces: [{ trace: old }],
        kept: [{ trace: waiting, why: 'it is in the queue' }],
      })
      expect((await here.run('verify', old, '--json')).json).toMatchObject({ status: 'pass-with-warnings' })
      const { withClient } = await import('../../../test/support/postgres-store.ts')
      await withClient(database.url, async (client) => {
        const text = `SELECT count(*)::integer AS n FROM witan.events WHERE position('${WORD}'::bytea in payload) > 0`
        expect((await client.query(text)).rows).toEqual([{ n: 0 }])
        const chunks = `SELECT count(*)::integer AS n FROM witan.artifact_chunks WHERE position('${WORD}'::bytea in bytes) > 0`
        expect((await client.query(chunks)).rows).toEqual([{ n: 0 }])
      })
    } finally {
      await database.drop()
    }
  }, 180_000)
})
