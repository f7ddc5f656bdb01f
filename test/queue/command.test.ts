import { describe, expect, it } from 'vitest'
import { bareMachine } from '../council/table.ts'
import { witan } from '../doors/command.ts'
import { THREE } from '../support/council-run.ts'
import { server, sharedMachines } from './workers.ts'

const share = sharedMachines()

describe.skipIf(server === null)('a run that is queued', () => {
  it('APP-7 prints its trace at once, runs on a worker, is followed from elsewhere, and verifies', async () => {
    const { run, start } = await share(THREE)
    const asked = await run('ask', 'Shall we?', '--queue', '--json')
    expect(asked.stderr).toBe('')
    expect(asked.json).toEqual({ trace: expect.any(String), queued: 'waiting' })
    const trace = String(asked.json.trace)
    expect((await run('queue', 'list')).stdout).toContain('No worker is there')
    const one = start('--concurrency', '2')
    await one.until('registered')
    const waited = await run('wait', trace, '--json')
    expect([waited.code, waited.stderr]).toEqual([0, ''])
    expect(waited.json).toMatchObject({
      trace,
      status: 'reported',
      checkpoint: expect.stringContaining(trace),
    })
    expect((await run('verify', trace, '--json')).json).toMatchObject({ status: 'pass', failures: [] })
    await one.until('ended')
    expect((await run('queue', 'list', '--all', '--json')).json).toMatchObject({
      items: [{ trace, state: 'done', losses: 0, failures: 0, error: null }],
      workers: [{ slots: 2, running: 0 }],
    })
    // Another, followed at once; the worker then ends cleanly.
    const again = await run('ask', 'And now?', '--queue', '--wait', '--json')
    expect([again.code, again.json.status]).toEqual([0, 'reported'])
    one.process.kill('SIGTERM')
    expect(await one.ended).toBe(0)
    expect(one.log.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['registered', 'started', 'ended', 'stopping', 'stopped']),
    )
    expect((await run('queue', 'list', '--json')).json).toEqual({
      items: [],
      workers: [],
      held: [],
      tenants: [],
    })
  }, 240_000)

  it('APP-9 APP-14 ends the wait for what was cancelled as aborted, not as if Ctrl-C had been pressed', async () => {
    const { run } = await share(THREE)
    const trace = String((await run('ask', 'Shall we?', '--queue', '--json')).json.trace)
    expect((await run('queue', 'cancel', trace)).code).toBe(0)
    const waited = await run('wait', trace, '--json')
    expect([waited.code, waited.json]).toMatchObject([
      6,
      { error: { code: 'TRACE_GIVEN_UP', next: expect.stringContaining(`witan queue retry ${trace}`) } },
    ])
  }, 60_000)

  it('APP-7 is refused before anything is recorded where the ledger is in a file', async () => {
    const where = await bareMachine()
    const { code, json } = await witan(where, 'ask', 'Shall we?', '--queue', '--json')
    expect([code, (json.error as { message: string }).message]).toEqual([
      2,
      'the queue needs PostgreSQL, and this home keeps its ledger in a file',
    ])
    expect((await witan(where, 'list', '--json')).code).toBe(7)
    expect(await witan(where, 'ask', 'Shall we?', '--tag', 'x')).toMatchObject({ code: 2 })
  })
})
