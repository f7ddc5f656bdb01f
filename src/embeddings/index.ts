// How text becomes vectors. Loading this loads no encoder and no provider: each is imported when it is first asked.

// Earlier names, kept for one release.
export { isZeroVector as isSilent, zeroVector as silence } from '../ledger/vector.ts'
export { type CachedEmbedder, cached } from './cache.ts'
export { type EmbeddedOptions, openBuiltInEmbedder } from './embedded.ts'
export * from './embedder.ts'
export type { ProviderOptions } from './provider.ts'
export { openProviderEmbedder } from './provider.ts'
