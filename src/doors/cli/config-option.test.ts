// `--config FILE` holds for every command. Those that use a ledger go to the one that the file names, which is seen at
// its address; of the others it is said why they have none, and even they refuse a file with a fault.

import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directory, newHome, start, type Where, witan } from '../../../test/doors/command.ts'
import { bundleScript } from '../../../test/support/children.ts'
import { trust } from '../../app/home/permissions.ts'
import { COMMANDS, type CommandName } from './commands.ts'

interface Use {
  /** What follows the name of the command. */
  readonly words: readonly string[]
  /** What is written to it. */
  readonly input?: string
}

const message = (id: number | null, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', ...(id !== null && { id }), method, params })}\n`

const calling = (name: string, args: object): string =>
  message(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
  }) +
  message(null, 'notifications/initialized', {}) +
  message(2, 'tools/call', { name, arguments: args })

const use = (...words: readonly string[]): Use => ({ words })
const BECAUSE = ['--reason', 'because'] as const

/** How each command is brought to use a ledger, or why it has none. */
const TABLE: Readonly<Record<CommandName, Use | string>> = {
  demo: use('--fast'),
  ask: use('Shall we?'),
  review: use('FILE', '--yes'),
  council: use('Shall we?'),
  eval: use('SET', '--yes'),
  outcome: use('last', 'right'),
  'agents run': use('FILE'),
  'agents pending': use(),
  'agents approve': use('last', ...BECAUSE),
  'agents block': use('last', ...BECAUSE),
  'agents challenge': use('last', ...BECAUSE),
  'agents propose': use('last', 'FILE'),
  'agents resolve': use('last', '--as', 'failed', ...BECAUSE),
  'agents close': use('last'),
  'agents summary': use(),
  attach: use('claude', '--project'),
  detach: 'takes hooks out of the files of a host, named by the home',
  gateway: {
    words: ['--gate', '--', process.execPath, 'SERVER', '.'],
    input: calling('echo', { words: 'x' }),
  },
  'exchange run': use('last'),
  'exchange chat': { words: ['last'], input: 'a text\n' },
  'exchange status': use(),
  'exchange inject': use('last', 'a text'),
  'exchange say': use('last', 'a text'),
  'exchange pin': use('last', '1'),
  'exchange branch': use('last'),
  'exchange rollback': use('last', '--to', '1'),
  'exchange answer': use('last', '--with', 'halt'),
  'exchange terms': use('last'),
  'exchange compare': use('last', 'last'),
  'exchange map': use('last', '-o', 'map.html'),
  'exchange export': use('last'),
  'exchange reembed': use('last'),
  'exchange score': 'scores a file of texts; nothing is read from a ledger or written to one',
  init: use(),
  list: use(),
  costs: use(),
  find: use('words'),
  show: use('last'),
  report: use('last'),
  open: use('last'),
  verify: use('last'),
  export: use('last', '-o', 'x.witan'),
  resume: use('last'),
  fork: use('last', '--after', 'R1'),
  retry: use('last'),
  abort: use('last', ...BECAUSE),
  replay: use('last'),
  prove: use('last', '1', '-o', 'x.proof'),
  attest: use('last'),
  otel: use('last', '-o', 'x.json'),
  redact: use('last', '1', ...BECAUSE),
  prune: use('--before', '2020-01-01', '--yes', ...BECAUSE),
  wait: use('last'),
  'queue list': use(),
  'queue cancel': use('last'),
  'queue retry': use('last'),
  'queue limit': use('tenant', '--slots', '1'),
  'schedule add': use('nightly', '0 3 * * *', '--', 'review'),
  'schedule list': use(),
  'schedule remove': use('nightly'),
  worker: use(),
  'keys list': use(),
  'keys add': use('name', '--role', 'critic'),
  'keys join': use('name'),
  'keys rotate': use('tester'),
  'keys passphrase': 'changes how a private key of the home is kept',
  'keys revoke': use('tester', ...BECAUSE),
  doctor: use(),
  mcp: { words: [], input: calling('trace_list', {}) },
  console: use('--no-open', '--json'),
  trust: 'judges files of settings themselves',
  completion: use('traces'),
}

