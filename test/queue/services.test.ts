// What a worker does beside driving: it begins what is scheduled, answers a monitor, and lets go of what waits for a person.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addPerson, WRITING, writeFiles, writeTask } from '../support/agents-home.ts'
import { THREE } from '../support/council-run.ts'
import { withClient } from '../support/postgres-store.ts'
import { finishedTraces } from './traces.ts'
import { server, sharedMachines } from './workers.ts'

const share = sharedMachines()

describe.skipIf(server === null)('a worker', () => {
  it('APP-14 AGT-X-1 parks what waits for a person, and another worker goes on once it is approved', async () => {
    const here = await share(THREE, { more: 'agents: {approvals_without_terminal: true}\n' })
    const home = { ...here, folder: join(here.cwd, 'work') }
    await here.run('init')
    await addPerson(here)
    const queued = await here.run('agents', 'run', await writeTask(home, WRITING), '--queue', '--json')
    expect([queued.code, queued.stderr]).toEqual([0, ''])
    const trace = String(queued.json.trace)
    const first = here.start('--name', 'first')
    expect(await first.until('ended')).toMatchObject({ trace, as: 'parked' })
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    // Waiting from elsewhere says who it waits for, as the run itself would.
    expect(await here.run('wait', trace, '--json')).toMatchObject({ code: 8, json: { status: 'waiting' } })
    const second = here.start('--name', 'second')
    await second.until('registered')
    const approved = await here.run('agents', 'approve', trace, '--by', 'ana', '--reason', 'I read it')
    expect(approved.code).toBe(0)
    expect(approved.stderr).toContain(`A worker continues it. Follow it with: witan wait ${trace}`)
    await finishedTraces(here.url, [trace], ['verification_run_completed'])
    expect(await readFile(join(home.folder, 'note.txt'), 'utf8')).toBe('MIT\n')
    await second.until('ended')
    // A task that changed since it was queued is not run.
    const other = await here.run(
      'agents',
      'run',
      await writeTask(home, WRITING),
      '--queue',
      '--json',
      '--tag',
      'shop',
    )
    await writeFiles(home.folder, { 'task.yaml': '{"objective": "something else"}' })
    // It failed four times before: once more, and it is set aside, and counted.
    await withClient(here.url, (client) =>
      client.query('UPDATE witan_queue.items SET failures = 4 WHERE trace = $1', [other.json.trace]),
    )
    const tagged = here.start('--name', 'tagged', '--tags', 'shop', '--listen', '0')
    const url = String((await tagged.until('listening')).url)
    expect(await tagged.until('failed')).toMatchObject({
      trace: other.json.trace,
      error: expect.stringContaining('is not the task that was queued'),
      setAside: true,
    })
    const figures = await (await fetch(`${url}/metrics`)).text()
    expect(figures).toMatch(/^witan_worker_failures_total 1$/m)
    expect(figures).toMatch(/^witan_worker_set_aside_total 1$/m)
    expect(figures).toMatch(/^witan_queue_items\{state="set aside"\} 1$/m)
  }, 240_000)

  it('APP-14 begins what is scheduled, and answers /healthz, /readyz and /metrics', async () => {
    const here = await share(THREE)
    await here.run('init')
    await writeFile(join(here.cwd, 'note.txt'), 'x')
    const add = (...args: readonly string[]) => here.run('schedule', 'add', ...args)
    expect((await add('tick', '61 * * * *', '--', 'ask', 'Shall we?')).stderr).toContain(
      "'61 * * * *' in UTC",
    )
    expect((await add('tick', '* * * * *', '--', 'redact', 'last', '1', '--reason', 'x')).code).toBe(2)
    expect((await add('tick', '* * * * *', '--', 'ask', '--no-such')).code).toBe(2)
    const words = ['ask', 'Shall we?', '--seats', 'a,b,c']
    const added = await add(
      'tick',
      '* * * * * *',
      '--in',
      here.cwd,
      '--tenant',
      'night',
      '--json',
      '--',
      ...words,
    )
    expect(added.json).toMatchObject({ name: 'tick', words, timezone: 'UTC', tenant: 'night', lastAt: null })
    expect((await add('tick', '* * * * *', '--', 'ask', 'Shall we?')).stderr).toContain(
      'there is a schedule tick',
    )
    const worker = here.start('--listen', '0')
    const url = String((await worker.until('listening')).url)
    const begun = await worker.until('scheduled')
    expect((await here.run('schedule', 'remove', 'tick')).code).toBe(0)
    const trace = String(begun.trace)
    await finishedTraces(here.url, [trace])
    const view = (await here.run('queue', 'list', '--all', '--json')).json.items as readonly {
      trace: string
    }[]
    expect(view.find((item) => item.trace === trace)).toMatchObject({ tenant: 'night' })
    expect((await here.run('schedule', 'list')).stdout).toContain('Nothing is scheduled')
    await worker.until('ended')
    const get = async (path: string) => {
      const response = await fetch(`${url}${path}`)
      return { status: response.status, text: await response.text() }
    }
    expect([(await get('/healthz')).status, (await get('/readyz')).status, (await get('/x')).status]).toEqual(
      [200, 200, 404],
    )
    const { text } = await get('/metrics')
    expect(text).toMatch(/^witan_queue_items\{state="done"\} [1-9]/m)
    expect(text).toMatch(/^witan_worker_drives_total\{as="finished"\} [1-9]/m)
    expect(text).toMatch(/^witan_calls_total [1-9]/m)
    expect(text).not.toContain('Shall we')
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
  }, 240_000)
})
