// The vendors' real programs with a model on loopback, attached by `witan attach --gate`: calls of different kinds, one denied by
// the policy, one that a person approves from another terminal while the host waits, one that fails.

import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { canonicalize, type Json } from '../../src/ledger/canonical.ts'
import { inputHash } from '../../src/tools/toolset.ts'
import { ended, witan } from '../doors/command.ts'
import type { Vendor } from '../fakes/cli/stub.ts'
import { playHost, type Turn } from '../fakes/host-model.ts'
import { projectRoot } from '../support/sources.ts'
import { programOf } from './real.ts'
import { trustCodexHooks } from './trust-codex-hooks.ts'

const KEY = 'dummy-key-of-nobody'
/** Of the shape of a token: it is in an argument, and must not be on record. */
const SECRET = `ghp_${'a1B2'.repeat(9)}`
const MARKER = /\[secret removed: [^\]]+\]/
/** Nothing leaves the machine, and nothing named like this may run; writing beside it is free. */
const POLICY = `
@id("free") permit (principal, action == Witan::Action::"run", resource) unless { context.arguments like "*needs-a-person*" };
@id("person") permit (principal, action == Witan::Action::"run_after_human", resource);
@id("never") forbid (principal, action, resource) when { context.arguments like "*forbidden.txt*" };
`

type Made = readonly Turn[]

interface Shown {
  readonly header: { readonly type: string }
  readonly payload: { readonly input_hash: string; readonly quote: string; readonly secrets_removed?: number }
}

/** Codex tells its hooks of every command under one name. */
function inputOf(turn: Turn): readonly Json[] {
  if (!('args' in turn)) return []
  const { cmd, ...rest } = turn.args
  return [(cmd === undefined ? rest : { command: cmd }) as Json]
}

/** Of a call as it was made; a secret is not on record, and a marker is in its place. */
function expected(input: Json): Shown['payload'] {
  const text = canonicalize(input)
  if (!text.includes(SECRET)) return { input_hash: inputHash(input), quote: text.slice(0, 200) }
  return { input_hash: expect.any(String), quote: text, secrets_removed: 1 }
}

/** The marker names the kind of secret; what stands around it is compared as it is. */
const asMade = ({ input_hash, quote, secrets_removed }: Shown['payload']): Shown['payload'] => ({
  input_hash,
  quote: quote.replace(MARKER, SECRET),
  ...(secrets_removed !== undefined && { secrets_removed }),
})

const TURNS: Readonly<Record<Vendor, (work: string) => Made>> = {
  claude: (work) => [
    { tool: 'Bash', args: { command: 'echo hi', description: 'say hi' } },
    { tool: 'Write', args: { file_path: join(work, 'b.txt'), content: 'made\n' } },
    { tool: 'Read', args: { file_path: join(work, 'b.txt') } },
    { tool: 'Bash', args: { command: 'touch forbidden.txt', description: 'denied' } },
    { tool: 'Bash', args: { command: 'touch needs-a-person.txt', description: 'approved' } },
    { tool: 'Bash', args: { command: `echo ${SECRET}`, description: 'says a secret' } },
    { tool: 'Read', args: { file_path: join(work, 'none.txt') } },
  ],
  codex: () => [
    { tool: 'exec_command', args: { cmd: 'echo hi' } },
    { tool: 'exec_command', args: { cmd: 'cat a.txt' } },
    {
      tool: 'exec_command',
      args: { cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.txt\n+made\n*** End Patch\nEOF" },
    },
    { tool: 'exec_command', args: { cmd: 'touch forbidden.txt' } },
    { tool: 'exec_command', args: { cmd: 'touch needs-a-person.txt' } },
    { tool: 'exec_command', args: { cmd: `echo ${SECRET}` } },
    {
      tool: 'exec_command',
      args: {
        cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: none.txt\n@@\n-a\n+b\n*** End Patch\nEOF",
      },
    },
  ],
  gemini: (work) => [
    { tool: 'run_shell_command', args: { command: 'echo hi', description: 'say hi' } },
    { tool: 'write_file', args: { file_path: join(work, 'b.txt'), content: 'made\n' } },
    { tool: 'read_file', args: { file_path: join(work, 'b.txt') } },
    { tool: 'run_shell_command', args: { command: 'touch forbidden.txt' } },
    { tool: 'run_shell_command', args: { command: 'touch needs-a-person.txt' } },
    { tool: 'run_shell_command', args: { command: `echo ${SECRET}` } },
    { tool: 'read_file', args: { file_path: join(work, 'none.txt') } },
  ],
}

const GEMINI_SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, maxAttempts: 1, retryFetchErrors: false },
  model: { disableLoopDetection: true },
}

const PROVIDER = (url: string): string =>
  `model_providers.loop={name="loop",base_url="${url}/v1",env_key="K",wire_api="responses",request_max_retries=0,stream_max_retries=0}`

