// SHA-256 for the pure rooms, synchronous as they want it: WebCrypto digests only asynchronously. It needs no
// secure context either, so hashes are checked even where a browser offers no WebCrypto.

import { sha256 as digest } from '@noble/hashes/sha2.js'
import { concat, type Sha256 } from '../../ledger/bytes.ts'

/** Below this, joining the parts costs less than feeding them one by one. */
const JOIN_BYTES = 8192

export const sha256: Sha256 = (...parts) => {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return digest(first)
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  if (size <= JOIN_BYTES) return digest(concat(...parts))
  const hash = digest.create()
  for (const part of parts) hash.update(part)
  return hash.digest()
}
