// Everything that a council's settings may say, what is wrong with them when they say it wrongly, and how the home's
// settings and a project's come together.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newHome, type Where, witan } from '../../../test/doors/command.ts'
import { trust } from '../home/permissions.ts'
import { findConfig, loadSettings, readConfig, type Settings } from './config.ts'
import { SettingsError } from './faults.ts'
import { readDocument, SENSITIVE } from './read.ts'
import { mapping } from './yaml-shape.ts'

let where: Where & { readonly cwd: string }
let project: string

beforeAll(async () => {
  where = await newHome()
  project = join(where.cwd, 'project')
  await mkdir(project)
})

const own = (text: string): Promise<void> => writeFile(join(where.home, 'config.yaml'), text)

/** What is wrong, as `line:column key: message | next`. */
async function faults(text: string): Promise<readonly string[]> {
  await own(text)
  const error = await readConfig(join(where.home, 'config.yaml'), where.home, { servers: [] }).catch((e) => e)
  expect(error).toBeInstanceOf(SettingsError)
  const { code, faults: found } = error as SettingsError
  expect(code).toBe('CONFIG_INVALID')
  return found.map(({ line, column, key, message, next }) => `${line}:${column} ${key}: ${message} | ${next}`)
}

async function load(home: string, theirs: string | null, trusted = false): Promise<Settings> {
  await own(home)
  const file = join(project, 'witan.yaml')
  if (theirs !== null) await writeFile(file, theirs)
  if (trusted) await trust(where.home, file)
  return loadSettings({ home: where.home, from: project, file: theirs === null ? null : file })
}

const WHOLE = `council:
  providers:
    - {name: claude, role: [participant, chair]}
    - {name: openai, role: participant, model: gpt-x, transport: [cli, api]}
    - {name: local, model: llama, base_url: "http://127.0.0.1:11434/v1"}
    - {name: groq, model: m/x, base_url: "https://api.groq.com/openai/v1", api_key_env: GROQ_API_KEY}
    - name: gemini
      transport: mcp
      mcp: {server: docs, tool: ask, arguments: {message: "{prompt}"}, reply: {text: json.answer, input_tokens: meta.in}}
  transport: auto
  timeouts: {r1_per_provider: 60000, r2_per_provider: 90000, r3_chair: 120000, cli_per_call: 180000}
  quorum: {r1_min: 2, r2_min: 1, r3_required: true, allow_partial: true}
  short_circuit:
    enabled: false
    conditions: {skip_r2_if: [high_agreement_in_r1, low_risk_topic], skip_r3_if: [r2_confirms_r1_consensus, budget_constraint]}
  budget: {cost: 2.00, minutes: 10}
mcp_servers:
  docs: {command: [./docs-server, --stdio], pass: [DOCS_TOKEN]}
  far: {url: "https://mcp.example/mcp", headers: {authorization: "Bearer \${FAR_TOKEN}"}}
`

