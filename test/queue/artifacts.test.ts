// A shared folder for large artifacts, and a worker on whose machine it is not mounted.

import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory } from '../doors/command.ts'
import { THREE } from '../support/council-run.ts'
import { finishedTraces } from './traces.ts'
import { server, sharedMachines, startWorkerAt } from './workers.ts'

const share = sharedMachines()

describe.skipIf(server === null)('a worker that cannot reach the shared folder', () => {
  it('APP-7 APP-14 asks no one, says what to do, and leaves the trace to one that can', async () => {
    const root = await directory()
    const [folder, unmounted] = [join(root, 'shared'), join(root, 'unmounted')]
    await mkdir(folder)
    await mkdir(unmounted)
    const more = `vault: {artifacts: {folder: ${folder}, above_kib: 1}}\n`
    const here = await share(THREE, { more })
    const asked = await here.run('ask', 'Shall we?', '--queue', '--json')
    const trace = String(asked.json.trace)
    const env = { ...here.env, WITAN_ARTIFACTS_FOLDER: unmounted }
    const lost = startWorkerAt({ ...here, env }, ['--name', 'unmounted'], here.undo)
    expect(await lost.until('failed')).toMatchObject({
      trace,
      error: expect.stringMatching(/is not the one of this ledger.*next: Mount the shared folder/),
      setAside: false,
    })
    lost.process.kill('SIGTERM')
    await lost.ended
    expect([here.server.heard, await readdir(unmounted)]).toEqual([[], []])
    const listed = await here.run('queue', 'list', '--json')
    expect(listed.json).toMatchObject({ items: [{ trace, failures: expect.any(Number) }] })
    here.start('--name', 'mounted')
    await finishedTraces(here.url, [trace], ['council_closed'], 120_000, { folder, above: 1 << 10 })
    // Prompts are longer than a kibibyte, so the whole council went through the folder.
    expect((await readdir(join(folder, 'artifacts'))).length).toBeGreaterThan(2)
    expect((await here.run('verify', trace, '--json')).json).toMatchObject({ status: 'pass' })
    const elsewhere = { ...here, env: { ...here.env, WITAN_ARTIFACTS_FOLDER: unmounted } }
    const { witan } = await import('../doors/command.ts')
    const refused = await witan(elsewhere, 'verify', trace, '--json')
    expect([refused.code, refused.json]).toMatchObject([7, { error: { code: 'ARTIFACT_UNREACHABLE' } }])
  }, 240_000)
})
