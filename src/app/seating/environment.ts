// Everything that seating depends on in addition to the settings, so that a test can replace it.

import { access } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { McpServer } from '../../mcp-client/server.ts'
import { listModels } from '../../models/api/listing.ts'
import { networkFetch } from '../../models/api/network.ts'
import type { Settings } from '../config/config.ts'
import type { Cloud } from '../config/provider.ts'
import { isLoopback, type ServerSettings } from '../config/small-shapes.ts'

export interface Surroundings {
  readonly settings: Pick<Settings, 'council' | 'mcpServers' | 'ca' | 'pace'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly fetch?: typeof fetch
}

const ways = new WeakMap<object, typeof fetch>()

/** How APIs are reached: the given fetch, else with the environment's proxy and the settings' certificates. */
export function fetchOf({ fetch: ownFetch, env, settings }: Surroundings): typeof fetch | undefined {
  if (ownFetch) return ownFetch
  const known = ways.get(settings)
  if (known) return known
  const way = networkFetch({ env, ca: settings.ca ?? null })
  if (way) ways.set(settings, way)
  return way
}

// An MCP server as the settings describe it. A header may name a variable of the environment as `${NAME}`, so that no
// key has to be in a file.

type Described =
  | { readonly server: McpServer; readonly startMs: number | null }
  | { readonly detail: string; readonly next: string }

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

export function serverOf(
  name: string,
  servers: Readonly<Record<string, ServerSettings>>,
  env: Surroundings['env'],
): Described {
  const description = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (description === undefined)
    return { detail: `there is no server ${name} among mcp_servers`, next: 'Describe it in mcp_servers.' }
  const { command, url, headers = {}, start_timeout: startMs = null } = description
  if (command !== undefined) {
    const { env: own, pass, cwd } = description
    return {
      server: { command, ...(own && { env: own }), ...(pass && { pass }), ...(cwd && { cwd }) },
      startMs,
    }
  }
  const missing = Object.values(headers)
    .flatMap((value) => [...value.matchAll(VARIABLE)].map(([, variable = '']) => variable))
    .find((variable) => !env[variable])
  if (missing !== undefined) return { detail: `${missing} is not set`, next: `Set ${missing}.` }
  const values = Object.entries(headers).map(([header, value]) => [
    header,
    value.replaceAll(VARIABLE, (_, variable: string) => env[variable]?.trim() ?? ''),
  ])
  return { server: { url: url ?? '', headers: Object.fromEntries(values) }, startMs }
}

// Finds model servers on this machine at their usual addresses only. A server counts only if it lists models,
// because anything may listen on a port.

export interface Found {
  readonly address: string
  readonly models: readonly string[]
}

const PROBE_MS = 800
const FAR_MS = 5_000
const OLLAMA_PORT = ':11434/'

/** Ollama's own variable moves it to another port; only on this machine, since it names no key and no consent was asked. */
export function addressesOf(addresses: readonly string[], env: Surroundings['env']): readonly string[] {
  const host = env.OLLAMA_HOST?.trim()
  if (!host) return addresses
  const url = `${/^https?:\/\//.test(host) ? host : `http://${host}`}`.replace(/\/+$/, '')
  const moved = /:\d+$/.test(url) ? `${url}/v1` : `${url}:11434/v1`
  return isLoopback(moved) ? addresses.map((one) => (one.includes(OLLAMA_PORT) ? moved : one)) : addresses
}

/** Models that turn text into vectors answer no question. */
const answers = (model: string): boolean => !/embed|bge-|minilm|rerank/i.test(model)

/** The first that lists models, or null. */
export async function findServer(
  addresses: readonly string[],
  key: string | null,
  surroundings: Surroundings,
): Promise<Found | null> {
  const { signal } = surroundings
  const inner = fetchOf(surroundings)
  const tries = addresses.map(async (address): Promise<Found | null> => {
    const limitMs = isLoopback(address) ? PROBE_MS : FAR_MS
    try {
      const listing = { kind: 'openai-compatible', baseUrl: address, key, signal, limitMs } as const
      const listed = await listModels({ ...listing, ...(inner && { fetch: inner }) })
      const models = listed.filter(answers)
      return models.length > 0 ? { address, models } : null
    } catch {
      // Nothing there, or not a model server; it does not matter which.
      return null
    }
  })
  return (await Promise.all(tries)).find((answer) => answer !== null) ?? null
}

// Vendors' models behind a cloud: address and header, from the variables that the cloud's own tools read. An
// address in the settings overrides them.

type Env = Surroundings['env']

export interface Missing {
  readonly detail: string
  readonly next: string
  readonly type: string
}

const first = (env: Env, ...names: readonly string[]): string | null =>
  names.map((name) => env[name]?.trim()).find((value) => value) ?? null

const missing = (...names: readonly string[]): Missing => ({
  detail: `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} not set`,
  next: `Set ${names.length > 1 ? 'them' : 'it'}, or give base_url.`,
  type: `export ${names.map((name) => `${name}=…`).join(' ')}`,
})

/** The newest API of Azure, with the same paths as OpenAI's. */
function azureAddress(env: Env): string | Missing {
  const resource = first(env, 'AZURE_RESOURCE_NAME')
  const endpoint =
    first(env, 'AZURE_OPENAI_ENDPOINT') ?? (resource === null ? null : `https://${resource}.openai.azure.com`)
  return endpoint === null ? missing('AZURE_OPENAI_ENDPOINT') : `${endpoint.replace(/\/+$/, '')}/openai/v1`
}

function vertexAddress(env: Env): string | Missing {
  const project = first(env, 'GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT')
  const location = first(env, 'GOOGLE_VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION') ?? 'global'
  if (project === null) return missing('GOOGLE_CLOUD_PROJECT')
  const host = location === 'global' ? 'aiplatform.googleapis.com' : `${location}-aiplatform.googleapis.com`
  return `https://${host}/v1/projects/${project}/locations/${location}/publishers/google`
}

function bedrockAddress(env: Env): string | Missing {
  const region = first(env, 'AWS_REGION', 'AWS_DEFAULT_REGION')
  return region === null ? missing('AWS_REGION') : `https://bedrock-runtime.${region}.amazonaws.com`
}

const ADDRESSES: Readonly<Record<Cloud, (env: Env) => string | Missing>> = {
  azure: azureAddress,
  vertex: vertexAddress,
  bedrock: bedrockAddress,
}

export const cloudAddress = (cloud: Cloud, env: Env): string | Missing => ADDRESSES[cloud](env)

/** How each carries its key: Azure in its own header, the others as a bearer token. */
export const cloudKeyHeader: Readonly<Record<Cloud, string>> = {
  azure: 'api-key',
  vertex: 'authorization',
  bedrock: 'authorization',
}

/** The credentials file that Google's own tools would use; null where there is none. */
export async function googleCredentials(env: Env): Promise<string | null> {
  const named = first(env, 'GOOGLE_APPLICATION_CREDENTIALS')
  if (named !== null) return named
  const file = join(env.HOME ?? homedir(), '.config/gcloud/application_default_credentials.json')
  return access(file).then(
    () => file,
    () => null,
  )
}