describe('the settings of a council', () => {
  it('VOX-18 write durations as people do, for all, for a provider and for each round', async () => {
    const { council, mcpServers } = await load(
      `council:
  providers: [{name: claude, timeouts: {each: 90s, r3: 1.5m, cli: 4000}}, {name: openai}]
  timeouts: {r1_per_provider: 500ms, r2_per_provider: 90000, r1_round: 10m, r2_round: 1h, r3_round: 2m}
  budget: {minutes: 90s}
mcp_servers: {docs: {command: [x], start_timeout: 5s}}
`,
      null,
    )
    expect(council.providers?.[0]?.timeouts).toEqual({ each: 90_000, r3: 90_000, cli: 4_000 })
    expect(council.timeouts).toEqual({
      r1_per_provider: 500,
      r2_per_provider: 90_000,
      r1_round: 600_000,
      r2_round: 3_600_000,
      r3_round: 120_000,
    })
    expect(council.budget).toEqual({ minutes: 1.5 })
    expect(mcpServers.docs?.start_timeout).toBe(5_000)
  })

  it('APP-6 VOX-1 may say all that the design names, with paths meant from the file', async () => {
    const { council, mcpServers, files } = await load(WHOLE, null)
    expect(files).toEqual([join(where.home, 'config.yaml')])
    expect(council.providers?.map(({ name, role }) => [name, role])).toEqual([
      ['claude', ['participant', 'chair']],
      ['openai', ['participant']],
      ['local', undefined],
      ['groq', undefined],
      ['gemini', undefined],
    ])
    expect(council.providers?.[1]).toMatchObject({ model: 'gpt-x', transport: ['cli', 'api'] })
    expect(council.timeouts).toEqual({
      r1_per_provider: 60000,
      r2_per_provider: 90000,
      r3_chair: 120000,
      cli_per_call: 180000,
    })
    expect(council.budget).toEqual({ cost: 2, minutes: 10 })
    expect(mcpServers.docs).toEqual({
      command: [join(where.home, 'docs-server'), '--stdio'],
      pass: ['DOCS_TOKEN'],
      cwd: where.home,
    })
  })

  const wrong: readonly (readonly [what: string, text: string, fault: RegExp])[] = [
    [
      'a typo',
      'council:\n  quorm: {}\n',
      /^2:3 council\.quorm: unknown key 'quorm' \| Did you mean 'quorum'\? Allowed here: providers, transport/,
    ],
    [
      'a wrong word',
      'council:\n  transport: htp\n',
      /^2:14 council\.transport: council\.transport cannot be 'htp' \| .*It is one of: auto, mcp, cli, api\./,
    ],
    [
      'text for a number',
      'council: {timeouts: {r3_chair: "60000"}}\n',
      /^1:32 council\.timeouts\.r3_chair: .* must be a duration up to a day \| Write it as 60s, 2m or 1h/,
    ],
    [
      'a negative number',
      'council: {budget: {cost: -1}}\n',
      /^1:26 council\.budget\.cost: .* must be a number of US dollars from 0 on, not -1/,
    ],
    ['no number', 'council: {quorum: {r1_min: .nan}}\n', /from 1 to 100, not NaN/],
    ['a word for a flag', 'council: {quorum: {r3_required: "yes"}}\n', /must be true or false/],
    ['an empty list', 'council: {providers: []}\n', /^1:22 council\.providers: council\.providers is empty/],
    [
      'a provider without a name',
      'council: {providers: [{model: x}]}\n',
      /^1:23 council\.providers\[0\]: .* needs name/,
    ],
    [
      'an unknown provider',
      'council: {providers: [{name: claud}]}\n',
      /'claud' is not known by name \| Did you mean 'claude'\? Known are: claude,/,
    ],
    [
      'a seat twice',
      'council: {providers: [{name: claude}, {name: openai}, {name: claude}]}\n',
      /^1:55 council\.providers\[2\]: claude with this model sits here a second time/,
    ],
    [
      'a word twice',
      'council: {providers: [{name: claude, transport: [cli, cli]}]}\n',
      /names this a second time/,
    ],
    ['a key twice', 'council:\n  transport: auto\n  transport: auto\n', /^3:3 .*a second time/],
    [
      'a transport it has not',
      'council: {providers: [{name: local, transport: [cli]}]}\n',
      /local cannot be reached by cli \| It is reached by: api\./,
    ],
    [
      'MCP without a tool',
      'council: {providers: [{name: claude, transport: mcp}]}\n',
      /cannot be reached by mcp \| Add mcp: with server, tool and arguments/,
    ],
    [
      'a server nobody describes',
      'council: {providers: [{name: a, mcp: {server: x, tool: t, arguments: {q: "{prompt}"}}}]}\n',
      /council\.providers\[0\]\.mcp\.server: there is no server 'x'/,
    ],
    [
      'a mapping without the prompt',
      'council: {providers: [{name: a, mcp: {server: x, tool: t, arguments: {q: hi}}}]}\n',
      /no argument of the tool gets the prompt/,
    ],
    [
      'a quorum nobody can meet',
      'council: {providers: [{name: claude}], quorum: {r1_min: 2}}\n',
      /r1_min is 2, and only 1 participate/,
    ],
    ['only chairs', 'council: {providers: [{name: claude, role: chair}]}\n', /no provider participates/],
    [
      'two sources of a key',
      'council: {providers: [{name: claude, api_key_env: A, api_key_command: [b]}]}\n',
      /two sources of its key/,
    ],
    [
      'a key over plain HTTP',
      'council: {providers: [{name: claude, base_url: "http://x.example/v1", api_key_env: K}]}\n',
      /would carry a key unencrypted/,
    ],
    [
      'a command as one text',
      'council: {providers: [{name: claude, api_key_command: "pass show x"}]}\n',
      /api_key_command must be a list/,
    ],
    [
      'a model that is a flag',
      'council: {providers: [{name: claude, model: --yolo}]}\n',
      /model must be the id of a model/,
    ],
    ['no way to a server', 'mcp_servers: {docs: {}}\n', /mcp_servers\.docs needs either command or url/],
    [
      'both ways to a server',
      'mcp_servers: {docs: {command: [a], url: "https://x.example"}}\n',
      /needs either command or url/,
    ],
    ['an entry without a value', 'council: {providers}\n', /council\.providers has no value/],
    [
      'an unknown grant to agents',
      'agents: {host: [a.example]}\n',
      /unknown key 'host'.*Did you mean 'hosts'\?/,
    ],
    [
      'an unknown word about a server of agents',
      'agents: {servers: {docs: {read: [search]}}}\n',
      /unknown key 'read'.*Did you mean 'reads'\?/,
    ],
    ['a key that is a list', 'exchange: {[command]: x}\n', /a key must be a plain word/],
  ]

  it.each(wrong)('APP-6 is refused with its place and what is allowed: %s', async (_, text, fault) => {
    const found = await faults(text)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(fault)
  })

  it('APP-6 reports every fault at once, in order, for people and for programs', async () => {
    await own('council:\n  transport: htp\n  budget: {cost: -1, euros: 2}\nmcp: {}\n')
    const { code, stderr } = await witan(where, 'doctor')
    expect(code).toBe(2)
    const lines = stderr.trimEnd().split('\n')
    expect(lines[0]).toBe(
      `error CONFIG_INVALID: ${where.home}/config.yaml: 4 things are wrong with these settings`,
    )
    expect(lines.slice(1).flatMap((line) => /config\.yaml:(\d+:\d+): /.exec(line)?.[1] ?? [])).toEqual([
      '2:14',
      '3:18',
      '3:22',
      '4:1',
    ])
    expect(lines.slice(1, 4)).toEqual([expect.anything(), '  |   transport: htp', `  | ${' '.repeat(13)}^`])
    expect(lines.at(-1)).toBe('next: Correct them; nothing was done.')
    const { json } = await witan(where, 'doctor', '--json')
    expect(json.error).toMatchObject({
      code: 'CONFIG_INVALID',
      faults: [{ line: 2, column: 14 }, {}, {}, {}],
    })
  })

  it('APP-6 never takes a key from a file, and never repeats one', async () => {
    const key = 'sk-ant-api03-planted0123456789abcdefghij'
    const texts = [
      `council: {providers: [{name: claude, api_key: ${key}}]}\n`,
      `council: {providers: [{name: claude, token: ${key}}]}\n`,
      `council: {providers: [{name: claude, api_key_env: ${key}}]}\n`,
      `council: {providers: [{name: claude, model: ${key}}]}\n`,
      `council: {providers: [{name: claude, transport: ${key}}]}\n`,
      `council: {providers: [{name: claude, ${key}: x}]}\n`,
      `council: {providers: [{name: x, base_url: "https://a:${key}@x.example"}]}\n`,
      `council: {providers: [{name: claude, api_key_command: [echo, ${key}]}]}\n`,
      `mcp_servers: {docs: {url: "https://x.example", headers: {authorization: "Bearer ${key}"}}}\n`,
      `mcp_servers: {docs: {command: [a, "--api-key=${key}"], env: {K: ${key}}}}\n`,
      `exchange: {note: ${key}}\n`,
    ]
    for (const text of texts) {
      const found = await faults(text)
      expect(JSON.stringify(found)).not.toContain('planted')
      for (const args of [['doctor'], ['doctor', '--json'], ['list']]) {
        const { code, stdout, stderr } = await witan(where, ...args)
        expect([code, (stdout + stderr).includes('planted')]).toEqual([2, false])
      }
    }
    expect((await faults(texts[0] ?? ''))[0]).toMatch(
      /^1:38 .*keys are never read from a file \| .*api_key_command/,
    )
  })
})

