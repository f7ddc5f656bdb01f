// Throw-away PostgreSQL servers for tests. A server never outlives the process that started it, however that
// process ends: a guard holds a pipe to it, and when the pipe closes the guard stops the server and removes its
// files. Passwords and a private loopback port keep one run's server apart from everything else on the machine.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

export interface PostgresServer {
  /** Connection URL of the database `postgres`, as its superuser. It stays the same across crash and start. */
  readonly url: string
  /** Stops at once without a checkpoint: what was not made durable is gone (`pg_ctl stop -m immediate`). */
  crash(): Promise<void>
  /** Kills the postmaster, which says nothing to anyone; its children end when they notice. */
  kill(): Promise<void>
  /** Starts again after a crash; resolves when connections are accepted. */
  start(): Promise<void>
  /** Ends it as an administrator would, and starts it again. */
  restart(): Promise<void>
  /** Ends the server and removes its files. Safe to call twice, and after a crash. */
  stop(): Promise<void>
}

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

interface Account {
  readonly uid: number
  readonly gid: number
}

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const DEBIAN = '/usr/lib/postgresql'
/** Below the ports a kernel hands to outgoing connections, so that none of those takes ours during a restart. */
const PORTS = { from: 15_000, to: 31_000 }

/** The folder of the newest server programs, or null. */
function programs(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  const complete = (folder: string) => ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name)))
  return folders.find((folder) => folder !== '' && complete(folder)) ?? null
}

/** PostgreSQL refuses to run as root: root lends the work to the account that the package made. */
export function serverAccount(): Account | null {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }).toString())
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return null
  }
}

/** Why no server can be started here, or null when one can. */
export function whyNoPostgres(): string | null {
  if (process.platform === 'win32') return 'the PostgreSQL suites need a POSIX system'
  if (programs() === null) return `no PostgreSQL server programs in ${DEBIAN}/*/bin or on the PATH`
  if (isRoot && serverAccount() === null)
    return 'running as root, and there is no account "postgres" to run a server'
  return null
}

async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(PORTS.from, PORTS.to)
    const probe = createServer()
    try {
      probe.listen(port, '127.0.0.1')
      await once(probe, 'listening')
      return port
    } catch {
      // Taken: try another.
    } finally {
      probe.close()
    }
  }
  throw new Error('no free loopback port for a PostgreSQL server')
}

async function configure(
  data: string,
  port: number,
  network: string | null,
  more: readonly string[],
): Promise<void> {
  const addresses = ['127.0.0.1', ...(network === null ? [] : [network.split('/')[0]])]
  const lines = [
    `port = ${port}`,
    `listen_addresses = '${addresses.join()}'`,
    `unix_socket_directories = ''`,
    'fsync = on',
    'synchronous_commit = on',
    'full_page_writes = on',
    'max_connections = 200',
    ...more,
  ]
  const file = await open(join(data, 'postgresql.conf'), 'a')
  await file.write(`\n${lines.join('\n')}\n`)
  await file.close()
  if (network !== null) await appendFile(join(data, 'pg_hba.conf'), `host all all ${network} scram-sha-256\n`)
}

/** Waits for the pipe to close, in a process group of its own so that an interrupt at the terminal passes it by. */
function guard(bin: string, folder: string, as: Account | null): ChildProcess {
  const script = 'read -r _; "$1/pg_ctl" -D "$2/data" -m immediate -w stop >/dev/null 2>&1; rm -rf "$2"'
  const child = spawn('/bin/sh', ['-c', script, 'guard', bin, folder], {
    ...as,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  return child
}

/**
 * `network`: an address of this machine with the width of its network (`198.18.0.1/30`) to be served there too. `more`:
 * lines of its settings.
 */
export async function startPostgres(
  network: string | null = null,
  more: readonly string[] = [],
): Promise<PostgresServer> {
  const bin = programs()
  const reason = whyNoPostgres()
  if (bin === null || reason !== null) throw new Error(`cannot start PostgreSQL: ${reason}`)
  const as = isRoot ? serverAccount() : null
  const folder = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'witan-postgres-'))
  await chmod(folder, 0o700)
  const watch = guard(bin, folder, as)
  const gone = once(watch, 'exit')
  const data = join(folder, 'data')
  const log = join(folder, 'log')

  async function command(name: string, args: readonly string[]): Promise<void> {
    try {
      await run(join(bin ?? '', name), [...args], { ...as, cwd: folder })
    } catch (cause) {
      const tail = existsSync(log) ? (await readFile(log, 'utf8')).split('\n').slice(-20).join('\n') : ''
      throw new Error(`${name} failed: ${cause instanceof Error ? cause.message : cause}\n${tail}`, { cause })
    }
  }

  const server = {
    url: '',
    crash: () => command('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']),
    async kill() {
      const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    start: () => command('pg_ctl', ['-D', data, '-l', log, '-w', '-t', '60', 'start']),
    restart: () => command('pg_ctl', ['-D', data, '-l', log, '-m', 'fast', '-w', '-t', '60', 'restart']),
    async stop() {
      watch.ref()
      watch.stdin?.end()
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }

  try {
    if (as !== null) await chown(folder, as.uid, as.gid)
    const password = randomBytes(16).toString('hex')
    const secret = join(folder, 'password')
    await writeFile(secret, password)
    if (as !== null) await chown(secret, as.uid, as.gid)
    const login = ['-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret]
    await command('initdb', ['-D', data, ...login, '-E', 'UTF8', '--locale=C', '--no-sync'])
    const port = await freePort()
    await configure(data, port, network, more)
    await server.start()
    server.url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    return server
  } catch (cause) {
    await server.stop()
    throw cause
  }
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A new, empty database on the server at `url`: suites that each take one cannot meet. */
export async function freshDatabase(url: string): Promise<FreshDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await execute(url, `CREATE DATABASE ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}
