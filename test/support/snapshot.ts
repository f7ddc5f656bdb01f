// What every protocol that lets its state be kept must hold: a state that was written down, read back and folded on is
// the state that was folded all along, wherever it is written down.

import { expect } from 'vitest'
import { canonicalize, type Json } from '../../src/ledger/canonical.ts'
import type { Occurrence, Protocol } from '../../src/protocol.ts'

/** Maps count by their entries, no matter how they hold them. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null || value instanceof Set) return value
  if ('entries' in value && typeof value.entries === 'function')
    return new Map([...value.entries()].map(([key, one]) => [key, plain(one)]))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}

/** Folds the events twice, once through a snapshot at every place that `at` picks; says how many were taken. */
export function expectSnapshotsHold<State>(
  protocol: Protocol<State>,
  events: readonly Occurrence[],
  at: (index: number) => boolean = () => true,
): number {
  const form = protocol.snapshot
  if (!form) throw new Error(`${protocol.id} keeps no state`)
  let [whole, kept, taken] = [protocol.initial, protocol.initial, 0]
  for (const [i, event] of events.entries()) {
    whole = protocol.evolve(whole, event)
    kept = protocol.evolve(kept, event)
    const snapshot = at(i) ? form.take(kept) : null
    if (snapshot === null) continue
    kept = form.restore(JSON.parse(canonicalize(snapshot)) as Json)
    expect(plain(kept)).toStrictEqual(plain(whole))
    expect(protocol.decide(kept)).toStrictEqual(protocol.decide(whole))
    taken++
  }
  expect(plain(kept)).toStrictEqual(plain(whole))
  return taken
}
