// One provider of a council: its name, its roles, and how it is reached. It never contains a key.

import { isWitanError } from '../../ledger/errors.ts'
import { nearest } from '../../ledger/text/nearest-word.ts'
import { type ApiKind, type VendorKind, vendors } from '../../models/default-models.ts'
import { type Arguments, checkMapping, type ReplyMapping } from '../../models/mcp/mapping.ts'
import type { Tuning } from '../../models/tuning.ts'
import {
  address,
  argv,
  duration,
  isLoopback,
  keyBelongsElsewhere,
  oneOrMore,
  transports,
  variable,
} from './small-shapes.ts'
import {
  amount,
  choice,
  flag,
  formed,
  formOf,
  mapping,
  object,
  type Reading,
  report,
  type Shape,
  text,
  type ValueOf,
} from './yaml-shape.ts'

// The providers that are known by name: how each is reached when the settings say nothing more. Addresses of
// local servers are on this machine only; nothing else is tried unless it is named.

export type CommandLine = 'claude' | 'codex' | 'gemini'

/** Clouds that offer vendors' models at an address of the customer. */
export type Cloud = 'azure' | 'vertex' | 'bedrock'

export interface KnownProvider {
  readonly api: ApiKind
  /** The command that the vendor offers, if any. */
  readonly cli: CommandLine | null
  /** Null for the vendor's own address; several where a server may be at any of them. */
  readonly addresses: readonly string[]
  /** Environment variables that may hold its key. */
  readonly keys: readonly string[]
  /** The vendor of the models: seats of one vendor tend to agree for the same reasons. */
  readonly vendor: string
  /** How to start a server of this kind on your own machine: as text, and as a command. */
  readonly start?: readonly [words: string, type: string]
  readonly cloud?: Cloud
}

const loopback = (port: number): string => `http://127.0.0.1:${port}/v1`
const OLLAMA = loopback(11434)
const LM_STUDIO = loopback(1234)
const LLAMA_CPP = loopback(8080)

const hosted = (api: VendorKind, cli: CommandLine): KnownProvider => {
  const { baseUrl, keys } = vendors[api]
  return { api, cli, addresses: [baseUrl], keys, vendor: api }
}

type Start = NonNullable<KnownProvider['start']>

const local = (vendor: string, start: Start, ...addresses: readonly string[]): KnownProvider => ({
  api: 'openai-compatible',
  cli: null,
  addresses,
  keys: [],
  vendor,
  start,
})

