// `witan doctor` as people run it: with stand-ins on the PATH, servers on this machine, and keys that must not show.

import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../test/contracts/scenarios.ts'
import { type Json, newHome, type Ran, type Where, witan } from '../../test/doors/command.ts'
import { anthropicWire } from '../../test/fakes/anthropic.ts'
import { openStub } from '../../test/fakes/cli/stub.ts'
import { googleWire } from '../../test/fakes/google.ts'
import { openaiWire } from '../../test/fakes/openai.ts'
import { ollamaWire } from '../../test/fakes/openai-compatible.ts'
import { type FakeServer, play, type VendorWire } from '../../test/fakes/scripted-server.ts'
import { modelsAsOf, vendors } from '../models/default-models.ts'

let where: Where & { readonly cwd: string }
let bare: string
const open: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  where = await newHome()
  bare = await mkdtemp(join(where.cwd, 'bin-'))
  await symlink(process.execPath, join(bare, 'node'))
})
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const ANSWER = { act: 'answer', text: 'ready', usage: { inputTokens: 11, outputTokens: 7 } } as const

async function serve(wire: VendorWire, ...script: Parameters<typeof play>[1]): Promise<FakeServer> {
  const server = await play(wire, script)
  open.push(() => server.close())
  return server
}

/** Nothing is found at the usual ports: Ollama is said to be where no one listens. */
const doctor = (env: Record<string, string>, ...args: string[]): Promise<Ran> =>
  witan({ ...where, env: { PATH: bare, OLLAMA_HOST: '127.0.0.1:9', ...env } }, 'doctor', ...args)

const settings = (providers: readonly object[]): Promise<void> =>
  writeFile(
    join(where.home, 'config.yaml'),
    JSON.stringify(providers.length > 0 ? { council: { providers } } : {}),
  )

const list = (value: Json, name: string) => value[name] as readonly Json[]