const ARGS: Readonly<Record<Vendor, (url: string) => readonly string[]>> = {
  claude: () => [
    ...['-p', 'Do it.', '--output-format', 'json', '--model', 'claude-sonnet-4-5'],
    ...['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Write,Read'],
  ],
  // Its own sandbox is not what is tested here, and needs more than a container gives.
  codex: (url) => [
    ...['exec', '--json', '--skip-git-repo-check', '-s', 'danger-full-access', '-m', 'loopback'],
    ...['-c', 'model_provider=loop', '-c', PROVIDER(url), '-c', 'web_search="disabled"', 'Do it.'],
  ],
  gemini: () => [
    ...['-p', 'Do it.', '-o', 'json', '--skip-trust', '-m', 'gemini-2.5-flash'],
    ...['--approval-mode', 'auto_edit', '--allowed-tools', 'run_shell_command'],
  ],
}

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const OUTCOMES: Readonly<Record<Vendor, string>> = {
  claude: '5 completed, 1 failed, 1 was blocked.',
  codex: '5 completed, 1 failed, 1 was blocked.',
  gemini: '5 completed, 1 failed, 1 was blocked.',
}

describe.each(Object.keys(TURNS) as Vendor[])('the real %s, attached', (vendor) => {
  it('AGT-X-7 has exactly its calls on a record that verifies, and what was denied did not run', async () => {
    // Codex keeps nothing under the folder for temporary files.
    const folder = await mkdtemp(join(projectRoot, '.vendor-cache', 'attach-'))
    open.push(() => rm(folder, { recursive: true, force: true }))
    const [home, work, store] = [join(folder, 'home'), join(folder, 'work'), join(folder, 'witan')]
    for (const made of [home, work, join(home, '.gemini'), join(home, 'codex')]) await mkdir(made)
    await writeFile(join(work, 'a.txt'), 'hello\n')
    await writeFile(join(home, '.gemini/settings.json'), JSON.stringify(GEMINI_SETTINGS))
    await writeFile(join(folder, 'policy.cedar'), POLICY)
    const turns = TURNS[vendor](work)
    const server = await playHost(vendor, ({ results }) => turns[results.length] ?? { say: 'Done.' }, /^.+$/)
    open.push(() => server.close())
    const env = {
      ...{ PATH: process.env.PATH ?? '', HOME: home, CODEX_HOME: join(home, 'codex'), GEMINI_CLI_HOME: home },
      ...{
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: KEY,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      ...{ K: KEY, GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: server.url, GEMINI_CLI_NO_RELAUNCH: '1' },
    }
    const where = { home: store, cwd: work, env }
    const attached = await witan(where, 'attach', vendor, '--gate', '--policy', join(folder, 'policy.cedar'))
    expect([attached.code, attached.stderr]).toEqual([0, expect.any(String)])
    if (vendor === 'codex') await trustCodexHooks(programOf('codex'), work, env)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const key = join(folder, 'ana.pem')
    await writeFile(key, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
    await writeFile(`${key}.pub`, publicKey.export({ format: 'pem', type: 'spki' }))
    await witan(where, 'keys', 'add', 'ana', '--role', 'critic', '--public', `${key}.pub`)

    const running = ended(spawn(programOf(vendor), ARGS[vendor](server.url), { cwd: work, env }))
    let isOver = false
    const over = running.then((ran) => {
      isOver = true
      return ran
    })
    while (!isOver) {
      const { code, json } = await witan(where, 'agents', 'pending', '--json')
      const [pending] = code === 0 ? (json.pending as readonly { trace: string; subject: string }[]) : []
      if (!pending) continue
      const { trace, subject } = pending
      await witan(where, 'agents', 'approve', trace, subject, '--reason', 'it is harmless', '--key', key)
    }
    const { stdout, stderr } = await over
    const seen = JSON.stringify(server.sights.at(-1)?.results, null, 1)
    expect(stdout, stderr.slice(-2_000)).toContain('Done.')
    expect(
      ['forbidden.txt', 'needs-a-person.txt', 'b.txt'].map((name) => existsSync(join(work, name))),
      seen,
    ).toEqual([false, true, true])

    const closed = await witan(where, 'agents', 'close', 'last:agents', '--json')
    const [session] = closed.json.closed as readonly { trace: string; proven: readonly { text: string }[] }[]
    expect(session?.proven[0]?.text, seen).toContain(OUTCOMES[vendor])
    const verified = await witan(where, 'verify', session?.trace ?? '', '--json')
    expect([verified.code, verified.json.status, verified.json.failures]).toEqual([0, 'pass', []])
    // Exactly those calls, with the arguments of the host, byte for byte in their canonical form.
    const shown = await witan(where, 'show', session?.trace ?? '', '--json')
    const signed = (shown.json.events as readonly Shown[]).filter(
      ({ header }) => header.type === 'tool_intent_signed',
    )
    expect(signed.map(({ payload }) => asMade(payload))).toEqual(turns.flatMap(inputOf).map(expected))
    await expect(promisify(execFile)('grep', ['-rqF', SECRET, store])).rejects.toMatchObject({ code: 1 })
    expect(existsSync(join(store, 'attachments/hook.sock'))).toBe(true)
  })
})
