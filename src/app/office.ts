// What traces of every protocol are worked on with: the store that keeps them, the keys that sign them, and the encoder
// that turns their texts into vectors.

import type { Ports } from '../clerk/ports.ts'
import type { Registrar } from '../clerk/registrar.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import { openNamedEmbedder } from '../embeddings/named.ts'
import { type Home, vectorsFolder } from './home/home.ts'
import { employ, type Signer } from './home/signers.ts'

export type { Embedder } from '../embeddings/embedder.ts'

/** An embedder with the way to give it back; one that the caller brought stays open. */
export interface LentEmbedder {
  readonly embedder: Embedder
  close(): Promise<void>
}

export interface Office {
  readonly ports: Ports
  /**
   * The home whose settings say who is told, and which keeps what was learned for an encoder; absent where a program
   * keeps its own house.
   */
  readonly home?: string
  employ(signers: readonly Signer[]): Promise<Registrar>
  openEmbedder(): Promise<LentEmbedder>
}

export const owned = (embedder: Embedder): LentEmbedder => ({ embedder, close: () => embedder.close() })

/** In a home: vectors are kept there. */
export const officeOf = (home: Home): Office => ({
  ports: home.ports,
  home: home.directory,
  employ: (signers) => employ(home, signers),
  openEmbedder: async () => owned(await openNamedEmbedder(vectorsFolder(home.directory))),
})
