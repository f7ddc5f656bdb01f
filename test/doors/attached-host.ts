// An attached host: its own recorded hook payloads, each told to the command that `witan attach` wrote into its settings, by a shell
// and as a process of its own, as the hosts do.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { projectRoot } from '../support/sources.ts'
import { directory, ended, type Ran, witan } from './command.ts'

export type Fields = { readonly [name: string]: unknown }
export type Host = 'claude' | 'codex' | 'gemini'

const SETTINGS: Readonly<Record<Host, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
}

type At = Pick<Bench, 'cwd' | 'env'>

export function shell(command: string, { cwd, env }: At, input = ''): Promise<Ran> {
  const child = spawn('sh', ['-c', command], { cwd, env: { PATH: process.env.PATH ?? '', ...env } })
  child.stdin.on('error', () => undefined)
  child.stdin.write(input)
  return ended(child)
}

export interface Bench {
  readonly home: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly settings: string
  readonly transcript: string
  /** As the host would: the command of this event, in a shell. */
  tell(payload: Fields): Promise<Ran>
  /** The recorded payloads of a whole session. */
  readonly payloads: readonly Fields[]
}

const fixture = (name: string): Promise<string> =>
  readFile(join(projectRoot, 'test/fixtures/hooks', name), 'utf8')

export async function attached(host: Host, ...options: readonly string[]): Promise<Bench> {
  const folder = await directory()
  const [home, cwd] = [join(folder, 'witan'), join(folder, 'work')]
  await mkdir(cwd)
  const transcript = join(folder, 'transcript.jsonl')
  const filled = (text: string) => text.replaceAll('{{work}}', cwd).replaceAll('{{transcript}}', transcript)
  await writeFile(transcript, filled(await fixture(`${host}.transcript.jsonl`)))
  const env = { HOME: folder, TMPDIR: folder, AI_AGENT: 'claude-code_2-1-197_harness' }
  const made = await witan({ home, cwd, env }, 'attach', host, ...options)
  if (made.code !== 0) throw new Error(made.stderr)
  const file = join(folder, SETTINGS[host])
  const lines = filled(await fixture(`${host}.jsonl`))
    .trim()
    .split('\n')
  return {
    ...{
      home,
      cwd,
      env,
      settings: file,
      transcript,
      payloads: lines.map((line) => JSON.parse(line) as Fields),
    },
    async tell(payload) {
      const { hooks } = JSON.parse(await readFile(file, 'utf8'))
      const [entry] = hooks[String(payload.hook_event_name)] ?? []
      if (!entry) return { code: 0, stdout: '', stderr: '', json: {} }
      return shell(entry.hooks[0].command, { cwd, env }, JSON.stringify(payload))
    },
  }
}

/** Without the last word, after which the session is closed in a process that no one waits for. */
export async function play({ payloads, tell }: Bench): Promise<readonly Ran[]> {
  const told: Ran[] = []
  for (const payload of payloads) if (payload.hook_event_name !== 'SessionEnd') told.push(await tell(payload))
  return told
}

export async function closed(bench: Bench): Promise<Fields> {
  const { json, stderr, code } = await witan(bench, 'agents', 'close', 'last', '--because', 'ended', '--json')
  if (code !== 0) throw new Error(stderr)
  return (json.closed as readonly Fields[])[0] ?? {}
}

export const announcing = ({ payloads }: Bench, tool: string): Fields =>
  payloads.find(
    ({ hook_event_name: event, tool_name: name }) => /Pre|Before/.test(String(event)) && name === tool,
  ) ?? {}

/** The socket of the resident process, once it listens: the first hook has started it. */
export async function residentOf({ home }: Bench): Promise<string> {
  const socket = join(home, 'attachments/hook.sock')
  while (!existsSync(socket)) await setTimeout(20)
  return socket
}

export const gateOf = async ({ settings }: Bench): Promise<{ command: string; timeout: number }> =>
  JSON.parse(await readFile(settings, 'utf8')).hooks.PreToolUse[0].hooks[0]
