// The whole of an artifact in memory, for what is small enough to be looked into.

import { concat } from '../ledger/bytes.ts'
import type { Vault } from '../vaults/vault.ts'

/** Null when the vault does not hold it. */
export async function artifactBytes(vault: Vault, hash: string): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  const bytes = await vault.openArtifact(hash)
  if (!bytes) return null
  for await (const chunk of bytes) chunks.push(chunk)
  return concat(...chunks)
}
