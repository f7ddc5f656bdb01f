// A whole artifact in memory, for those that are small enough to be read.

import { concat } from '../ledger/bytes.ts'
import type { Store } from '../stores/store.ts'

/** Null when the store does not hold it. */
export async function artifactBytes(store: Store, hash: string): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  const bytes = await store.openArtifact(hash)
  if (!bytes) return null
  for await (const chunk of bytes) chunks.push(chunk)
  return concat(...chunks)
}