describe('two files', () => {
  it('APP-6 are merged: the project over the home, member by member, lists as a whole', async () => {
    const { council, files } = await load(
      'council: {transport: api, timeouts: {r1_per_provider: 1, r3_chair: 3}, providers: [{name: openai}]}\n',
      'council: {timeouts: {r1_per_provider: 2}, providers: [{name: claude}, {name: gemini}]}\n',
    )
    expect(council).toMatchObject({ transport: ['api'], timeouts: { r1_per_provider: 2, r3_chair: 3 } })
    expect(council.providers).toEqual([{ name: 'claude' }, { name: 'gemini' }])
    expect(files).toEqual([join(where.home, 'config.yaml'), join(project, 'witan.yaml')])
  })

  it('VOX-14 the home alone says how to reach a provider that the project only names', async () => {
    const home =
      'council: {providers: [{name: claude, model: a, base_url: "https://own.example", api_key_env: OWN_KEY}]}\n'
    const named = await load(home, 'council: {providers: [{name: claude, model: b}]}\n')
    expect(named.council.providers).toEqual([
      { name: 'claude', model: 'b', base_url: 'https://own.example', api_key_env: 'OWN_KEY' },
    ])
    const other = await load(
      home,
      'council: {providers: [{name: claude, base_url: "https://x.example"}]}\n',
      true,
    )
    expect(other.council.providers).toEqual([{ name: 'claude', base_url: 'https://x.example' }])
  })

  it('VOX-14 an untrusted project lowers a budget and never raises it', async () => {
    const home = 'council: {budget: {cost: 2, minutes: 10}}\n'
    const theirs = 'council: {budget: {cost: 500, minutes: 5}}\n'
    expect((await load(home, theirs)).council.budget).toEqual({ cost: 2, minutes: 5 })
    expect((await load(home, theirs, true)).council.budget).toEqual({ cost: 500, minutes: 5 })
  })

  it('APP-6 are both optional', async () => {
    expect(await findConfig(project)).not.toBeNull()
    const empty = await loadSettings({ home: join(where.cwd, 'nowhere'), from: '/', file: null })
    expect(empty).toMatchObject({ files: [], mcpServers: {} })
  })
})

