// `witan/senses`, the name this entry had until 0.1: the same exports, with the old names beside the new ones, for one
// release. Use `witan/embeddings`.

export * from './index.ts'
export {
  type CachedEmbedder as CachedSense,
  type Embedder as Sense,
  EmbeddingError as SenseError,
  type EmbeddingFault as SenseFault,
  openBuiltInEmbedder as openEmbeddedSense,
  openProviderEmbedder as openProviderSense,
} from './index.ts'
