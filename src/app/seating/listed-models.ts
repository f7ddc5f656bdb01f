// Whether the vendor still lists the models that a seat would ask for. Asked only of vendors whose key is at hand; a
// vendor that does not answer in time, or keeps its list to itself, leaves the question open.

import { knowsModel, listModels } from '../../models/api/listing.ts'
import { isVendor, modelsAsOf, vendors } from '../../models/default-models.ts'
import { redact } from '../../models/hide-secrets.ts'
import type { Model } from '../../models/model.ts'
import { knownProvider, type ProviderSettings } from '../config/provider.ts'
import { fetchOf, type Surroundings } from './environment.ts'
import { keySource, secretsIn } from './keys.ts'
import { apiKindOf } from './transports.ts'

const LIST_MS = 3_000

/** Null when there is nothing to say. */
export async function modelWarning(
  provider: ProviderSettings,
  mind: Model,
  surroundings: Surroundings,
): Promise<string | null> {
  const kind = apiKindOf(provider)
  const { model } = mind
  if (mind.transport !== 'api' || !isVendor(kind) || model === null) return null
  if (knownProvider(provider.name)?.cloud !== undefined) return null
  const { signal } = surroundings
  const inner = fetchOf(surroundings)
  try {
    const key = (await keySource(provider, surroundings)?.fetch()) ?? null
    const listed = await listModels({
      kind,
      baseUrl: provider.base_url ?? vendors[kind].baseUrl,
      key,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]),
      ...(inner && { fetch: inner }),
    })
    if (listed.length === 0 || listed.includes(model)) return null
    const whose = provider.model === undefined ? `the default model (as of ${modelsAsOf})` : 'the model'
    return `${provider.name}: ${whose} ${model} is not listed by the vendor; set another with model:`
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const clean = redact(words, secretsIn(surroundings))
    return `${provider.name}: the vendor's list of models cannot be read: ${clean}`
  }
}

/** Why this model cannot be asked for: the vendor says that it has none of that name. Null otherwise, and when in doubt. */
export async function unknownModel(
  provider: ProviderSettings,
  mind: Model,
  surroundings: Surroundings,
): Promise<string | null> {
  const kind = apiKindOf(provider)
  const { model } = mind
  if (mind.transport !== 'api' || mind.absent || !isVendor(kind) || model === null) return null
  if (knownProvider(provider.name)?.cloud !== undefined) return null
  const { signal } = surroundings
  const inner = fetchOf(surroundings)
  const key = await keySource(provider, surroundings)
    ?.fetch()
    .catch(() => null)
  if (!key) return null
  const known = await knowsModel(
    {
      kind,
      baseUrl: provider.base_url ?? vendors[kind].baseUrl,
      key,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]),
      ...(inner && { fetch: inner }),
    },
    model,
  )
  return known === false ? `the vendor has no model ${model}. Set another with model:.` : null
}
