// Witan registered in the vendors' real programs, by their own commands, as the README says: its tools are listed to
// the program's model, which has a council held, sits in another one itself, and has both verified.

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { BINARY, witan } from '../doors/command.ts'
import type { Vendor } from '../fakes/cli/stub.ts'
import { opinion, playCouncil, report, review, target } from '../fakes/council.ts'
import { type HostModel, playHost, type Turn } from '../fakes/host-model.ts'
import { seatsAt } from '../support/mcp-host.ts'
import { programOf } from './real.ts'

const SERVER = [process.execPath, BINARY, 'mcp']
const PROMPT = 'Have a council held on it.'
const KEY = 'dummy-key-of-nobody'

interface Host {
  /** Some give their servers a bare environment: where the home is they are told. */
  readonly register: (setting: string) => readonly string[]
  readonly run: (url: string) => readonly string[]
  readonly env: (url: string) => Readonly<Record<string, string>>
  /** Files of its home, by path. */
  readonly files?: Readonly<Record<string, string>>
}

const CODEX_PROVIDER = (url: string): string =>
  `model_providers.loop={name="loop",base_url="${url}/v1",env_key="K",wire_api="responses",request_max_retries=0,stream_max_retries=0}`

const GEMINI_SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, maxAttempts: 1, retryFetchErrors: false },
  model: { disableLoopDetection: true },
}

const HOSTS: Readonly<Record<Vendor, Host>> = {
  claude: {
    register: (setting) => ['mcp', 'add', 'witan', '-e', setting, '--', ...SERVER],
    run: () => [
      ...['-p', PROMPT, '--output-format', 'json', '--model', 'claude-sonnet-4-5', '--tools', ''],
      ...['--allowedTools', 'mcp__witan', '--no-session-persistence'],
    ],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Without a terminal its first turn would not wait for its servers.
      MCP_CONNECTION_NONBLOCKING: 'false',
    }),
  },
  codex: {
    register: (setting) => ['mcp', 'add', 'witan', '--env', setting, '--', ...SERVER],
    run: (url) => [
      ...['exec', '--json', '--skip-git-repo-check', '--ephemeral', '-s', 'read-only', '-m', 'loopback'],
      ...['-c', 'model_provider=loop', '-c', CODEX_PROVIDER(url), '-c', 'web_search="disabled"'],
      ...['-c', 'mcp_servers.witan.default_tools_approval_mode="approve"'],
      // Its first turn would not wait for it otherwise.
      ...['-c', 'mcp_servers.witan.required=true', PROMPT],
    ],
    env: () => ({ K: KEY }),
  },
  gemini: {
    register: (setting) => ['mcp', 'add', '--scope', 'user', '--trust', '-e', setting, 'witan', ...SERVER],
    run: () => ['-p', PROMPT, '-o', 'json', '--skip-trust', '-m', 'gemini-2.5-flash'],
    env: (url) => ({
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: '1',
    }),
    files: { '.gemini/settings.json': JSON.stringify(GEMINI_SETTINGS) },
  },
}

const ANSWERS: Readonly<Record<string, (labels: readonly string[]) => object>> = {
  R1: () => opinion(),
  R2: (labels) => review({ targets: labels.map((label) => target(label)) }),
  R3: () => report({ rationale: [{ point: 'It can be undone.', supported_by: ['op-1'] }] }),
}

/** Programs hand their model the text of a result or its structure. */
const isVerified = (result = ''): boolean => /PASS {2}|report\/1.{1,9}status.{1,9}pass/.test(result)

/** Has a council held by others, then takes three seats itself and answers whatever it is asked, then verifies. */
const model: HostModel = ({ results }): Turn => {
  const last = results.at(-1) ?? ''
  if (results.length === 0) return { tool: 'council_run', args: { question: 'Shall we?' } }
  if (results.length === 1) return { tool: 'council_open', args: { question: 'And now?', alone: true } }
  const trace = /\b(01[0-9A-HJKMNP-TV-Z]{24})\b/.exec(last)?.[1] ?? ''
  const ticket = /\b((R[123])\.host[\w.-]*\.\d+)/.exec(last)
  if (ticket) {
    const [, named = '', round = ''] = ticket
    const labels = ['A', 'B', 'C'].filter((label) => last.includes(`${label}\\"`)).slice(0, 2)
    const answer = JSON.stringify(ANSWERS[round]?.(labels) ?? {})
    return { tool: 'council_submit', args: { trace, ticket: named, answer, model: 'loopback' } }
  }
  if (!isVerified(last)) return { tool: 'trace_verify', args: { trace: 'last' } }
  return { say: 'It is verified.' }
}

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

describe.each(Object.keys(HOSTS) as Vendor[])('the real %s as a host', (vendor) => {
  it('APP-4 lists the tools, has councils held to their reports, and has them verified', async () => {
    const { register, run, env, files = {} } = HOSTS[vendor]
    const folder = await mkdtemp(join(tmpdir(), 'witan-host-'))
    open.push(() => rm(folder, { recursive: true, force: true }))
    const [home, work, store] = ['home', 'work', 'witan'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    for (const made of [home, work, store, join(home, '.gemini'), join(home, 'codex')]) await mkdir(made)
    for (const [path, text] of Object.entries(files)) await writeFile(join(home, path), text)
    const council = await playCouncil({ a: {}, b: {} })
    const server = await playHost(vendor, model)
    open.push(
      () => council.close(),
      () => server.close(),
    )
    await witan({ home: store }, 'init', '--name', 'desk')
    await writeFile(join(store, 'config.yaml'), seatsAt(council.url, 'a', 'b'))
    const own = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CODEX_HOME: join(home, 'codex'),
      GEMINI_CLI_HOME: home,
      WITAN_HOME: store,
      TMPDIR: folder,
      ...env(server.url),
    }
    const inside = (args: readonly string[]) => {
      const started = promisify(execFile)(programOf(vendor), args, { cwd: work, env: own, timeout: 100_000 })
      started.child.stdin?.end()
      return started
    }
    await inside(register(`WITAN_HOME=${store}`))
    const ran = await inside(run(server.url)).catch((error: { stdout: string; stderr: string }) => error)

    const seen = JSON.stringify(
      server.sights.map(({ results }) => results.at(-1)?.slice(0, 600)),
      null,
      1,
    )
    expect(server.sights[0]?.tools, ran.stderr.slice(-2_000)).toEqual(
      expect.arrayContaining([
        'council_run',
        'council_open',
        'council_submit',
        'council_status',
        'trace_verify',
      ]),
    )
    expect(council.calls(), seen).toEqual(expect.arrayContaining(['R1 a', 'R1 b', 'R3 a']))
    expect(isVerified(server.sights.at(-1)?.results.at(-1)), seen).toBe(true)
    expect(ran.stdout).toContain('It is verified.')
    const { json } = await witan({ home: store }, 'list', '--json')
    const councils = (json.traces as readonly { trace: string; protocol: string }[]).filter(({ protocol }) =>
      protocol.startsWith('council'),
    )
    expect(councils).toHaveLength(2)
    for (const { trace } of councils) {
      expect(await witan({ home: store }, 'verify', trace, '--json')).toMatchObject({ code: 0 })
    }
  })
})