let where: Where & { readonly cwd: string }
/** What stands for words in capitals. */
let placed: Readonly<Record<string, string>>
let port: number

/** The databases that were asked for. Nothing is answered: what matters is who comes. */
const wanted = new Set<string>()
const arrivals = new Set<() => void>()
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (first) => {
    const [, database] = /\0database\0([^\0]+)\0/.exec(first.toString('latin1')) ?? []
    if (database !== undefined) wanted.add(database)
    for (const arrived of arrivals) arrived()
    socket.destroy()
  })
})

beforeAll(async () => {
  where = await newHome()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as { readonly port: number }).port
  const file = join(where.cwd, 'file.md')
  await writeFile(file, 'a text\n')
  const set = join(where.cwd, 'set.jsonl')
  await writeFile(set, `${JSON.stringify({ id: '1', input: 'How much is 1 + 1?', target: '2' })}\n`)
  placed = { FILE: file, SET: set, SERVER: await bundleScript('test/fakes/mcp/tools-server.ts') }
  // One after the other: what is trusted is kept in one file.
  for (const { name } of COMMANDS) {
    const text = settings(databaseOf(name))
    await writeFile(fileOf(name), text)
    await trust(where.home, fileOf(name), Buffer.from(text))
  }
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

const databaseOf = (name: CommandName): string => name.replaceAll(' ', '-')
const fileOf = (name: CommandName): string => join(where.cwd, `${databaseOf(name)}.yaml`)

/** Who sits is said here alone: a command that did not read it would convene no one. */
const settings = (database: string): string => `vault:
  postgres: postgres://w@127.0.0.1:${port}/${database}
council:
  providers:
    - {name: a, model: a, base_url: "http://127.0.0.1:${port}/v1"}
    - {name: b, model: b, base_url: "http://127.0.0.1:${port}/v1"}
    - {name: c, model: c, base_url: "http://127.0.0.1:${port}/v1"}
`

/** `reached` when the command comes to the ledger that its file names, else what it said. It is ended then: a server would stay. */
async function reaches(name: CommandName, { words, input }: Use): Promise<string> {
  const database = databaseOf(name)
  const given = words.map((word) => placed[word] ?? word)
  const child = start([...name.split(' '), '--config', fileOf(name), ...given], where)
  const said: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk))
  child.stdout?.on('data', (chunk: Buffer) => said.push(chunk))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const arrived = new Promise<void>((resolve) => {
    arrivals.add(() => wanted.has(database) && resolve())
  })
  if (input === undefined) child.stdin?.end()
  else child.stdin?.write(input)
  await Promise.race([closed, arrived])
  child.kill('SIGKILL')
  await closed
  return wanted.has(database) ? 'reached' : Buffer.concat(said).toString('utf8')
}

const rows = COMMANDS.map(({ name }) => [name, TABLE[name]] as const)

describe('--config for every command', () => {
  it('APP-6 has a row for every command', () => {
    expect(Object.keys(TABLE).sort()).toEqual(COMMANDS.map(({ name }) => name).sort())
  })

  for (const [name, row] of rows) {
    if (typeof row === 'string') {
      it(`APP-6 ${name} refuses a file with a fault, though it ${row}`, async () => {
        const file = join(await directory(), 'faulty.yaml')
        await writeFile(file, 'counsel: {}\n')
        const args = COMMANDS.find((command) => command.name === name)?.args ?? []
        const words = args.flatMap(({ choices, optional }) => (optional ? [] : [choices?.[0] ?? 'x']))
        const ran = await witan(where, ...name.split(' '), ...words, '--json', '--config', file)
        expect([ran.code, ran.json]).toEqual([
          2,
          {
            error: expect.objectContaining({
              code: 'CONFIG_INVALID',
              message: expect.stringContaining(file),
            }),
          },
        ])
      }, 60_000)
    } else
      it.concurrent(`APP-6 ${name} goes to the ledger that the file names`, async ({ expect: see }) => {
        see(await reaches(name, row)).toBe('reached')
      }, 60_000)
  }
})
