// The providers that are known by name: how each is reached when the settings say nothing more. Addresses of local
// servers are on this machine only; nothing else is ever tried without being named.

import { type ApiKind, vendors } from '../../models/default-models.ts'

export type CommandLine = 'claude' | 'codex' | 'gemini'

export interface KnownProvider {
  readonly api: ApiKind
  /** The command that the vendor offers, if any. */
  readonly cli: CommandLine | null
  /** Null for the vendor's own; several where a server may be at any of them. */
  readonly addresses: readonly string[]
  /** Environment variables that may hold its key. */
  readonly keys: readonly string[]
  /** Whose models they are: seats of one vendor agree for one vendor's reasons. */
  readonly vendor: string
  /** How a server of this kind is started, where it is the user's own. */
  readonly start?: string
}

const loopback = (port: number): string => `http://127.0.0.1:${port}/v1`
const OLLAMA = loopback(11434)
const LM_STUDIO = loopback(1234)
const LLAMA_CPP = loopback(8080)

const hosted = (api: Exclude<ApiKind, 'openai-compatible'>, cli: CommandLine): KnownProvider => {
  const { baseUrl, keys } = vendors[api]
  return { api, cli, addresses: [baseUrl], keys, vendor: api }
}

const local = (vendor: string, start: string, ...addresses: readonly string[]): KnownProvider => ({
  api: 'openai-compatible',
  cli: null,
  addresses,
  keys: [],
  vendor,
  start,
})

export const PROVIDERS: Readonly<Record<string, KnownProvider>> = {
  claude: hosted('anthropic', 'claude'),
  anthropic: hosted('anthropic', 'claude'),
  openai: hosted('openai', 'codex'),
  gemini: hosted('google', 'gemini'),
  google: hosted('google', 'gemini'),
  openrouter: {
    api: 'openai-compatible',
    cli: null,
    addresses: ['https://openrouter.ai/api/v1'],
    keys: ['OPENROUTER_API_KEY'],
    vendor: 'openrouter',
  },
  local: local('local', 'Start Ollama, LM Studio or llama.cpp.', OLLAMA, LM_STUDIO, LLAMA_CPP),
  ollama: local('ollama', 'Start it with: ollama serve', OLLAMA),
  'lm-studio': local('lm-studio', 'Start its server.', LM_STUDIO),
  'llama.cpp': local('llama.cpp', 'Start it with: llama-server', LLAMA_CPP),
}

/** Who is looked for when nobody is named, in the order in which they sit; the first one takes the chair. */
export const LOOKED_FOR = ['claude', 'openai', 'gemini', 'openrouter', 'ollama', 'lm-studio', 'llama.cpp']

export const knownProvider = (name: string): KnownProvider | null =>
  Object.hasOwn(PROVIDERS, name) ? (PROVIDERS[name] ?? null) : null
