// Who sits at the table, in worlds of the test's own making: an environment, a PATH of stand-ins, a network that is
// this machine at most.

import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { anthropicWire } from '../../../test/fakes/anthropic.ts'
import { type CliAct, openStub, type Stub, type Vendor } from '../../../test/fakes/cli/stub.ts'
import { ARGUMENTS, TOOL } from '../../../test/fakes/mcp/acts.ts'
import { fakeProgram } from '../../../test/fakes/mcp/stdio.ts'
import { type FakeServer, play } from '../../../test/fakes/scripted-server.ts'
import { routers, vendors } from '../../models/default-models.ts'
import type { Asked } from '../../models/seat/seat.ts'
import type { ProviderSettings } from '../config/provider.ts'
import { councilTable } from '../council/council-table.ts'
import { addressesOf, type Surroundings } from './environment.ts'
import { ONE_VENDOR, seatNamed, seatTable, type Table } from './seat-table.ts'
import { waysTo } from './transports.ts'

let folder: string
const open: { dispose?(): Promise<void>; close?(): Promise<void> }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-seating-'))
})
afterEach(async () => {
  for (const one of open.splice(0)) await (one.dispose?.() ?? one.close?.())
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const ANSWER = { act: 'answer', text: 'ready', usage: { inputTokens: 11, outputTokens: 7 } } as const

/** A PATH with these stand-ins and node, and nothing else. */
async function pathWith(...stubs: readonly Stub[]): Promise<string> {
  const bin = await mkdtemp(join(folder, 'bin-'))
  await symlink(process.execPath, join(bin, 'node'))
  return [bin, ...stubs.map(({ program }) => dirname(program)), '/usr/bin'].join(':')
}

async function stub(vendor: Vendor, ...script: readonly CliAct[]): Promise<Stub> {
  const made = await openStub(vendor, script)
  open.push(made)
  return made
}

async function server(...script: Parameters<typeof play>[1]): Promise<FakeServer> {
  const made = await play(anthropicWire, script)
  open.push(made)
  return made
}

interface World {
  readonly env?: Record<string, string>
  readonly providers?: readonly ProviderSettings[]
  readonly council?: object
  readonly servers?: Surroundings['settings']['mcpServers']
  /** What each address lists; any other is dead. */
  readonly lists?: Readonly<Record<string, readonly string[]>>
}

/** Addresses of this machine that no list is given for are reached for real. */
async function world({
  env = {},
  providers,
  council = {},
  servers = {},
  lists,
}: World): Promise<Surroundings> {
  const home = await mkdtemp(join(folder, 'home-'))
  const answer: typeof fetch = async (url) => {
    const models = lists?.[String(url).replace(/\/models.*$/, '')]
    if (models === undefined) throw new TypeError('fetch failed', { cause: new Error('nobody is there') })
    return Response.json({ data: models.map((id) => ({ id })) })
  }
  return {
    settings: { council: { ...council, ...(providers && { providers }) }, mcpServers: servers },
    env: { HOME: home, PATH: await pathWith(), ...env },
    signal: new AbortController().signal,
    ...(lists && { fetch: answer }),
  }
}

const sitting = ({ seats }: Table) =>
  seats.map(({ id, seat }) => [
    id,
    seat.roles.join('+'),
    seat.model,
    seat.minds.map(({ transport, model }) => `${transport}:${model}`).join(' '),
  ])

const askFirst = ({ seats: [first] }: Table): Promise<Asked> => {
  if (first === undefined) throw new Error('nobody sits here')
  return first.seat.ask({
    round: 'R1',
    system: 'Be brief.',
    parts: [{ name: 'question', text: 'Shall we?', quotes: null, template: null }],
    schema: null,
    limits: { maxOutputTokens: null, maxReplyBytes: 100_000 },
    signal: new AbortController().signal,
  })
}

const OLLAMA = { 'http://127.0.0.1:11434/v1': ['one', 'two'] }

describe('a local server by name', () => {
  it('VOX-13 is asked with each of its models if no other provider is ready', async () => {
    const { settings, ...around } = await world({ lists: OLLAMA })
    const wish = { seats: ['ollama'], chair: null, mode: 'ask' } as const
    const { records } = await councilTable(wish, { ...settings, files: [], chosen: false }, around)
    expect(records.map(({ seat, model }) => `${seat} ${model}`)).toEqual([
      'ollama one',
      'ollama-2 two',
      'ollama-3 one',
    ])
  })

  it('VOX-10 counts as a local provider, as the checks never do', async () => {
    const table = await seatTable(await world({ lists: OLLAMA }))
    expect(['ollama-2', 'ollama', 'local', 'claude'].map((name) => seatNamed(table, name)?.id)).toEqual([
      'ollama-2',
      'ollama',
      'ollama',
      undefined,
    ])
    expect(seatNamed(await seatTable(await world({ lists: {} })), 'embedded')).toBeUndefined()
  })
})

describe('with nothing configured', () => {
  it('VOX-13 only the named checks sit if no provider is ready', async () => {
    const table = await seatTable(await world({ lists: {} }))
    expect(table).toMatchObject({ from: 'embedded', oneVendor: false })
    expect(table.note).toBe('Checks only: no language model was asked.')
    expect(sitting(table)).toEqual([['embedded', 'participant+chair', null, 'embedded:null']])
  })

  it('VOX-13 one ready vendor takes three seats with different models, and is marked', async () => {
    const [a, b, c] = vendors.openai.models
    const table = await seatTable(await world({ env: { OPENAI_API_KEY: PLANTED_SECRET }, lists: {} }))
    expect(table).toMatchObject({ from: 'ready', oneVendor: true, note: ONE_VENDOR })
    expect(sitting(table)).toEqual([
      ['openai', 'participant+chair', a, `api:${a}`],
      ['openai-2', 'participant', b, `api:${b}`],
      ['openai-3', 'participant', c, `api:${c}`],
    ])
  })

  it('uses for a router the models of the dated data file, unless a model or an address is set', async () => {
    const at = await world({ env: { OPENROUTER_API_KEY: PLANTED_SECRET }, lists: {} })
    const modelOf = async (more: Partial<ProviderSettings>) =>
      (await waysTo({ name: 'openrouter', ...more }, at)).map(({ model }) => model)
    expect(await modelOf({})).toEqual([routers.get('openrouter')])
    expect(await modelOf({ model: 'vendor/one' })).toEqual(['vendor/one'])
    expect(await modelOf({ base_url: 'http://127.0.0.1:9/v1', api_key_env: 'OPENROUTER_API_KEY' })).toEqual([
      null,
    ])
  })

  it('VOX-13 a local server alone offers its models, except those that only embed', async () => {
    const ollama = 'http://127.0.0.1:11434/v1'
    const two = await seatTable(await world({ lists: { [ollama]: ['nomic-embed-text', 'llama4', 'qwen4'] } }))
    // Models of two makers behind one server are not one vendor's.
    expect(two.oneVendor).toBe(false)
    expect(sitting(two).map(([id, , model]) => [id, model])).toEqual([
      ['ollama', 'llama4'],
      ['ollama-2', 'qwen4'],
      ['ollama-3', 'llama4'],
    ])
    const one = await seatTable(await world({ lists: { [ollama]: ['llama4'] } }))
    expect(one.oneVendor).toBe(true)
    expect(new Set(one.seats.map(({ seat }) => seat)).size).toBe(3)
  })

  it("VOX-13 a vendor's command alone is called three times with its own model", async () => {
    const claude = await stub('claude', ANSWER)
    const env = { PATH: await pathWith(claude), CLAUDE_CODE_OAUTH_TOKEN: 'a-login' }
    const table = await seatTable(await world({ env, lists: {} }))
    expect(table).toMatchObject({ from: 'ready', oneVendor: true })
    expect(sitting(table)).toEqual([
      ['claude', 'participant+chair', null, 'cli:null'],
      ['claude-2', 'participant', null, 'cli:null'],
      ['claude-3', 'participant', null, 'cli:null'],
    ])
  })

  it('VOX-1 VOX-13 several take a seat each, Claude before OpenAI before Gemini, the first in the chair', async () => {
    const env = {
      GOOGLE_API_KEY: PLANTED_SECRET,
      ANTHROPIC_API_KEY: PLANTED_SECRET,
      OPENAI_API_KEY: PLANTED_SECRET,
    }
    const table = await seatTable(await world({ env, lists: {} }))
    expect(table).toMatchObject({ from: 'ready', oneVendor: false, note: null })
    expect(sitting(table).map(([id, roles]) => [id, roles])).toEqual([
      ['claude', 'participant+chair'],
      ['openai', 'participant'],
      ['gemini', 'participant'],
    ])
  })

  it('VOX-13 looks for local servers on this machine only', () => {
    const found = (host: string) => addressesOf(['http://127.0.0.1:11434/v1'], { OLLAMA_HOST: host })
    expect(found('127.0.0.1:7777')).toEqual(['http://127.0.0.1:7777/v1'])
    expect(found('localhost')).toEqual(['http://localhost:11434/v1'])
    expect(found('http://[::1]:7777/')).toEqual(['http://[::1]:7777/v1'])
    for (const host of [
      '0.0.0.0',
      'evil.example:1',
      'http://127.0.0.1.evil.example',
      '127.0.0.1@evil.example',
    ])
      expect(found(host)).toEqual(['http://127.0.0.1:11434/v1'])
  })
})

describe('a configured council', () => {
  it('VOX-13 is never replaced: a seat that cannot answer says why', async () => {
    const lists = { 'http://127.0.0.1:11434/v1': ['llama4'] }
    const table = await seatTable(await world({ providers: [{ name: 'claude' }], lists }))
    expect(table).toMatchObject({ from: 'configuration', oneVendor: true })
    expect(sitting(table)).toEqual([['claude', 'participant+chair', null, 'cli:null api:null']])
    const { outcome, attempts, failure } = await askFirst(table)
    expect(outcome.ok).toBe(false)
    expect(attempts.map(({ transport, failure }) => [transport, failure?.cause])).toEqual([
      ['cli', 'unavailable'],
      ['api', 'unavailable'],
    ])
    expect(failure?.error_message).toContain('ANTHROPIC_API_KEY is not set')
  })

  it('VOX-1 VOX-2 keeps models, roles and the order of transports as configured', async () => {
    const providers: ProviderSettings[] = [
      { name: 'claude', model: 'm-1', transport: ['api', 'cli'] },
      { name: 'openai', role: ['participant', 'chair'], model: 'm-2' },
      { name: 'openai', model: 'm-3', transport: ['api'] },
    ]
    const env = { ANTHROPIC_API_KEY: PLANTED_SECRET, OPENAI_API_KEY: PLANTED_SECRET }
    const surroundings = await world({ env, providers, council: { transport: ['cli', 'api'] }, lists: {} })
    expect(sitting(await seatTable(surroundings))).toEqual([
      ['claude', 'participant', 'm-1', 'api:m-1 cli:m-1'],
      ['openai', 'participant+chair', 'm-2', 'cli:m-2 api:m-2'],
      ['openai-2', 'participant', 'm-3', 'api:m-3'],
    ])
  })

  it('VOX-2 prefers MCP, falls back to the command, then to HTTP, and keeps every reason', async () => {
    const [claude, http] = [
      await stub('claude', { act: 'error', kind: 'auth', message: 'Log in again' }),
      await server(ANSWER),
    ]
    const tool = await fakeProgram({ script: [{ act: 'error', kind: 'auth', message: 'Not you' }] })
    open.push(tool)
    const provider: ProviderSettings = {
      name: 'claude',
      base_url: `${http.url}/v1`,
      api_key_env: 'OWN_KEY',
      mcp: { server: 'docs', tool: TOOL, arguments: ARGUMENTS },
    }
    const surroundings = await world({
      env: { PATH: await pathWith(claude), OWN_KEY: PLANTED_SECRET },
      providers: [provider],
      servers: { docs: { command: tool.command } },
    })
    const { outcome, attempts } = await askFirst(await seatTable(surroundings))
    expect(attempts.map(({ transport, failure }) => [transport, failure?.message ?? 'answered'])).toEqual([
      ['mcp', expect.stringContaining('Not you')],
      ['cli', expect.stringContaining('Log in again')],
      ['api', 'answered'],
    ])
    expect(outcome).toMatchObject({ ok: true, text: 'ready', transport: 'api' })
    expect(claude.calls().at(-1)?.env).toMatchObject({
      ANTHROPIC_BASE_URL: http.url,
      ANTHROPIC_API_KEY: PLANTED_SECRET,
    })
  })
})

describe('a key', () => {
  /** A program that prints its second argument and writes down what it was given. */
  async function printer(body: string): Promise<string> {
    const file = join(await mkdtemp(join(folder, 'key-')), 'print-key')
    await writeFile(file, `#!${process.execPath}\n${body}\n`)
    await chmod(file, 0o755)
    return file
  }

  const saw = (program: string) => readFile(join(dirname(program), 'saw.json'), 'utf8').then(JSON.parse)

  it('VOX-14 comes from a command run without a shell, once, that sees no other key', async () => {
    const program = await printer(
      `const fs = require('fs'), path = require('path')
       fs.appendFileSync(path.join(path.dirname(process.argv[1]), 'saw.json'), JSON.stringify({ args: process.argv.slice(2), env: process.env }))
       console.log('  ${PLANTED_SECRET}  ')`,
    )
    const http = await server(ANSWER)
    const table = await seatTable(
      await world({
        env: { OPENAI_API_KEY: 'sk-other-vendors-key-0123456789', OTHER: 'sk-named-by-another-seat-01' },
        providers: [
          {
            name: 'claude',
            transport: ['api'],
            base_url: `${http.url}/v1`,
            api_key_command: [program, '$(touch x); "a b"'],
          },
          { name: 'x', model: 'm', base_url: http.url, api_key_env: 'OTHER' },
        ],
      }),
    )
    expect((await askFirst(table)).outcome).toMatchObject({ ok: true })
    expect((await askFirst(table)).outcome).toMatchObject({ ok: true })
    const { args, env } = await saw(program)
    expect(args).toEqual(['$(touch x); "a b"'])
    expect(JSON.stringify(env)).not.toMatch(/other-vendors|named-by-another/)
    expect(http.requests.every(({ headers }) => headers['x-api-key'] === PLANTED_SECRET)).toBe(true)
  })

  const broken: readonly (readonly [string, string, string])[] = [
    [
      'fails',
      `console.log('${PLANTED_SECRET}'); console.error('locked: ${PLANTED_SECRET}'); process.exit(3)`,
      'locked',
    ],
    ['prints nothing', '', 'printed nothing'],
    ['prints too much', `console.log('a key\\nuser: ana')`, 'more than one word'],
  ]

  it.each(broken)(
    "VOX-10 from a command that %s is reported in the command's own words, without the key",
    async (_, body, words) => {
      const http = await server(ANSWER)
      const provider: ProviderSettings = {
        name: 'claude',
        transport: ['api'],
        base_url: `${http.url}/v1`,
        api_key_command: [await printer(body)],
      }
      const { outcome } = await askFirst(await seatTable(await world({ providers: [provider] })))
      expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining(words) })
      expect(JSON.stringify(outcome)).not.toContain(PLANTED_SECRET)
      expect(http.requests).toEqual([])
    },
  )

  it('VOX-14 of a vendor, and a login, are never sent to an address that the user set', async () => {
    const [claude, http] = [await stub('claude', ANSWER), await server(ANSWER)]
    const providers = [{ name: 'claude', base_url: `${http.url}/v1` }]
    const home = await mkdtemp(join(folder, 'home-'))
    await mkdir(join(home, '.claude'))
    await writeFile(join(home, '.claude/.credentials.json'), '{}')
    const env = { HOME: home, PATH: await pathWith(claude), ANTHROPIC_API_KEY: PLANTED_SECRET }
    const { outcome, attempts } = await askFirst(await seatTable(await world({ env, providers })))
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('api_key_env') })
    expect([attempts.length, http.requests, claude.calls()]).toEqual([2, [], []])
  })

  it("VOX-2 a vendor's command uses the user's own login before a key, and the key when not logged in", async () => {
    const claude = await stub('claude', ANSWER)
    const env = { PATH: await pathWith(claude), ANTHROPIC_API_KEY: PLANTED_SECRET }
    const providers: ProviderSettings[] = [{ name: 'claude', transport: ['cli'] }]
    expect((await askFirst(await seatTable(await world({ env, providers })))).outcome.ok).toBe(true)
    expect(claude.calls().at(-1)?.env.ANTHROPIC_API_KEY).toBe(PLANTED_SECRET)
    const login = { ...env, CLAUDE_CODE_OAUTH_TOKEN: 'a-login' }
    expect((await askFirst(await seatTable(await world({ env: login, providers })))).outcome.ok).toBe(true)
    expect(claude.calls().at(-1)?.env.ANTHROPIC_API_KEY).toBeUndefined()
  })
})
