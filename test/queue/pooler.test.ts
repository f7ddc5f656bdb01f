// A real PgBouncer before the server, in the two ways it hands out connections.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { openPostgresQueue } from '../../src/stores/postgres/queue/queue.ts'
import { openPostgresStore } from '../../src/stores/postgres.ts'
import { freshDatabase, serverAccount } from '../support/postgres.ts'
import { server } from './workers.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path)) ?? null

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one()
})

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function isOpen(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  const open = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  return open
}

/** The same database behind a pooler of this mode. */
async function pooled(url: string, mode: 'transaction' | 'session'): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'witan-pooler-'))
  const at = await freePort()
  const files = {
    'users.txt': `"${username}" "${password}"\n`,
    'pooler.ini': `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${at}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = 20
ignore_startup_parameters = extra_float_digits,options
`,
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  // It refuses to run as root, as the server does.
  const as = process.getuid?.() === 0 ? serverAccount() : null
  await chmod(folder, 0o700)
  if (as)
    for (const path of [folder, ...Object.keys(files).map((name) => join(folder, name))])
      await chown(path, as.uid, as.gid)
  const child = spawn(PROGRAM ?? '', [join(folder, 'pooler.ini')], { ...as, cwd: '/', stdio: 'ignore' })
  undo.push(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  while (!(await isOpen(at))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    await pause(50)
  }
  return `postgres://${username}:${password}@127.0.0.1:${at}${pathname}`
}

describe.skipIf(server === null || PROGRAM === null)('a pooler before the database', () => {
  it('APP-14 is refused with the reason where clients share connections, and taken where they do not', async () => {
    const database = await freshDatabase(server ?? '')
    undo.push(() => database.drop())
    await (await openPostgresStore({ url: database.url })).close()
    await expect(
      openPostgresQueue({ url: await pooled(database.url, 'transaction'), thorough: true }),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('is a pooler that shares connections between clients'),
      next: expect.stringContaining('session mode'),
    })
    const queue = await openPostgresQueue({ url: await pooled(database.url, 'session'), thorough: true })
    expect(await queue.list()).toEqual([])
    await queue.close()
  }, 120_000)
})
