// What compares the recommendations of a council where its policy wants more than words compared: the home's encoder,
// the one that exchanges use. It is opened for that council alone, and its thread starts with the first text.

import type { Embedder } from '../../embeddings/embedder.ts'
import type { Home } from '../home/home.ts'
import type { CouncilLog } from './open-council.ts'

/** Null where the policy of this council wants none. */
export async function encoderFor({ directory }: Home, { state }: CouncilLog): Promise<Embedder | null> {
  if (!state.inner.opened?.policy.short_circuit.embeddings) return null
  const { openEmbedder } = await import('../exchange/embedder.ts')
  return openEmbedder(directory)
}