describe('what only a trusted file may say', () => {
  /** As in a section that code to come reads: nothing is known of its keys. */
  const inOpenSection = (text: string) => readDocument('x.yaml', Buffer.from(text), mapping)

  it.each(SENSITIVE)('VOX-14 %s is named with its line wherever it stands', async (name) => {
    const { sensitive } = await inOpenSection(`later:\n  deep:\n    - deeper: {"${name}": {}}\n`)
    expect(sensitive).toEqual([{ line: 3, column: 16, key: `later.deep[0].deeper.${name}` }])
  })

  it('VOX-14 is not hidden by anchors, escapes or tags', async () => {
    const { sensitive } = await inOpenSection(
      'x: &a {"base\\u005furl": "http://x.example"}\ny: *a\nz: {!!str command: [rm]}\nw: {? executable : y}\n',
    )
    expect(sensitive.map(({ key }) => key)).toEqual(['x.base_url', 'z.command', 'w.executable'])
  })

  it('VOX-14 is named all at once', async () => {
    const file = join(project, 'hidden.yaml')
    await writeFile(
      file,
      'council: {providers: [{name: claude, "base\\u005furl": "https://x.example"}]}\nmcp_servers: {docs: {!!str command: [rm]}}\n',
    )
    const error: SettingsError = await readConfig(file, where.home).catch((e) => e)
    expect(error.code).toBe('FILE_UNTRUSTED')
    expect(error.faults.map(({ key, line }) => [key, line])).toEqual([
      ['council.providers[0].base_url', 1],
      ['mcp_servers', 2],
    ])
    expect(error.message).toContain('2 of its keys count only in a file that you trusted')
    expect(error.next).toContain(`witan trust ${file}`)
  })

  it('APP-6 cannot be an alias that unfolds without end', async () => {
    const lines = [...'bcdefghij'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefghij'[i]}`)}]\n`)
    const error: SettingsError = await inOpenSection(`a: &a [x]\n${lines.join('')}`).catch((e) => e)
    expect(error.faults).toMatchObject([{ next: 'Write it out without aliases.' }])
  })
})
