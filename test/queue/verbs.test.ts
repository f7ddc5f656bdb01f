// Commands that run a trace, each with --queue; agents, exchanges and evaluations have files of their own here.

import { describe, expect, it } from 'vitest'
import { opinion } from '../fakes/council.ts'
import { server, sharedMachines } from './workers.ts'

const share = sharedMachines()
const FAILS_ONCE = {
  R1: [{ act: 'error', kind: 'auth', message: 'wrong key' } as const, opinion(), { usual: true }],
}

describe.skipIf(server === null)('commands that run a council', () => {
  it('APP-7 can all be queued: ask, retry, review, council and resume', async () => {
    const here = await share({ a: {}, b: FAILS_ONCE, c: FAILS_ONCE })
    const queued = async (...words: readonly string[]): Promise<string> => {
      const { json, stderr } = await here.run(...words, '--queue', '--json')
      expect([json, stderr]).toEqual([{ trace: expect.any(String), queued: expect.any(String) }, ''])
      return String(json.trace)
    }
    const asked = await queued('ask', 'Shall we?')
    const first = here.start('--name', 'first')
    // Two of three seats fail, and the exit code is that of the command itself.
    expect((await here.run('wait', asked, '--json')).code).toBe(4)
    const retried = await here.run('retry', asked, '--queue', '--wait', '--json')
    expect(retried).toMatchObject({ code: 0, json: { status: 'reported' } })
    expect(retried.json.trace).not.toBe(asked)
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const review = await queued('review', 'README.md', '--yes')
    const council = await queued('council', 'SQLite for orders?', '--mode', 'architecture', '--yes')
    for (const trace of [review, council]) expect((await here.run('queue', 'cancel', trace)).code).toBe(0)
    expect(await queued('resume', council)).toBe(council)
    expect((await here.run('queue', 'retry', review, '--json')).json).toMatchObject({ state: 'waiting' })
    here.start('--name', 'second')
    for (const trace of [review, council])
      expect(await here.run('wait', trace, '--json')).toMatchObject({
        code: 0,
        json: { trace, status: 'reported' },
      })
  }, 180_000)
})
