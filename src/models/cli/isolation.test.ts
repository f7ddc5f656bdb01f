// What a vendor's program is given: the prompt on stdin, an empty folder, few variables, and never a key, a prompt or
// a hostile name where it could be read by others or taken for a flag.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type CliAct, openStub, type Stub, type StubCall, type Vendor } from '../../../test/fakes/cli/stub.ts'
import type { Outcome, Request } from '../model.ts'
import { claudeModel } from './claude.ts'
import type { CliOptions } from './cli-model.ts'
import { codexModel } from './codex.ts'
import { geminiModel } from './gemini.ts'

const minds = { claude: claudeModel, codex: codexModel, gemini: geminiModel }
const VENDORS = ['claude', 'codex', 'gemini'] as const
const KEY = 'key-of-this-vendor-0123456789'
const fine: CliAct = { act: 'answer', text: 'Fine.', usage: null }

/** Ours, with what no program should ever see. */
const SECRETS = {
  ANTHROPIC_API_KEY: 'planted-anthropic-0123456789',
  OPENAI_API_KEY: 'planted-openai-0123456789',
  GEMINI_API_KEY: 'planted-google-0123456789',
  GOOGLE_API_KEY: 'planted-google-0123456789',
  AWS_SECRET_ACCESS_KEY: 'planted-aws-0123456789',
  WITAN_HOME: 'planted-home-0123456789',
  NODE_OPTIONS: '--no-warnings',
  LD_PRELOAD: '',
}

let stub: Stub
afterEach(() => stub.dispose())

const request = (text: string, more: Partial<Request> = {}): Request => ({
  system: 'You sit on a council.',
  parts: [{ name: 'question', text, quotes: null, template: null }],
  schema: null,
  limits: { timeoutMs: 20_000, maxOutputTokens: null, maxReplyBytes: 1 << 20 },
  signal: new AbortController().signal,
  ...more,
})

async function asked(
  vendor: Vendor,
  options: Partial<CliOptions> & { readonly act?: CliAct; readonly text?: string } = {},
): Promise<{ outcome: Outcome; call: StubCall | undefined }> {
  stub = await openStub(vendor, [options.act ?? fine])
  const mind = minds[vendor]({
    name: vendor,
    model: 'm-1',
    program: stub.program,
    apiKey: async () => KEY,
    env: { ...process.env, ...SECRETS },
    ...options,
  })
  const outcome = await mind.ask(request(options.text ?? 'Shall we?'))
  expect(await stub.leftovers()).toEqual([])
  return { outcome, call: stub.calls()[0] }
}

describe.each(VENDORS)('%s is given', (vendor) => {
  it('VOX-12 the prompt on stdin, the system in a file, and neither in its arguments', async () => {
    const { call } = await asked(vendor, { text: 'Shall we adopt it?' })
    expect(call?.input).toBe('Shall we adopt it?')
    expect(call?.files).toContain('You sit on a council.')
    expect(call?.args.join(' ')).not.toMatch(/council|adopt/)
  })

  it('VOX-12 an empty folder, and a temporary one that goes with the call', async () => {
    const { call } = await asked(vendor)
    expect(call?.inCwd).toEqual([])
    expect(call?.env.TMPDIR).toMatch(/witan-cli-/)
    expect(call?.env.HOME).toMatch(/witan-cli-/)
  })

  it('VOX-12 its own key in its environment alone, and no other secret of ours', async () => {
    const { call } = await asked(vendor)
    const own = { claude: 'ANTHROPIC_API_KEY', codex: 'CODEX_API_KEY', gemini: 'GEMINI_API_KEY' }[vendor]
    expect(Object.entries(call?.env ?? {}).filter(([, value]) => value === KEY)).toEqual([[own, KEY]])
    expect(call?.args.join(' ')).not.toContain(KEY)
    expect(JSON.stringify(call?.env)).not.toContain('planted')
    expect(call?.env).not.toHaveProperty('NODE_OPTIONS')
    expect(call?.env).not.toHaveProperty('LD_PRELOAD')
  })

  it('VOX-12 a prompt of a megabyte', async () => {
    const text = 'ü'.repeat(524_288)
    const { call, outcome } = await asked(vendor, { text })
    expect(outcome.ok).toBe(true)
    expect(call?.input).toBe(text)
  })

  it.each(['/init', '  /memory show', '\n!id', '#x'])('no command in %j', async (text) => {
    const { call } = await asked(vendor, { text })
    expect(call?.input).toBe(`The request follows.\n\n${text}`)
  })

  it.each(['--yolo', '-x', '; rm -rf ~', '$(id)', 'a\nb', 'a b', '"', '', '../x', 'x'.repeat(201)])(
    'no model named %j',
    async (model) => {
      const { outcome, call } = await asked(vendor, { model })
      expect(outcome).toMatchObject({ ok: false, type: 'auth', cause: 'model_not_found' })
      expect(call).toBeUndefined()
    },
  )

  it.each(['claude-opus-4-8[1m]', 'vendor/model:free', 'gpt-5.2@x'])(
    'the model %s as one argument',
    async (model) => {
      const { call } = await asked(vendor, { model })
      expect(call?.args.filter((arg) => arg.includes(model))).toEqual([`--model=${model}`])
    },
  )

  it.each(['http://user:pw@127.0.0.1/', 'file:///etc/passwd', 'no url', 'x", env_key="HOME'])(
    'no base URL like %s',
    async (baseUrl) => {
      const { outcome, call } = await asked(vendor, { baseUrl })
      expect(outcome).toMatchObject({ ok: false, cause: 'unavailable' })
      expect(call).toBeUndefined()
    },
  )

  it('VOX-5 a chance to say what went wrong, from its stderr and its end', async () => {
    const text = `error: unknown option for ${KEY}`
    const { outcome } = await asked(vendor, { act: { act: 'stderr', text, code: 2 } })
    expect(outcome).toMatchObject({
      ok: false,
      type: 'parse_error',
      message: expect.stringContaining('unknown option'),
    })
    expect(JSON.stringify(outcome)).not.toContain(KEY)
    await stub.dispose()
    const silent = await asked(vendor, { act: { act: 'stderr', text: '', code: 7 } })
    expect(silent.outcome).toMatchObject({ ok: false, message: expect.stringContaining('ended with code 7') })
    await stub.dispose()
    const killed = await asked(vendor, { act: { act: 'killed' } })
    expect(killed.outcome).toMatchObject({
      ok: false,
      type: 'network',
      message: expect.stringContaining('SIGKILL'),
    })
  })

  it('says so when the key cannot be fetched', async () => {
    const apiKey = async () => {
      throw new Error('the key command ended with code 1')
    }
    const { outcome, call } = await asked(vendor, { apiKey })
    expect(outcome).toMatchObject({ ok: false, type: 'auth', message: 'the key command ended with code 1' })
    expect(call).toBeUndefined()
  })
})

