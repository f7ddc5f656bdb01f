// The vendors' programs as hosts of an MCP server: how it is registered by their own commands, and how they are run against
// a model on loopback.

import type { Vendor } from '../fakes/cli/stub.ts'

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

/** With this server registered as `witan`, and asked for this. */
export const hostPrograms = (server: readonly string[], prompt: string): Readonly<Record<Vendor, Host>> => ({
  claude: {
    register: (setting) => ['mcp', 'add', 'witan', '-e', setting, '--', ...server],
    run: () => [
      ...['-p', prompt, '--output-format', 'json', '--model', 'claude-sonnet-4-5', '--tools', ''],
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
    register: (setting) => ['mcp', 'add', 'witan', '--env', setting, '--', ...server],
    run: (url) => [
      ...['exec', '--json', '--skip-git-repo-check', '--ephemeral', '-s', 'read-only', '-m', 'loopback'],
      ...['-c', 'model_provider=loop', '-c', CODEX_PROVIDER(url), '-c', 'web_search="disabled"'],
      ...['-c', 'mcp_servers.witan.default_tools_approval_mode="approve"'],
      // Its first turn would not wait for it otherwise.
      ...['-c', 'mcp_servers.witan.required=true', prompt],
    ],
    env: () => ({ K: KEY }),
  },
  gemini: {
    register: (setting) => ['mcp', 'add', '--scope', 'user', '--trust', '-e', setting, 'witan', ...server],
    run: () => ['-p', prompt, '-o', 'json', '--skip-trust', '-m', 'gemini-2.5-flash'],
    env: (url) => ({
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_NO_RELAUNCH: '1',
    }),
    files: { '.gemini/settings.json': JSON.stringify(GEMINI_SETTINGS) },
  },
})
