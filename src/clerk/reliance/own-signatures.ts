// Which signatures this process made itself, a moment ago. What a store gives back with the very signature that was made
// for that hash need not be verified again to be known as valid: the key that made it is the one its id is the hash
// of. What differs in one byte, and what anyone else wrote, is not known here.

import { equalBytes } from '../../ledger/bytes.ts'
import type { SealedEvent } from '../../ledger/event.ts'
import type { Ports } from '../ports.ts'

/** A process that serves for months signs much; what is forgotten is only verified again. */
const GENERATION = 8_192

/** When as many are new as a generation holds, those before them are forgotten all at once. */
interface Made {
  newer: Map<string, Uint8Array>
  older: ReadonlyMap<string, Uint8Array>
}

const signatures = new WeakMap<Ports, Made>()

function madeBy(ports: Ports): Made {
  const known = signatures.get(ports)
  if (known) return known
  const made: Made = { newer: new Map(), older: new Map() }
  signatures.set(ports, made)
  return made
}

export function rememberMade(ports: Ports, events: readonly SealedEvent[]): void {
  const made = madeBy(ports)
  for (const { hash, signature } of events) made.newer.set(hash, signature)
  if (made.newer.size >= GENERATION) {
    made.older = made.newer
    made.newer = new Map()
  }
}

export function isMadeHere(ports: Ports, { hash, signature }: SealedEvent): boolean {
  const { newer, older } = madeBy(ports)
  const made = newer.get(hash) ?? older.get(hash)
  return made !== undefined && equalBytes(made, signature)
}
