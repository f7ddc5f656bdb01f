// A PostgreSQL server that goes away in the middle of a session, of an exchange, or of what a host has begun over MCP:
// each is told what happened and how to continue, and continuing finds everything that was recorded.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machines } from './council/table.ts'
import { directory, ended, type Ran, start, type Where, witan } from './doors/command.ts'
import {
  type AgentsHome,
  addPerson,
  COUNTING,
  eventsOf,
  LICENCES,
  layCounting,
  saidIn,
  writeFiles,
  writeTask,
} from './support/agents-home.ts'
import { openPoolHome, type PoolHome, plainScript } from './support/pool-home.ts'
import { freshDatabase, type PostgresServer, startPostgres, whyNoPostgres } from './support/postgres.ts'

const reason = whyNoPostgres()
const PATIENCE = { timeout: 120_000 }

describe.skipIf(reason !== null)(`work whose PostgreSQL goes away${reason ? ' (skipped)' : ''}`, () => {
  const open = machines()
  let server: PostgresServer
  let pool: PoolHome
  beforeAll(async () => {
    server = await startPostgres()
    pool = await openPoolHome()
  })
  afterAll(async () => {
    await pool.server.close()
    await server.stop()
  })

  /** What the one who sits there is told; the trace to continue. */
  function toldIn(words: string): string {
    expect(words).toMatch(/^(error )?VAULT_UNREACHABLE: PostgreSQL at 127\.0\.0\.1:\d+\/\w+ does not answer/m)
    expect(words).toContain('What was recorded is kept.')
    expect(words).not.toMatch(/^\s+at |triggerUncaught|node:internal|[Uu]nhandled/m)
    return /witan resume (\w{26})/.exec(words)?.[1] ?? ''
  }
  function strandedIn({ code, stdout, stderr }: Ran): string {
    expect([code, stdout]).toEqual([7, ''])
    return toldIn(stderr)
  }

  /** A home in a database of its own, with a script that runs until the file `go` is laid. */
  async function countingHome(): Promise<AgentsHome> {
    const { url } = await freshDatabase(server.url)
    const cwd = await directory()
    const folder = join(cwd, 'work')
    const home = { home: join(cwd, 'home'), cwd, folder, env: { WITAN_POSTGRES_URL: url } }
    expect((await witan(home, 'init', '--name', 'tester')).code).toBe(0)
    await writeFiles(folder, LICENCES)
    await layCounting(home, 'while [ ! -e go ]; do sleep 0.05; done\necho counted\n')
    await addPerson(home)
    return home
  }
  const layGo = (home: AgentsHome): Promise<void> => writeFile(join(home.folder, 'go'), '')

  /** Until the tool runs: what came before it is on record. */
  async function untilCounting(home: AgentsHome): Promise<void> {
    const ran = (): Promise<string> => readFile(join(home.folder, 'ran.txt'), 'utf8').catch(() => '')
    await expect.poll(ran, PATIENCE).toBe('ran\n')
  }

  /** The step before the tool stands, and what became of the tool a person says. */
  async function goesOn(home: AgentsHome, trace: string): Promise<void> {
    const resumed = await witan(home, 'resume', trace, '--json')
    expect([resumed.stderr, resumed.code]).toEqual(['', 8])
    const words = ['--as', 'failed', '--reason', 'its word was lost', '--by', 'ana']
    expect((await witan(home, 'agents', 'resolve', trace, 'p1-i2', ...words)).code).toBe(0)
    const done = await witan(home, 'resume', trace, '--json')
    expect([done.code, done.json.status]).toEqual([5, 'nothing succeeded'])
    expect(done.json.proven).toMatchObject([{ text: 'alpha is MIT' }])
    expect(saidIn(await eventsOf(home, trace), 'tool_execution_completed')).toHaveLength(1)
    expect((await witan(home, 'verify', trace, '--json')).json.status).toBe('pass')
  }

  it('AGT-REC-1 LED-17 a session exits 7 and says how to go on; no tool runs twice', async () => {
    const home = await countingHome()
    const session = ended(start(['agents', 'run', await writeTask(home, COUNTING)], home))
    await untilCounting(home)
    await server.crash()
    await layGo(home)
    const trace = strandedIn(await session)
    await server.start()
    await goesOn(home, trace)
  })

  it('EXC-RUN-1 LED-17 an exchange exits 7 and says how to go on; no message is lost or doubled', async () => {
    const { url } = await freshDatabase(server.url)
    const { cwd, home: other } = pool.where
    const where: Where = { home: join(cwd, 'stored'), cwd, env: { WITAN_POSTGRES_URL: url } }
    expect((await witan(where, 'init', '--name', 'tester')).code).toBe(0)
    await writeFile(join(where.home, 'config.yaml'), await readFile(join(other, 'config.yaml')))
    const terms = await pool.terms('stored.yaml')
    let letGo: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const before = pool.asked.length
    // The first round is written, and the second is under way.
    const isLate = (): boolean => pool.asked.length - before >= 4
    pool.script = (asked) => (isLate() ? gone.then(() => plainScript(asked)) : plainScript(asked))
    const exchange = ended(start(['exchange', 'run', '--terms', terms, '--rounds', '4'], where))
    await expect.poll(isLate, PATIENCE).toBe(true)
    await server.crash()
    letGo()
    const trace = strandedIn(await exchange)
    pool.script = plainScript
    await server.start()
    const resumed = await witan(where, 'resume', trace, '--json')
    expect([resumed.stderr, resumed.code]).toEqual(['', 0])
    const written = saidIn(await eventsOf(where, trace), 'mind_wrote')
    expect(written.map(({ round, mind }) => `${round} ${mind}`).sort()).toEqual([
      '1 one',
      '1 two',
      '2 one',
      '2 two',
      '4 one',
      '4 two',
    ])
    expect((await witan(where, 'verify', trace, '--json')).json.status).toBe('pass')
  })

  /** Witan over stdio, as a host starts it. */
  async function hosted(where: Where) {
    const child = start(['mcp', '--tools', 'agents'], where)
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
    type Message = { readonly id?: number; readonly result?: Result }
    type Result = { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] }
    const waiting = new Map<number, (result: Result) => void>()
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      const { id = -1, result = {} } = JSON.parse(line) as Message
      waiting.get(id)?.(result)
    })
    const write = (message: object): void =>
      void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const send = (method: string, params: object): Promise<Result> => {
      const id = waiting.size + 1
      const answered = new Promise<Result>((resolve) => waiting.set(id, resolve))
      write({ id, method, params })
      return answered
    }
    const clientInfo = { name: 'host', version: '1' }
    await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    write({ method: 'notifications/initialized' })
    return {
      call: async (name: string, args: object) => {
        const { isError = false, content = [] } = await send('tools/call', { name, arguments: args })
        return { isError, text: content.map(({ text }) => text).join('\n') }
      },
      async end(): Promise<void> {
        child.stdin?.end()
        expect([await closed, stderr]).toEqual([0, ''])
      },
    }
  }

  it('COU-X-1 LED-17 a council of a host ends in an error that names the command, and the server serves on', async () => {
    const { url } = await freshDatabase(server.url)
    const settings = {
      more: '  timeouts: {r1_per_provider: 20000}\n',
      env: { WITAN_POSTGRES_URL: url },
    }
    const at = await open({ a: { R1: [{ act: 'silence' }] }, b: {}, c: {} }, settings)
    const host = await hosted(at)
    const council = host.call('council_run', { question: 'Shall we?' })
    await expect.poll(() => at.server.calls().length, PATIENCE).toBeGreaterThanOrEqual(3)
    await server.crash()
    const { isError, text } = await council
    expect(isError, text).toBe(true)
    const trace = toldIn(text)
    const away = await host.call('trace_list', {})
    expect([away.isError, /VAULT_UNREACHABLE/.test(away.text)]).toEqual([true, true])
    await server.start()
    const back = await host.call('trace_list', {})
    expect([back.isError, back.text.includes(trace)]).toEqual([false, true])
    await host.end()
    const { code, json } = await at.run('resume', trace, '--json')
    expect([code, json.status]).toEqual([0, 'reported'])
    expect((await at.run('verify', trace, '--json')).json.status).toBe('pass')
  })

  it('AGT-REC-1 LED-17 a session of a host ends in an error that names the command', async () => {
    const home = await countingHome()
    await writeTask(home, COUNTING)
    const host = await hosted({ ...home, cwd: home.folder })
    const session = host.call('agents_run', { task: 'task.yaml' })
    await untilCounting(home)
    await server.crash()
    await layGo(home)
    const { isError, text } = await session
    expect(isError, text).toBe(true)
    const trace = toldIn(text)
    await server.start()
    await host.end()
    await goesOn(home, trace)
  })
})
