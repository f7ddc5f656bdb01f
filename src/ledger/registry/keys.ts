// Whether a key is valid for an event is judged by the registry position in its header and by recorded
// revocations, never by a stated time. A revoked key cannot change the past: beyond the heads that its
// revocation recorded it is void at any position that it claims.

import type { Header } from '../event.ts'
import { each, type KeyRecord, type RegistryState, type Revocation, revocationsIn } from './registry.ts'

export interface KeyFault {
  readonly check: 'key_status' | 'key_role'
  readonly code: 'KEY_UNKNOWN' | 'KEY_REVOKED' | 'KEY_ROLE_MISMATCH'
  readonly message: string
}

/**
 * The stored hash of an event of the trace: null when the trace ends before it, undefined when it is only not
 * available, as in a single proven event or in the prefix of a fork.
 */
export type HashAt = (seq: number) => string | null | undefined

/** The position of an event. */
type Place = Pick<Header, 'trace' | 'seq'>

function checkpointedBefore(registry: RegistryState, place: Place, registrySize: number): boolean {
  for (const checkpoint of each(registry.checkpoints)) {
    if (checkpoint.trace === place.trace && checkpoint.size > place.seq && checkpoint.seq < registrySize)
      return true
  }
  return false
}

const retiredAt = (key: KeyRecord): string => `key was rotated out at registry event ${key.rotated}`

function precedesRevocation(
  registry: RegistryState,
  revocation: Revocation,
  header: Place,
  hashAt: HashAt,
): boolean {
  if (revocation.compromisedSince !== null) {
    return checkpointedBefore(registry, header, revocation.compromisedSince)
  }
  const head = revocation.heads.find((candidate) => candidate.trace === header.trace)
  if (!head) return checkpointedBefore(registry, header, revocation.seq)
  // A trace that ends before its recorded head cannot prove that it is the one whose head was recorded:
  // anyone who stole the key may have rewritten it from an early event on.
  const recorded = hashAt(head.size - 1)
  return header.seq < head.size && (recorded === undefined || recorded === head.hash)
}

function statusFault(registry: RegistryState, key: KeyRecord, header: Header, hashAt: HashAt): string | null {
  const position = header.registry.size
  if (key.rotated !== null && position > key.rotated) return retiredAt(key)
  if (key.revoked === null) return null
  for (const revoked of revocationsIn(key.revoked)) {
    if (precedesRevocation(registry, revoked, header, hashAt)) continue
    return revoked.retired
      ? `${retiredAt(key)}, and this lies beyond what was recorded then`
      : `key was revoked at registry event ${revoked.seq}: ${revoked.reason}`
  }
  return null
}

/** Whether a registrar's signature about a trace of this size still counts, now that its own key may be revoked. */
export function registrarStillCounts(
  registry: RegistryState,
  registrar: string,
  trace: string,
  size: number,
): boolean {
  const ends = revocationsIn(registry.keys.get(registrar)?.revoked ?? null)
  return [...ends].every((end) =>
    precedesRevocation(registry, end, { trace, seq: size - 1 }, () => undefined),
  )
}

export function judgeKey(registry: RegistryState, header: Header, hashAt: HashAt): KeyFault | null {
  const { agent, role, key: id } = header.actor
  const key = registry.keys.get(id)
  // The registry's first event registers the key that signs it.
  const opens = header.trace === registry.registry && header.seq === 0
  if (!key || (key.registered >= header.registry.size && !opens)) {
    const message = key
      ? `key was registered only at registry event ${key.registered}`
      : 'key is not in the registry'
    return { check: 'key_status', code: 'KEY_UNKNOWN', message }
  }
  const fault = statusFault(registry, key, header, hashAt)
  if (fault) return { check: 'key_status', code: 'KEY_REVOKED', message: fault }
  if (key.agent !== agent || !key.roles.includes(role)) {
    const message = `key belongs to ${key.agent} (${key.roles.join(', ')}), used as ${agent} (${role})`
    return { check: 'key_role', code: 'KEY_ROLE_MISMATCH', message }
  }
  return null
}
