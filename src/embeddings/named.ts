// The encoder that the environment names, that of a provider, or else the embedded one, with its cache. A
// project's file never names one: a cloned file could send texts anywhere.

import { WitanError } from '../ledger/errors.ts'
import { type CachedEmbedder, cached } from './cache.ts'
import type { Embedder } from './embedder.ts'

const KEYS = {
  openai: 'OPENAI_API_KEY',
  google: 'GEMINI_API_KEY',
  'openai-compatible': 'WITAN_EMBEDDINGS_KEY',
} as const

const isKind = (kind: string): kind is keyof typeof KEYS => Object.hasOwn(KEYS, kind)

async function providerEmbedder(named: string, env: NodeJS.ProcessEnv): Promise<Embedder> {
  const [kind = '', ...rest] = named.split(':')
  const model = rest.join(':')
  const baseUrl = env.WITAN_EMBEDDINGS_URL
  if (!isKind(kind) || model === '' || (kind === 'openai-compatible' && !baseUrl)) {
    throw new WitanError(
      'CONFIG_INVALID',
      `WITAN_EMBEDDINGS=${named} names no encoder`,
      'Write openai:MODEL or google:MODEL, or openai-compatible:MODEL with WITAN_EMBEDDINGS_URL.',
    )
  }
  const { openProviderEmbedder } = await import('./provider.ts')
  const apiKey = env[KEYS[kind]] ?? null
  return openProviderEmbedder({ kind, model, apiKey, dimension: null, ...(baseUrl && { baseUrl }) })
}

/** The provider that receives the texts, by the name that consent is given under; null with the encoder of this package. */
export const embeddingProvider = (env: NodeJS.ProcessEnv = process.env): string | null =>
  env.WITAN_EMBEDDINGS ? `${env.WITAN_EMBEDDINGS.split(':')[0]} embeddings` : null

/** Vectors are kept in the folder, so that no text is encoded twice. */
export async function openNamedEmbedder(
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<CachedEmbedder> {
  const named = env.WITAN_EMBEDDINGS
  if (named) return cached(await providerEmbedder(named, env), folder)
  const { openBuiltInEmbedder } = await import('./embedded.ts')
  return cached(openBuiltInEmbedder(), folder)
}
