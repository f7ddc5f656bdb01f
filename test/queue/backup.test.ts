// The guide's backup and restore, really done: a dump of the database and a copy of the home with the registrar's key.

import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { directory, witan } from '../doors/command.ts'
import { THREE } from '../support/council-run.ts'
import { freshDatabase } from '../support/postgres.ts'
import { finishedTraces } from './traces.ts'
import { server, sharedMachines, startWorkerAt } from './workers.ts'

const share = sharedMachines()
const run = promisify(execFile)

describe.skipIf(server === null)('a home whose database was dumped', () => {
  it('APP-7 verifies after it was restored elsewhere, and its queue goes on', async () => {
    const here = await share(THREE)
    const asked = await here.run('ask', 'Shall we?', '--json')
    const waiting = await here.run('ask', 'And now?', '--queue', '--json')
    const [done, queued] = [String(asked.json.trace), String(waiting.json.trace)]
    const root = await directory()
    const file = join(root, 'witan.dump')
    await run('pg_dump', ['-Fc', '-d', here.url, '-f', file])
    const restored = await freshDatabase(server ?? '')
    here.undo.push(() => restored.drop())
    await run('pg_restore', ['--no-owner', '--exit-on-error', '-d', restored.url, file])
    // On another machine: only what the guide says to keep, and the database.
    const other = { home: join(root, 'home'), cwd: root, env: { WITAN_POSTGRES_URL: restored.url } }
    for (const kept of ['keys', 'config.yaml', 'registry.vkey'])
      await cp(join(here.home, kept), join(other.home, kept), { recursive: true })
    for (const trace of [done, 'registry'])
      expect((await witan(other, 'verify', trace, '--json')).json).toMatchObject({ status: 'pass' })
    expect((await witan(other, 'queue', 'list', '--json')).json).toMatchObject({
      items: [{ trace: queued, state: 'waiting' }],
    })
    const worker = startWorkerAt(other, ['--name', 'restored'], here.undo)
    await finishedTraces(restored.url, [queued])
    await worker.until('ended')
    expect((await witan(other, 'verify', queued, '--json')).json).toMatchObject({ status: 'pass' })
    // What was dumped stands as it was: the first database still has it waiting.
    expect((await here.run('queue', 'list', '--json')).json).toMatchObject({ items: [{ state: 'waiting' }] })
  }, 180_000)
})