describe('a login instead of a key', () => {
  let home: string
  afterEach(() => rm(home, { recursive: true, force: true }))

  async function withHome(vendor: Vendor, files: readonly string[] = []) {
    home = await mkdtemp(join(tmpdir(), 'witan-home-'))
    for (const file of files) {
      await mkdir(join(home, file, '..'), { recursive: true })
      await writeFile(join(home, file), '{}')
    }
    const env = { ...process.env, ...SECRETS, HOME: home, CLAUDE_CODE_OAUTH_TOKEN: 'oauth-0123456789' }
    return asked(vendor, { env, apiKey: async () => null })
  }

  it('VOX-12 leaves Claude Code its home and its own token, and --bare to those with a key', async () => {
    const { call } = await withHome('claude')
    expect(call?.env).toMatchObject({ HOME: home, CLAUDE_CODE_OAUTH_TOKEN: 'oauth-0123456789' })
    expect(call?.env).toMatchObject({
      CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
      CLAUDE_CODE_SAFE_MODE: '1',
      CLAUDE_CODE_DISABLE_REFUSAL_RETRY: '1',
      CLAUDE_CODE_NO_MODEL_FALLBACK: '1',
    })
    expect(call?.args).not.toContain('--bare')
    await stub.dispose()
    const keyed = await asked('claude', {
      env: { ...process.env, CLAUDE_CODE_OAUTH_TOKEN: 'oauth-0123456789' },
    })
    expect(keyed.call?.args).toContain('--bare')
    expect(keyed.call?.env).not.toHaveProperty('CLAUDE_CODE_OAUTH_TOKEN')
  })

  it('VOX-12 leaves Codex its home, and no key', async () => {
    const { call } = await withHome('codex')
    expect(call?.env).toMatchObject({ HOME: home })
    expect(call?.env).not.toHaveProperty('CODEX_API_KEY')
    expect(JSON.stringify(call)).not.toMatch(/planted|oauth-/)
  })

  it('VOX-12 links a login into the home made for Gemini CLI, and nothing else of the user’s', async () => {
    const { call } = await withHome('gemini', ['.gemini/oauth_creds.json', '.gemini/GEMINI.md'])
    expect(call?.env.HOME).toMatch(/witan-cli-/)
    expect(call?.inHome).toEqual(['.gemini/oauth_creds.json', '.gemini/settings.json'])
    expect(JSON.stringify(call)).not.toMatch(/planted|oauth-0/)
  })

  it.each(['claude', 'gemini'] as const)('tells a user of %s to log in', async (vendor) => {
    stub = await openStub(vendor, [fine])
    home = await mkdtemp(join(tmpdir(), 'witan-home-'))
    const env = { PATH: process.env.PATH, HOME: home }
    const mind = minds[vendor]({ name: vendor, model: null, program: stub.program, env })
    const found = await mind.available(AbortSignal.timeout(20_000))
    if (process.platform === 'linux')
      expect(found).toMatchObject({ ready: false, detail: expect.stringContaining('not logged in') })
  })
})
