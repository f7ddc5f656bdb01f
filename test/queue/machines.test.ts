// Two machines on one PostgreSQL: the registrar's key is on one of them, and the other has keys of its own.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory, witan } from '../doors/command.ts'
import { THREE } from '../support/council-run.ts'
import { finishedTraces } from './traces.ts'
import { server, sharedMachines, startWorkerAt } from './workers.ts'

const share = sharedMachines()

interface Key {
  readonly id: string
  readonly agent: string
  readonly status: string
  readonly private_key_here: boolean
}

describe.skipIf(server === null)('a machine without the registrar’s key', () => {
  it('APP-7 LED-16 is admitted by its own key, signs with keys of its own, and is revoked alone', async () => {
    const first = await share(THREE)
    await first.run('init')
    const root = await directory()
    const second = { home: join(root, 'home'), cwd: root, env: { WITAN_POSTGRES_URL: first.url } }
    const run = (...args: readonly string[]) => witan(second, ...args)
    expect((await first.run('keys', 'join', 'here')).stderr).toContain("holds the registrar's key")
    const joined = await run('keys', 'join', 'second', '--json')
    expect([joined.code, joined.stderr]).toEqual([0, ''])
    // No one has admitted it: it can do nothing.
    const refused = await run('demo', '--fast', '--json')
    expect(refused.json).toMatchObject({ error: { code: 'KEY_NOT_FOUND' } })
    const file = join(root, 'second.key')
    await writeFile(file, String(joined.json.public_key))
    expect((await first.run('keys', 'add', 'second', '--role', 'machine', '--public', file)).code).toBe(0)
    // The registrar's machine runs a worker for no one but the registrar's work.
    const keeper = first.start('--name', 'keeper', '--tags', 'none', '--concurrency', '1')
    await keeper.until('registered')
    const held = await run('demo', '--fast', '--json')
    expect([held.code, held.json.status, held.json.checkpoint]).toEqual([0, 'reported', null])
    keeper.process.kill('SIGTERM')
    await keeper.ended
    const queued = await first.run('ask', 'Shall we?', '--queue', '--json')
    expect([queued.code, queued.stderr]).toEqual([0, ''])
    const trace = String(queued.json.trace)
    await writeFile(join(second.home, 'config.yaml'), first.config, { mode: 0o600 })
    const worker = startWorkerAt(second, ['--name', 'second', '--tags', 'two'], first.undo)
    await worker.until('registered')
    const sealer = first.start('--name', 'sealer', '--tags', 'none', '--concurrency', '1')
    await sealer.until('registered')
    await finishedTraces(first.url, [trace, String(held.json.trace)])
    const { items } = (await first.run('queue', 'list', '--all', '--json')).json
    expect(items).toMatchObject([{ trace, state: 'done', worker: 'second' }])
    const keys = (await first.run('keys', 'list', '--json')).json.keys as readonly Key[]
    const clerks = keys.filter(({ agent }) => agent === 'clerk')
    expect(clerks.map((key) => key.private_key_here).sort()).toEqual([false, true])
    expect((await first.run('verify', trace, '--json')).json).toMatchObject({ status: 'pass' })
    // Revoked alone: what it signed stands, what it would sign does not, and the first machine continues.
    const revoked = await first.run('keys', 'revoke', 'second', '--reason', 'sold', '--json')
    expect((revoked.json.with_it as readonly string[]).length).toBeGreaterThan(3)
    expect((await first.run('verify', trace, '--json')).json).toMatchObject({ status: 'pass' })
    expect((await run('demo', '--fast', '--json')).json).toMatchObject({ error: { code: 'KEY_NOT_FOUND' } })
    // Its worker ends with the reason and blames no trace; it is not begun again before the machine is admitted.
    const tagged = await first.run('ask', 'And there?', '--queue', '--tag', 'two', '--json')
    expect(await worker.ended).toBe(7)
    expect(worker.log.at(-2)).toMatchObject({ line: expect.stringContaining('nor was admitted by it') })
    const left = (await first.run('queue', 'list', '--json')).json.items
    expect(left).toMatchObject([{ trace: tagged.json.trace, state: 'offered', failures: 0 }])
    expect(await startWorkerAt(second, [], first.undo).ended).toBe(7)
    const later = await first.run('ask', 'And now?', '--json')
    expect([later.code, later.json.status]).toEqual([0, 'reported'])
  }, 120_000)
})
