// The ways to a provider, one mind a transport, built from its settings and the environment. Nothing is run or reached
// by building a mind, except that a local server may be looked for.

import { type ApiKind, routers, vendors } from '../../models/default-models.ts'
import type { Arguments } from '../../models/mcp/mapping.ts'
import type { Model } from '../../models/model.ts'
import { inOrder } from '../../models/seat/time.ts'
import { type ProviderSettings, replyMapping } from '../config/provider.ts'
import { type CommandLine, knownProvider } from '../config/providers.ts'
import type { Surroundings } from './environment.ts'
import { keySource, noKey } from './keys.ts'
import { addressesOf, findServer } from './local-servers.ts'
import { serverOf } from './mcp-server.ts'
import { eitherMind, unavailableModel } from './unavailable.ts'

export const apiKindOf = ({ name, api }: ProviderSettings): ApiKind =>
  api ?? knownProvider(name)?.api ?? 'openai-compatible'

async function mcpWay(provider: ProviderSettings, { settings, env }: Surroundings): Promise<Model | null> {
  const { mcp, name, model } = provider
  if (mcp?.server === undefined || mcp.tool === undefined) return null
  const found = serverOf(mcp.server, settings.mcpServers, env)
  if ('detail' in found) return unavailableModel(provider, 'mcp', found)
  const { mcpModel } = await import('../../models/mcp/mcp.ts')
  return mcpModel({
    provider: name,
    model: model ?? null,
    server: found.server,
    tool: mcp.tool,
    arguments: (mcp.arguments ?? {}) as Arguments,
    reply: replyMapping(mcp),
    ...(found.startMs !== null && { startMs: found.startMs }),
    environment: env,
  })
}

/** Each program adds the version to the address by itself, or does not. */
const cliAddress = (cli: CommandLine, baseUrl: string): string =>
  cli === 'codex' ? baseUrl : baseUrl.replace(/\/(v1|v1beta)\/?$/, '')

async function cliWay(provider: ProviderSettings, surroundings: Surroundings): Promise<Model | null> {
  const { name, model = null, executable = null, base_url } = provider
  const cli = knownProvider(name)?.cli ?? null
  if (cli === null) return null
  const [{ claudeModel }, { codexModel }, { geminiModel }] = await Promise.all([
    import('../../models/cli/claude.ts'),
    import('../../models/cli/codex.ts'),
    import('../../models/cli/gemini.ts'),
  ])
  const make = { claude: claudeModel, codex: codexModel, gemini: geminiModel }[cli]
  const source = keySource(provider, surroundings)
  const plain = { name, model, program: executable, env: surroundings.env }
  if (source?.named || base_url !== undefined) {
    // The user's own login belongs to the vendor and must not go to another address.
    if (source === null) return unavailableModel(provider, 'cli', keyless(provider))
    if (source.missing) return unavailableModel(provider, 'cli', noKey(source))
    const baseUrl = base_url === undefined ? null : cliAddress(cli, base_url)
    return make({ ...plain, baseUrl, apiKey: source.fetch })
  }
  const login = make(plain)
  const key = (await source?.fetch()) ?? null
  return key === null ? login : eitherMind(login, make({ ...plain, apiKey: async () => key }))
}

const keyless = ({ name }: ProviderSettings) => ({
  detail: `${name} has a base_url and no key is named for it`,
  next: 'Name one with api_key_env or api_key_command.',
})

async function compatibleWay(provider: ProviderSettings, surroundings: Surroundings): Promise<Model> {
  const { name, model, base_url } = provider
  const { env, fetch: inner } = surroundings
  const known = knownProvider(name)
  const source = keySource(provider, surroundings)
  const apiKey = source?.fetch ?? (async () => null)
  const addresses = base_url === undefined ? addressesOf(known?.addresses ?? [], env) : [base_url]
  const { apiModel } = await import('../../models/api/api.ts')
  const make = (baseUrl: string, id: string): Model =>
    apiModel({ kind: 'openai-compatible', name, model: id, baseUrl, apiKey, ...(inner && { fetch: inner }) })
  const [address = ''] = addresses
  if (source?.missing) return unavailableModel(provider, 'api', noKey(source))
  const own = model ?? (base_url === undefined ? routers.get(name) : undefined)
  if (own !== undefined && addresses.length === 1) return make(address, own)
  const key = await apiKey().catch(() => null)
  const found = await findServer(addresses, key, surroundings)
  const id = own ?? found?.models[0]
  if (found !== null && id !== undefined) return make(found.address, id)
  const where = addresses.map((one) => new URL(one).host).join(', ')
  const detail = `no model server answers at ${where}`
  return unavailableModel(provider, 'api', {
    detail,
    next: known?.start ?? 'Start it.',
  })
}

async function apiWay(provider: ProviderSettings, surroundings: Surroundings): Promise<Model | null> {
  const { name, model, base_url = null } = provider
  if (knownProvider(name) === null && base_url === null) return null
  const kind = apiKindOf(provider)
  if (kind === 'openai-compatible') return compatibleWay(provider, surroundings)
  const source = keySource(provider, surroundings)
  if (source === null) return unavailableModel(provider, 'api', keyless(provider))
  if (source.missing) return unavailableModel(provider, 'api', noKey(source))
  const { apiModel } = await import('../../models/api/api.ts')
  const { fetch: inner } = surroundings
  const id = model ?? vendors[kind].models[0] ?? ''
  return apiModel({
    kind,
    name,
    model: id,
    baseUrl: base_url,
    apiKey: source.fetch,
    ...(inner && { fetch: inner }),
  })
}

/** In the order in which they are tried. */
export async function waysTo(
  provider: ProviderSettings,
  surroundings: Surroundings,
): Promise<readonly Model[]> {
  const ways = await Promise.all([
    mcpWay(provider, surroundings),
    cliWay(provider, surroundings),
    apiWay(provider, surroundings),
  ])
  const order = provider.transport ?? surroundings.settings.council.transport ?? 'auto'
  return inOrder(
    ways.filter((way) => way !== null),
    order,
  )
}
