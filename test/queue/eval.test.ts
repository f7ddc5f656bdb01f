import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scriptsOf, simulatedSet } from '../fakes/simulated-members.ts'
import { server, sharedMachines } from './workers.ts'

const share = sharedMachines()
const ITEMS = 6

const KNOWING = scriptsOf({
  members: Object.fromEntries(['ada', 'ben', 'cyd'].map((name) => [name, { knows: (item: number) => item }])),
  chair: (item) => -item,
})

describe.skipIf(server === null)('an evaluation that is queued', () => {
  it('COU-X-4 runs on a worker, goes on with another when that one is killed, and pays for nothing twice', async () => {
    const { run, start, cwd, server: models } = await share(KNOWING, { delayMs: 60 })
    await writeFile(join(cwd, 'set.jsonl'), simulatedSet(ITEMS))
    const begun = await run('eval', 'set.jsonl', '--concurrency', '2', '--yes', '--queue', '--json')
    expect(begun.json).toEqual({ trace: expect.any(String), queued: 'waiting' })
    const trace = String(begun.json.trace)
    expect(models.heard).toHaveLength(0)

    const first = start()
    await first.until('started')
    await expect.poll(() => models.heard.length, { timeout: 60_000 }).toBeGreaterThan(7)
    first.process.kill('SIGKILL')
    await first.ended
    const asked = models.heard.length
    const second = start()
    await second.until('registered')

    const waited = await run('wait', trace, '--json')
    expect(waited.code).toBe(0)
    expect(waited.json).toMatchObject({
      schema: 'witan-eval/1',
      status: 'completed',
      graded: ITEMS,
      primary: { verdict: 'worse' },
    })
    // Only what was on its way when the first worker died is asked again: at most three seats of two councils.
    expect(models.heard.length).toBeLessThanOrEqual(ITEMS * 7 + 6)
    expect(models.heard.length).toBeGreaterThanOrEqual(Math.max(asked, ITEMS * 7))
    expect((await run('verify', trace, '--json')).json).toMatchObject({
      status: 'pass',
      councils: { named: ITEMS, compared: ITEMS, absent: 0, erased: 0 },
    })
    second.process.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  }, 180_000)
})
