// Where each host keeps its settings, which of its hooks are used, and what none of its hooks sees.

import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'
import type { HostName, Scope } from './attachments.ts'
import { gatingCommand, type HookCommand, tellingCommand } from './hook-command.ts'
import type { HookEntry } from './host-settings.ts'

type Env = Readonly<Record<string, string | undefined>>

const USER: Readonly<Record<HostName, (env: Env) => string>> = {
  claude: (env) => join(env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude'), 'settings.json'),
  codex: (env) => join(env.CODEX_HOME || join(homedir(), '.codex'), 'hooks.json'),
  gemini: (env) => join(env.GEMINI_CLI_HOME || homedir(), '.gemini', 'settings.json'),
}

const PROJECT: Readonly<Record<HostName, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
}

/** The administrator's, which users cannot override; null where none is known. */
const MANAGED: Readonly<Record<HostName, Readonly<Record<string, string>>>> = {
  claude: {
    linux: '/etc/claude-code/managed-settings.json',
    darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
  },
  // Codex asks for no trust in the hooks of this folder.
  codex: { linux: '/etc/codex/hooks.json' },
  gemini: {
    linux: '/etc/gemini-cli/settings.json',
    darwin: '/Library/Application Support/GeminiCli/settings.json',
  },
}

export function settingsFile(host: HostName, scope: Scope, cwd: string, env: Env): string {
  if (scope === 'user') return USER[host](env)
  if (scope === 'project') return join(cwd, PROJECT[host])
  const file = MANAGED[host][platform()]
  if (file !== undefined) return file
  const next = 'Attach it for yourself or for a project, or name the file: --settings FILE.'
  throw new WitanError('USAGE', `no administrator settings of ${host} are known on this system`, next)
}

/** What the hosts grant a hook beyond the time in which a person is waited for. */
const HOST_MARGIN_S = 20

export function hookEntries(hookCommand: HookCommand): readonly HookEntry[] {
  const { host, mode, wait } = hookCommand
  const plain = tellingCommand(hookCommand)
  const before = mode === 'gate' ? gatingCommand(hookCommand) : plain
  const seconds = wait + HOST_MARGIN_S
  if (host === 'gemini') {
    const entry = (command: string, matcher: string) => ({
      matcher,
      hooks: [{ type: 'command', name: 'witan', command, timeout: seconds * 1_000 }],
    })
    return [
      { event: 'SessionStart', entry: entry(plain, '*') },
      { event: 'BeforeTool', entry: entry(before, '.*') },
      { event: 'AfterTool', entry: entry(plain, '.*') },
      { event: 'SessionEnd', entry: entry(plain, '*') },
    ]
  }
  const entry = (command: string, timeout: number) => ({
    matcher: '*',
    hooks: [{ type: 'command', command, timeout }],
  })
  const after = ['PostToolUse', ...(host === 'claude' ? ['PostToolUseFailure'] : [])]
  return [
    { event: 'SessionStart', entry: { hooks: [{ type: 'command', command: plain, timeout: 10 }] } },
    { event: 'PreToolUse', entry: entry(before, seconds) },
    ...after.map((event) => ({ event, entry: entry(plain, 60) })),
    { event: 'SessionEnd', entry: { hooks: [{ type: 'command', command: plain, timeout: 3 }] } },
  ]
}

/** What the hooks of each host do not see, as it was found with the real programs. */
export const UNSEEN: Readonly<Record<HostName, readonly string[]>> = {
  claude: [
    'files that a person names with @ in a prompt',
    'commands that a person types with !, and !`cmd` in slash commands',
    'sessions with --bare, --setting-sources "" or disableAllHooks',
    'what a shell that was started goes on to do',
  ],
  codex: [
    'what is typed into a shell that runs already (write_stdin)',
    'web search, planning and sub-agent tools',
    'whether a shell command failed: its hooks are told the output alone',
    'commands that a person types with !',
    'hooks of a user or a project that were not trusted in Codex: it skips them without a word',
  ],
  gemini: [
    'files that a person names with @ in a prompt',
    'commands that a person types with !, and !{cmd} in custom commands',
    'identical calls made side by side: the host gives its calls no ids',
    "a project's hooks in a folder that is not trusted",
  ],
}
