// How text becomes vectors. Loading this loads no encoder and no provider: each is imported when it is first asked.

export { type CachedSense, cached } from './cache.ts'
export { type EmbeddedOptions, openEmbeddedSense } from './embedded.ts'
export { openProviderSense } from './provider.ts'
export type { ProviderOptions } from './provider-call.ts'
export * from './sense.ts'
