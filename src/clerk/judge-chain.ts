// Whether events may follow one another where they would stand: each is judged on the state that those before it lead to, and
// by the keys that are in force. Nothing is written here.

import { FORKED } from '../ledger/fork.ts'
import type { RegistryState } from '../ledger/registry/registry.ts'
import type { Unsigned } from '../ledger/signing.ts'
import type { Actor, Occurrence, Protocol, Refusal } from '../protocol.ts'
import { checkKey, RefusedError } from './refused-events.ts'

/** The log of the registry is judged by its own state. Only there: every other log has a registry beside it. */
export const ownRegistry = (state: unknown): RegistryState => state as RegistryState

const MISPLACED: Refusal = { code: 'ORDER_VIOLATION', message: 'a fork is a first event' }

export interface Judged<State> {
  readonly state: State
  readonly occurrences: readonly Occurrence[]
}

/** Throws at the first that may not follow. `registry`: null where the chain is one of the registry itself. */
export function judgeChain<State>(
  protocol: Protocol<State>,
  registry: RegistryState | null,
  from: State,
  chain: readonly Unsigned[],
): Judged<State> {
  const signers = new Set<Actor>()
  const occurrences: Occurrence[] = []
  let state = from
  for (const { fields, hash, text } of chain) {
    const { trace, seq, at, type, actor } = fields
    // As every later reader gets it: the order of members, too, is that of the bytes that were signed.
    const occurrence: Occurrence = { trace, seq, at, type, actor, hash, payload: JSON.parse(text) }
    const refusal = type === FORKED && seq > 0 ? MISPLACED : protocol.refuse(state, occurrence)
    if (refusal) throw new RefusedError(type, trace, refusal)
    state = protocol.evolve(state, occurrence)
    occurrences.push(occurrence)
    if (!signers.has(actor)) checkKey(registry ?? ownRegistry(state), fields)
    signers.add(actor)
  }
  return { state, occurrences }
}
