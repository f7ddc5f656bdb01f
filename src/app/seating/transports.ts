// The ways to a provider, one model for each transport, built from its settings and the environment. Building
// a model runs and contacts nothing, except that a local server may be searched.

import { knowsModel, type Listing } from '../../models/api/listing.ts'
import type { RefusedMemory } from '../../models/api/refused-parameters.ts'
import { inOrder } from '../../models/deadline.ts'
import { type ApiKind, isVendor, routers, vendors } from '../../models/default-models.ts'
import type { Arguments } from '../../models/mcp/mapping.ts'
import type { Model } from '../../models/model.ts'
import { firstReadyModel, unavailableModel } from '../../models/stand-ins.ts'
import {
  type Cloud,
  type CommandLine,
  knownProvider,
  type ProviderSettings,
  replyMapping,
} from '../config/provider.ts'
import {
  addressesOf,
  cloudAddress,
  cloudKeyHeader,
  fetchOf,
  findServer,
  googleCredentials,
  type Surroundings,
  serverOf,
} from './environment.ts'
import { googleToken, keySource, noKey } from './keys.ts'

export const apiKindOf = ({ name, api }: ProviderSettings): ApiKind =>
  api ?? knownProvider(name)?.api ?? 'openai-compatible'

/** The settings that each model has refused, for the duration of a run. */
const memories = new WeakMap<object, Map<string, RefusedMemory>>()

function refusedBy({ settings }: Surroundings, provider: string, model: string): RefusedMemory {
  const known = memories.get(settings) ?? new Map<string, RefusedMemory>()
  memories.set(settings, known)
  const name = JSON.stringify([provider, model])
  const refused = known.get(name) ?? new Set()
  known.set(name, refused)
  return refused
}

async function mcpWay(provider: ProviderSettings, { settings, env }: Surroundings): Promise<Model | null> {
  const { mcp, name, model } = provider
  if (mcp?.server === undefined || mcp.tool === undefined) return null
  const lookup = serverOf(mcp.server, settings.mcpServers, env)
  if ('detail' in lookup) return unavailableModel(provider, 'mcp', lookup)
  const { mcpModel } = await import('../../models/mcp/mcp.ts')
  return mcpModel({
    provider: name,
    model: model ?? null,
    server: lookup.server,
    tool: mcp.tool,
    arguments: (mcp.arguments ?? {}) as Arguments,
    reply: replyMapping(mcp),
    ...(lookup.startMs !== null && { startMs: lookup.startMs }),
    environment: env,
    ...(provider.tuning && { tuning: provider.tuning }),
  })
}

/** Whether the vendor's SDK adds the version to the address by itself. */
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
  const tuned = provider.tuning && { tuning: provider.tuning }
  const plain = { name, model, program: executable, env: surroundings.env, ...tuned }
  if (source?.named || base_url !== undefined) {
    // The user's own login belongs to the vendor and must not go to another address.
    if (source === null) return unavailableModel(provider, 'cli', keyless(provider))
    if (source.missing) return unavailableModel(provider, 'cli', noKey(source))
    const baseUrl = base_url === undefined ? null : cliAddress(cli, base_url)
    return make({ ...plain, baseUrl, apiKey: source.fetch })
  }
  const login = make(plain)
  const key = (await source?.fetch()) ?? null
  return key === null ? login : firstReadyModel(login, make({ ...plain, apiKey: async () => key }))
}

const keyless = ({ name }: ProviderSettings) => ({
  detail: `${name} has a base_url and no key is named for it`,
  next: 'Name one with api_key_env or api_key_command.',
})

async function compatibleWay(provider: ProviderSettings, surroundings: Surroundings): Promise<Model> {
  const { name, model, base_url } = provider
  const { env } = surroundings
  const inner = fetchOf(surroundings)
  const known = knownProvider(name)
  const source = keySource(provider, surroundings)
  const apiKey = source?.fetch ?? (async () => null)
  const addresses = base_url === undefined ? addressesOf(known?.addresses ?? [], env) : [base_url]
  const { apiModel } = await import('../../models/api/api.ts')
  const make = (baseUrl: string, id: string): Model =>
    apiModel({
      kind: 'openai-compatible',
      name,
      model: id,
      baseUrl,
      apiKey,
      refused: refusedBy(surroundings, name, id),
      ...(inner && { fetch: inner }),
      ...(provider.tuning && { tuning: provider.tuning }),
    })
  const [address = ''] = addresses
  if (source?.missing) return unavailableModel(provider, 'api', noKey(source))
  const own = model ?? (base_url === undefined ? routers.get(name) : undefined)
  if (own !== undefined && addresses.length === 1) return make(address, own)
  const key = await apiKey().catch(() => null)
  const localServer = await findServer(addresses, key, surroundings)
  const id = own ?? localServer?.models[0]
  if (localServer !== null && id !== undefined) return make(localServer.address, id)
  const where = addresses.map((one) => new URL(one).host).join(', ')
  const detail = `no model server answers at ${where}`
  const [next, type] = known?.start ?? ['Start it.']
  return unavailableModel(provider, 'api', { detail, next, ...(type && { type }) })
}

const NO_GOOGLE_LOGIN = {
  detail: 'no credentials of Google Cloud are found',
  next: 'Run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS.',
  type: 'gcloud auth application-default login',
}