const inCloud = (cloud: Cloud, api: ApiKind, vendor: string, key: string): KnownProvider => ({
  api,
  cli: null,
  addresses: [],
  keys: [key],
  vendor,
  cloud,
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
  azure: inCloud('azure', 'openai', 'openai', 'AZURE_OPENAI_API_KEY'),
  vertex: inCloud('vertex', 'google', 'google', 'GOOGLE_VERTEX_ACCESS_TOKEN'),
  bedrock: inCloud('bedrock', 'bedrock', 'bedrock', 'AWS_BEARER_TOKEN_BEDROCK'),
  local: local(
    'local',
    ['Start Ollama, LM Studio or llama.cpp.', 'ollama serve'],
    OLLAMA,
    LM_STUDIO,
    LLAMA_CPP,
  ),
  ollama: local('ollama', ['Start it with: ollama serve', 'ollama serve'], OLLAMA),
  'lm-studio': local('lm-studio', ['Start its server.', 'lms server start'], LM_STUDIO),
  'llama.cpp': local('llama.cpp', ['Start it with: llama-server', 'llama-server -m MODEL.gguf'], LLAMA_CPP),
}

/** The providers that are tried when none is named, in the order of their seats; the first one takes the chair. */
export const LOOKED_FOR = ['claude', 'openai', 'gemini', 'openrouter', 'ollama', 'lm-studio', 'llama.cpp']

export const knownProvider = (name: string): KnownProvider | null =>
  Object.hasOwn(PROVIDERS, name) ? (PROVIDERS[name] ?? null) : null

// Rules across the entries of one provider: that it can be reached as the settings require, and that no key
// is sent unencrypted.

/** The entries of a provider that these rules use. */
interface Given {
  readonly name: string
  readonly transport?: 'auto' | readonly string[]
  readonly base_url?: string
  readonly api_key_env?: string
  readonly api_key_command?: readonly string[]
  readonly executable?: string
  readonly mcp?: object
}

/** The ways in which this provider can be reached at all. */
function waysTo({ name, base_url, mcp }: Given): readonly string[] {
  const known = knownProvider(name)
  const named = known !== null || base_url !== undefined
  return [...(mcp ? ['mcp'] : []), ...(known?.cli ? ['cli'] : []), ...(named ? ['api'] : [])]
}

function checkProvider(settings: Given, node: unknown, key: string, reading: Reading): void {
  const { name, transport, base_url, api_key_env, api_key_command, executable } = settings
  const fault = (field: string, message: string, next: string): void =>
    void report(reading, fieldOf(node, field, reading), `${key}.${field}`, message, next)
  const ways = waysTo(settings)
  if (ways.length === 0) {
    const names = Object.keys(PROVIDERS)
    const meant = nearest(name, names)
    const hint = meant ? `Did you mean '${meant}'? ` : ''
    fault(
      'name',
      `'${name}' is not known by name`,
      `${hint}Known are: ${names.join(', ')}; any other needs base_url or mcp.`,
    )
  }
  for (const way of ways.length === 0 || transport === undefined || transport === 'auto' ? [] : transport) {
    if (ways.includes(way)) continue
    const next =
      way === 'mcp' ? 'Add mcp: with server, tool and arguments.' : `It is reached by: ${ways.join(', ')}.`
    fault('transport', `${name} cannot be reached by ${way}`, next)
  }
  if (api_key_env !== undefined && api_key_command !== undefined)
    fault('api_key_command', `${key} has two sources of its key`, 'Keep api_key_env or api_key_command.')
  if (executable !== undefined && !ways.includes('cli'))
    fault('executable', `${name} has no command of its own`, 'Remove executable.')
  const keyed = [api_key_env, api_key_command].some((source) => source !== undefined)
  if (base_url?.startsWith('http:') && !isLoopback(base_url) && keyed)
    fault(
      'base_url',
      `${key}.base_url would carry a key unencrypted`,
      'Use https://, or an address on this machine.',
    )
}

/** The position of a field's value, or of the whole when it is missing. */
function fieldOf(node: unknown, field: string, reading: Reading): unknown {
  if (!reading.yaml.isMap(node)) return node
  return node.get(field, true) ?? node
}

const place = text('a place in the reply, such as text or json.answer')
const toolMapping = object(
  {
    server: text('the name of one of mcp_servers'),
    tool: text('the name of a tool'),
    arguments: mapping,
    reply: object({
      text: place,
      model: place,
      stop_reason: place,
      input_tokens: place,
      output_tokens: place,
      cost: place,
    }),
  },
  { needs: ['server', 'tool', 'arguments'] },
)

export type ToolMapping = NonNullable<ValueOf<typeof toolMapping>>

export const replyMapping = ({ reply = {} }: ToolMapping): ReplyMapping => {
  const { stop_reason, input_tokens, output_tokens, ...rest } = reply
  return {
    ...rest,
    ...(stop_reason && { stopReason: stop_reason }),
    ...(input_tokens && { inputTokens: input_tokens }),
    ...(output_tokens && { outputTokens: output_tokens }),
  }
}

const mcp: Shape<ToolMapping> = formed((node, key, reading) => {
  const mapping = toolMapping(node, key, reading)
  if (mapping?.arguments === undefined) return mapping
  try {
    checkMapping(mapping.arguments as Arguments, replyMapping(mapping))
  } catch (error) {
    if (!isWitanError(error)) throw error
    return report(reading, node, key, `${key}: ${error.message}`, error.next)
  }
  return mapping
}, formOf(toolMapping))

const provider = object(
  {
    name: text(
      'a short name of letters, digits, dots and dashes',
      (name) => /^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name),
      'Write it as claude, openai, gemini, openrouter, local, or a name of your own.',
    ),
    role: oneOrMore(choice(['participant', 'chair'])),
    model: text(
      'the id of a model',
      (id) => /^[^\s-][^\s]{0,199}$/u.test(id),
      'Write it as the vendor does, without blanks and without a dash in front.',
    ),
    transport: transports,
    api: choice(['anthropic', 'openai', 'google', 'openai-compatible', 'bedrock']),
    base_url: address,
    api_key_env: variable,
    api_key_command: argv,
    executable: text('the path of a program'),
    context_window: amount({ least: 1_000, most: 100_000_000, whole: true, of: 'tokens' }),
    max_output_tokens: amount({ least: 1, most: 1_000_000, whole: true, of: 'tokens' }),
    cache: flag,
    timeouts: object({ each: duration, r1: duration, r2: duration, r3: duration, cli: duration }),
    mcp,
  },
  { needs: ['name'], stranger: keyBelongsElsewhere },
)

/**
 * The entries of a panel for one of its seats. Not allowed in lists of providers: a cloned file could influence its judges.
 */
export interface SeatManner {
  /** The role that it is told to take. */
  readonly stance?: string
  readonly tuning?: Tuning
}

export type ProviderSettings = ValueOf<typeof provider> & { readonly name: string } & SeatManner

export const providerShape: Shape<ProviderSettings> = formed((node, key, reading) => {
  const before = reading.faults.length
  const fields = provider(node, key, reading)
  if (fields?.name === undefined) return undefined
  const named = { ...fields, name: fields.name }
  if (reading.faults.length === before) checkProvider(named, node, key, reading)
  return named
}, formOf(provider))
