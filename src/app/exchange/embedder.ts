// The encoder that turns this home's messages into vectors, with its cache in the home: the embedded one, or that of
// a provider where the environment names it. A project's file never does: texts would go wherever a clone says.

import { type CachedEmbedder, cached } from '../../embeddings/cache.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { WitanError } from '../../ledger/errors.ts'
import { vectorsFolder } from '../home/home.ts'

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
  const { openProviderEmbedder } = await import('../../embeddings/provider.ts')
  const apiKey = env[KEYS[kind]] ?? null
  return openProviderEmbedder({ kind, model, apiKey, dimension: null, ...(baseUrl && { baseUrl }) })
}

export async function openEmbedder(
  home: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<CachedEmbedder> {
  const named = env.WITAN_EMBEDDINGS
  if (named) return cached(await providerEmbedder(named, env), vectorsFolder(home))
  const { openBuiltInEmbedder } = await import('../../embeddings/embedded.ts')
  return cached(openBuiltInEmbedder(), vectorsFolder(home))
}