describe('witan doctor', () => {
  it('VOX-10 reports on a machine without any provider, also without a home, and succeeds', async () => {
    await settings([])
    for (const home of [where.home, join(where.cwd, 'no-home')]) {
      const { code, stdout, stderr } = await witan(
        { home, cwd: where.cwd, env: { PATH: bare, OLLAMA_HOST: '127.0.0.1:9' } },
        'doctor',
        '--all',
      )
      expect(code).toBe(0)
      for (const line of [...stdout.split('\n'), ...stderr.split('\n')])
        expect([...line].length).toBeLessThanOrEqual(80)
      expect(stdout).toMatch(/claude {6}mcp {2}no {4}no tool is mapped/)
      expect(stdout).toMatch(/\nSandbox\n {2}bubblewrap is not installed/)
      expect(stdout).toMatch(/cli {2}no {4}there is no program codex\. Install it with: npm install/)
      expect(stdout).toMatch(/api {2}no {4}GEMINI_API_KEY is not set\. Set it/)
      expect(stdout).toMatch(/ollama {6}api {2}no {4}no model server answers at 127\.0\.0\.1:9\./)
      expect(stdout).toContain('Checks only: no language model was asked.')
      expect(stderr).toContain('log in')
    }
  })

  it('VOX-10 has one line for each provider, with what to type', async () => {
    await settings([])
    const { stdout } = await doctor({})
    const [, list = ''] = /^Not ready: what to type\n([\s\S]*?)\n\n/.exec(stdout) ?? []
    expect(list.split('\n')).toEqual([
      '  claude      export ANTHROPIC_API_KEY=…  or  npm i -g @anthropic-ai/claude-code',
      '  openai      export OPENAI_API_KEY=…  or  npm i -g @openai/codex',
      '  gemini      export GEMINI_API_KEY=…  or  npm i -g @google/gemini-cli',
      '  openrouter  export OPENROUTER_API_KEY=…',
      '  ollama      ollama serve',
      '  lm-studio   lms server start',
      '  llama.cpp   llama-server -m MODEL.gguf',
    ])
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
  })

  it('VOX-10 has one line for each provider if some are ready and some fail, and the rest under --all', async () => {
    await mixed()
    const { stdout, stderr } = await doctor({ ...KEYS, OPENAI_API_KEY: '' })
    const [top = ''] = stdout.split('\n\nAt the table now')
    expect(top.split('\n').map((line) => line.slice(0, 28).trimEnd())).toEqual([
      'Ready',
      '  claude      api: a key is',
      '  gemini      api: a key is',
      '',
      'Not ready: what to type',
      '  openai      export OPENAI_',
      '  own         fetch failed:',
      '  openrouter  export OPENROU',
      '  ollama      ollama serve',
      '  lm-studio   lms server sta',
      '  llama.cpp   llama-server -',
    ])
    expect(stderr).toContain('witan doctor --all')
  })

  it('VOX-10 finds commands with their versions and logins, and seats the only vendor three times', async () => {
    await settings([])
    const claude = await openStub('claude', [ANSWER])
    open.push(() => claude.dispose())
    const PATH = `${join(claude.program, '..')}:${bare}:/usr/bin`
    const out = await doctor({ PATH }, '--all')
    expect(out.stdout).toMatch(/cli {2}no {4}claude 2\.1\.197 is not logged in\. Run claude and log in/)
    const { code, json } = await doctor({ PATH, CLAUDE_CODE_OAUTH_TOKEN: 'a-login' }, '--json', '--ask')
    expect(code).toBe(0)
    expect(list(json, 'providers')).toContainEqual({
      provider: 'claude',
      configured: false,
      transport: 'cli',
      ready: true,
      detail: 'claude 2.1.197, with its own login',
      next: null,
    })
    expect(json.table).toMatchObject({
      from: 'ready',
      one_vendor: true,
      note: 'one vendor: agreement counts little',
      seats: [
        { seat: 'claude', roles: ['participant', 'chair'] },
        { seat: 'claude-2' },
        { seat: 'claude-3' },
      ],
    })
    expect(list(json, 'asked')[2]).toEqual({
      seat: 'claude-3',
      ok: true,
      transport: 'cli',
      model: 'fake-1',
      latency_ms: expect.any(Number),
      input_tokens: 11,
      output_tokens: 7,
      cost_usd: 0.000108,
      error: null,
      earlier: [],
    })
  })

  it('VOX-10 finds a local server by the variable that sets its address', async () => {
    await settings([])
    const server = await serve(ollamaWire, ANSWER)
    const { json } = await doctor({ OLLAMA_HOST: server.url.slice('http://'.length) }, '--json', '--ask')
    expect(json.table).toMatchObject({
      from: 'ready',
      one_vendor: true,
      seats: [{ model: 'fake-1' }, {}, {}],
    })
    expect(list(json, 'asked')).toHaveLength(3)
    expect(list(json, 'asked')[0]).toMatchObject({ ok: true, model: 'fake-1', cost_usd: null })
  })

  const KEYS = {
    ANTHROPIC_API_KEY: PLANTED_SECRET,
    OPENAI_API_KEY: PLANTED_SECRET,
    GEMINI_API_KEY: PLANTED_SECRET,
    OTHER_KEY: 'AIzaPlantedPlantedPlanted0123456789',
  }

  /** One seat that answers, one that is refused, one that cannot be paid, one that no one serves. */
  async function mixed(): Promise<void> {
    const [a, o, g] = [
      await serve(anthropicWire, ANSWER),
      await serve(openaiWire, { act: 'error', kind: 'auth', message: `Not known: ${PLANTED_SECRET}` }),
      await serve(googleWire, { act: 'error', kind: 'billing', message: 'Your credit balance is too low' }),
    ]
    const dead = await play(ollamaWire, [{ act: 'unreachable' }])
    await settings([
      {
        name: 'claude',
        transport: ['cli', 'api'],
        base_url: `${a.url}/v1`,
        api_key_env: 'ANTHROPIC_API_KEY',
      },
      {
        name: 'openai',
        transport: 'api',
        base_url: `${o.url}/v1`,
        api_key_env: 'OPENAI_API_KEY',
        model: 'gpt-old',
      },
      { name: 'gemini', transport: 'api', base_url: `${g.url}/v1beta`, api_key_env: 'GEMINI_API_KEY' },
      { name: 'own', base_url: `${dead.url}/v1`, model: 'm', api_key_env: 'OTHER_KEY' },
    ])
  }

  it('VOX-10 asks each ready seat and shows latency, tokens, cost, or the real error', async () => {
    await mixed()
    const { code, stdout } = await doctor(KEYS, '--ask')
    expect(code).toBe(0)
    const asked = stdout.slice(stdout.indexOf('\nAsked\n'))
    expect(asked).toMatch(/claude {2}answered: api · .* · \d+ ms · 11\+7 tokens · \$0\.\d+/)
    expect(asked.replace(/\s+/g, ' ')).toContain('cli before it: there is no program claude')
    expect(asked).toMatch(/openai {2}no answer: api failed after \d+ ms · auth\n.*Not known: \[secret\]/)
    expect(asked).toMatch(
      /gemini {2}no answer: api failed after \d+ ms · auth, billing\n.*Your credit balance is too low/,
    )
    expect(asked).not.toMatch(/^ {2}own/m)
    expect(stdout).toMatch(/own {5}participant · m · api · not ready/)
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
  })

  it('VOX-10 warns of models that the vendor does not list', async () => {
    await mixed()
    const { json } = await doctor(KEYS, '--json')
    expect(json.asked).toBeNull()
    expect(json.warnings).toContain(
      `claude: the default model (as of ${modelsAsOf}) ${vendors.anthropic.models[0]} is not listed by the vendor; set another with model:`,
    )
    expect(json.warnings).toContain(
      'openai: the model gpt-old is not listed by the vendor; set another with model:',
    )
  })

  it('VOX-10 never prints a key, with any option and after any failure', async () => {
    await mixed()
    const KEYED = { ...KEYS, WITAN_DEBUG: '1' }
    for (const args of [[], ['--ask'], ['--json'], ['--json', '--ask'], ['--quiet']]) {
      const { code, stdout, stderr } = await doctor(KEYED, ...args)
      expect(code).toBe(0)
      const all = stdout + stderr
      for (const key of Object.values(KEYS)) expect(all).not.toContain(key.slice(4, 20))
    }
    expect((await doctor(KEYS, '--quiet')).stdout).toBe('claude\nopenai\ngemini\n')
  })

  it('AGT-TOOL-6 says what enforces the limits of sandboxes on this machine', async () => {
    await settings([])
    const { json } = await doctor({ PATH: `${bare}:${process.env.PATH}` }, '--json')
    expect(json.sandbox).toMatchObject({
      confined: true,
      detail: expect.stringMatching(/^memory and processes: the kernel/),
    })
    expect(['control-group', 'counting']).toContain((json.sandbox as Json).by)
  })
})
