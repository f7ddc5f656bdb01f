// Which signatures this office made itself, a moment ago. What a vault gives back with the very signature that was made
// for that hash need not be verified again to be known as valid: the key that made it is the one its id is the hash
// of. Whatever differs in one byte, and whatever anyone else wrote, is not known here.

import { equalBytes } from '../ledger/bytes.ts'
import type { SealedEvent } from '../ledger/event.ts'
import type { Office } from './office.ts'

/** A process that serves for months signs much; what is forgotten is only verified again. */
const MOST_KEPT = 2_048

const signatures = new WeakMap<Office, Map<string, Uint8Array>>()

export function rememberMade(office: Office, events: readonly SealedEvent[]): void {
  const kept = signatures.get(office) ?? new Map<string, Uint8Array>()
  signatures.set(office, kept)
  for (const { hash, signature } of events) kept.set(hash, signature)
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) return
    kept.delete(oldest)
  }
}

export function isMadeHere(office: Office, { hash, signature }: SealedEvent): boolean {
  const made = signatures.get(office)?.get(hash)
  return made !== undefined && equalBytes(made, signature)
}