/**
 * A token of the credentials that Google's own tools would use, where no key is named. It opens the whole cloud
 * account, so it is sent to Google only.
 */
async function tokenFor(
  address: string,
  surroundings: Surroundings,
): Promise<(() => Promise<string>) | null> {
  if (!new URL(address).hostname.endsWith('.googleapis.com')) return null
  const file = await googleCredentials(surroundings.env)
  return file === null ? null : googleToken(file, fetchOf(surroundings) ?? fetch)
}

async function cloudWay(
  cloud: Cloud,
  provider: ProviderSettings,
  surroundings: Surroundings,
): Promise<Model> {
  const { name, model, base_url } = provider
  const kind = apiKindOf(provider)
  const address = base_url ?? cloudAddress(cloud, surroundings.env)
  if (typeof address !== 'string') return unavailableModel(provider, 'api', address)
  const source = keySource(provider, surroundings)
  const keyed = source !== null && !source.missing ? source.fetch : null
  const login = cloud === 'vertex' && !source?.named
  const apiKey = keyed ?? (login ? await tokenFor(address, surroundings) : null)
  if (apiKey === null) {
    const unnamed = login && source !== null ? NO_GOOGLE_LOGIN : null
    return unavailableModel(provider, 'api', unnamed ?? (source === null ? keyless(provider) : noKey(source)))
  }
  const id = model ?? (cloud === 'vertex' ? vendors.google.models[0] : undefined)
  if (id === undefined) {
    const detail = `no model of ${name} is named`
    const next = cloud === 'azure' ? 'Name the deployment with model:.' : 'Name one with model:.'
    return unavailableModel(provider, 'api', { detail, next })
  }
  const { apiModel } = await import('../../models/api/api.ts')
  const inner = fetchOf(surroundings)
  return apiModel({
    kind,
    name,
    model: id,
    baseUrl: address,
    apiKey,
    keyHeader: cloudKeyHeader[cloud],
    refused: refusedBy(surroundings, name, id),
    ...(inner && { fetch: inner }),
    ...(provider.tuning && { tuning: provider.tuning }),
  })
}

async function apiWay(provider: ProviderSettings, surroundings: Surroundings): Promise<Model | null> {
  const { name, model, base_url = null } = provider
  const known = knownProvider(name)
  if (known === null && base_url === null) return null
  const kind = apiKindOf(provider)
  const cloud = known?.cloud ?? (kind === 'bedrock' ? kind : null)
  if (cloud !== null) return cloudWay(cloud, provider, surroundings)
  if (!isVendor(kind)) return compatibleWay(provider, surroundings)
  const source = keySource(provider, surroundings)
  if (source === null) return unavailableModel(provider, 'api', keyless(provider))
  if (source.missing) return unavailableModel(provider, 'api', noKey(source))
  const { apiModel } = await import('../../models/api/api.ts')
  const inner = fetchOf(surroundings)
  const id = model ?? vendors[kind].models[0] ?? ''
  return apiModel({
    kind,
    name,
    model: id,
    baseUrl: base_url,
    apiKey: source.fetch,
    cache: provider.cache ?? false,
    refused: refusedBy(surroundings, name, id),
    ...(inner && { fetch: inner }),
    ...(provider.tuning && { tuning: provider.tuning }),
  })
}

async function orUntunable(way: Model, provider: ProviderSettings): Promise<Model> {
  const { tuning, name, mcp } = provider
  if (tuning === undefined) return way
  const { whyUntunable } = await import('../../models/untunable.ts')
  const cli = knownProvider(name)?.cli ?? null
  const reached = { api: apiKindOf(provider), cli, mcp: (mcp?.arguments ?? {}) as Arguments }
  const detail = whyUntunable(way, reached, tuning)
  if (detail === null) return way
  return unavailableModel(provider, way.transport, {
    detail,
    next: 'Leave it out for this seat of the panel.',
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
  const models = ways.filter((way) => way !== null).map((way) => orUntunable(way, provider))
  return inOrder(await Promise.all(models), order)
}

// A vendor is asked about its models only where its own API is used and a model is named.

const LIST_MS = 3_000

/** The request; null where there is nothing to ask. Throws when the key cannot be read. */
export async function makeListing(
  provider: ProviderSettings,
  { transport, model }: Model,
  surroundings: Surroundings,
): Promise<(Listing & { readonly model: string }) | null> {
  const kind = apiKindOf(provider)
  if (transport !== 'api' || !isVendor(kind) || model === null) return null
  if (knownProvider(provider.name)?.cloud !== undefined) return null
  const key = (await keySource(provider, surroundings)?.fetch()) ?? null
  const { signal } = surroundings
  const inner = fetchOf(surroundings)
  const baseUrl = provider.base_url ?? vendors[kind].baseUrl
  return { kind, model, baseUrl, key, signal, limitMs: LIST_MS, ...(inner && { fetch: inner }) }
}

/** Why this model cannot be used: the vendor says that it has none of that name. Null otherwise, and when in doubt. */
export async function unknownModel(
  provider: ProviderSettings,
  mind: Model,
  surroundings: Surroundings,
): Promise<string | null> {
  if (mind.absent) return null
  const listing = await makeListing(provider, mind, surroundings).catch(() => null)
  if (!listing?.key || (await knowsModel(listing, listing.model)) !== false) return null
  return `the vendor has no model ${listing.model}. Set another with model:.`
}
