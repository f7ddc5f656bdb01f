// A worker that begins while its database is away: the port that it knows leads to the server only later.

import { type AddressInfo, createConnection, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { THREE } from '../support/council-run.ts'
import { server, sharedMachines, startWorkerAt } from './workers.ts'

const share = sharedMachines()
const undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.splice(0)) one()
})

/** A port at which no one listens until it is opened to where this URL leads. */
async function closedPort(url: string) {
  const { hostname, port } = new URL(url)
  const relay = createServer((near) => {
    const far = createConnection(Number(port), hostname)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  })
  const listen = (at: number) => new Promise<void>((done) => relay.listen(at, '127.0.0.1', done))
  await listen(0)
  const own = (relay.address() as AddressInfo).port
  await new Promise((done) => relay.close(done))
  const reached = new URL(url)
  reached.hostname = '127.0.0.1'
  reached.port = String(own)
  undo.push(() => relay.close())
  return { url: reached.href, open: () => listen(own) }
}

describe.skipIf(server === null)('a worker whose database is away when it begins', () => {
  it('APP-14 says that it waits, is alive and not ready meanwhile, and takes work once it answers', async () => {
    const here = await share(THREE)
    await here.run('init')
    const { url, open } = await closedPort(here.url)
    const where = { ...here, env: { WITAN_POSTGRES_URL: url } }
    const worker = startWorkerAt(where, ['--listen', '0'], here.undo)
    const status = String((await worker.until('listening')).url)
    expect(await worker.until('waiting')).toMatchObject({
      level: 'warn',
      error: expect.stringContaining('ECONNREFUSED'),
    })
    const get = async (path: string) => (await fetch(`${status}${path}`)).status
    expect([await get('/healthz'), await get('/readyz'), await get('/metrics')]).toEqual([200, 503, 503])
    await open()
    await worker.until('registered')
    await expect.poll(() => get('/readyz'), { timeout: 10_000 }).toBe(200)
    worker.process.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
  }, 60_000)

  it('APP-14 ends when it is told to, and waits for none that refuses it', async () => {
    const here = await share(THREE)
    await here.run('init')
    const { url } = await closedPort(here.url)
    const told = startWorkerAt({ ...here, env: { WITAN_POSTGRES_URL: url } }, [], here.undo)
    await told.until('waiting')
    told.process.kill('SIGTERM')
    expect(await told.ended).toBe(0)

    const wrong = new URL(here.url)
    wrong.password = 'wrong'
    const refused = startWorkerAt({ ...here, env: { WITAN_POSTGRES_URL: wrong.href } }, [], here.undo)
    expect(await refused.ended).toBe(7)
    expect(refused.log).toEqual([
      { event: 'words', line: expect.stringContaining('password authentication failed') },
      { event: 'words', line: 'next: Correct the user name or password in the URL.' },
    ])
  }, 60_000)
})
