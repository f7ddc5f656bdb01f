// Which signatures this process made itself recently. If a store returns the same signature for the same
// hash, it need not be verified again: the key that made it is the one its id is the hash of. Anything that
// differs in one byte, or that someone else wrote, is unknown here.

import { equalBytes } from '../../ledger/bytes.ts'
import type { SealedEvent } from '../../ledger/event.ts'
import type { Ports } from '../ports.ts'

/** A process that runs for months signs much; what is forgotten is only verified again. */
const GENERATION = 8_192

/** When a generation is full of new signatures, the one before it is forgotten. */
interface OwnSignatures {
  newer: Map<string, Uint8Array>
  older: ReadonlyMap<string, Uint8Array>
}

const signatures = new WeakMap<Ports, OwnSignatures>()

function ownSignatures(ports: Ports): OwnSignatures {
  const known = signatures.get(ports)
  if (known) return known
  const own: OwnSignatures = { newer: new Map(), older: new Map() }
  signatures.set(ports, own)
  return own
}

export function rememberSignatures(ports: Ports, events: readonly SealedEvent[]): void {
  const own = ownSignatures(ports)
  for (const { hash, signature } of events) own.newer.set(hash, signature)
  if (own.newer.size >= GENERATION) {
    own.older = own.newer
    own.newer = new Map()
  }
}

export function isOwnSignature(ports: Ports, { hash, signature }: SealedEvent): boolean {
  const { newer, older } = ownSignatures(ports)
  const own = newer.get(hash) ?? older.get(hash)
  return own !== undefined && equalBytes(own, signature)
}
