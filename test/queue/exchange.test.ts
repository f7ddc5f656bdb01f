import { afterEach, describe, expect, it } from 'vitest'
import { here } from '../doors/here.ts'
import { openPoolHome, type PoolScript, plainScript } from '../support/pool-home.ts'
import { freshDatabase } from '../support/postgres.ts'
import { server, startWorkerAt } from './workers.ts'

const RESTART = '[RESTART] Let us begin again on other terms.'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one()
})

/** Everyone asks for a restart, always. */
const restless: PoolScript = (asked) =>
  asked.isAudit ? plainScript(asked) : `\n---\n${RESTART}\n---\n${RESTART}\n---\n${RESTART}`

describe.skipIf(server === null)('an exchange that is queued', () => {
  it('APP-14 EXC-INT-2 goes on in the queue under the trace to which its policy moved it', async () => {
    const database = await freshDatabase(server ?? '')
    undo.push(() => database.drop())
    const house = await openPoolHome()
    undo.push(() => house.server.close())
    house.script = restless
    const where = { ...house.where, env: { WITAN_POSTGRES_URL: database.url } }
    process.env.WITAN_POSTGRES_URL = database.url
    const run = (...words: readonly string[]) => here(where, ...words, '--json')
    const terms = await house.terms('moving.yaml', {
      restart: { policy: { rollback: 'last-audit' }, limit: 1 },
    })
    const begun = await run(
      'exchange',
      'run',
      '--terms',
      terms,
      '--rounds',
      '12',
      '--queue',
      '--tenant',
      'ana',
    )
    const first = String(begun.json.trace)
    const worker = startWorkerAt(where, [], undo)

    // The policy may move it once; then the observer is asked, in the other trace.
    const waited = await run('wait', first)
    expect(waited).toMatchObject({ code: 8, json: { signal: { number: 2 } } })
    const moved = String(waited.json.trace)
    expect(moved).not.toBe(first)
    const items = async () => (await run('queue', 'list', '--all')).json.items as readonly object[]
    const item = (trace: string, state: string) => expect.objectContaining({ trace, tenant: 'ana', state })
    expect(await items()).toEqual([item(moved, 'parked'), item(first, 'parked')])

    expect((await run('wait', first)).json).toMatchObject({ status: 'moved', moved_to: moved })

    // Its answer, given there, brings it back.
    const answered = await run('exchange', 'answer', moved, '--with', 'halt', '--reason', 'enough')
    expect(answered.code).toBe(0)
    await expect.poll(items, { timeout: 30_000 }).toEqual([item(moved, 'done'), item(first, 'parked')])
    worker.process.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
  }, 90_000)
})
