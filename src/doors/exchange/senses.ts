// The encoder that turns this home's messages into vectors, with its cache in the home: the embedded one, or that of
// a provider where the environment names it. A project's file never does: texts would go wherever a clone says.

import { WitanError } from '../../ledger/errors.ts'
import { type CachedSense, cached } from '../../senses/cache.ts'
import type { Sense } from '../../senses/sense.ts'
import { vectorsFolder } from '../home.ts'

const KEYS = {
  openai: 'OPENAI_API_KEY',
  google: 'GEMINI_API_KEY',
  'openai-compatible': 'WITAN_EMBEDDINGS_KEY',
} as const

const isKind = (kind: string): kind is keyof typeof KEYS => Object.hasOwn(KEYS, kind)

async function providerSense(named: string, env: NodeJS.ProcessEnv): Promise<Sense> {
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
  const { openProviderSense } = await import('../../senses/provider.ts')
  const apiKey = env[KEYS[kind]] ?? null
  return openProviderSense({ kind, model, apiKey, dimension: null, ...(baseUrl && { baseUrl }) })
}

export async function openSense(home: string, env: NodeJS.ProcessEnv = process.env): Promise<CachedSense> {
  const named = env.WITAN_EMBEDDINGS
  if (named) return cached(await providerSense(named, env), vectorsFolder(home))
  const { openEmbeddedSense } = await import('../../senses/embedded.ts')
  return cached(openEmbeddedSense(), vectorsFolder(home))
}
