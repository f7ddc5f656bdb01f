// What every protocol that lets its state be kept must hold: a state that was written down, read back and folded on is
// the state that was folded all along, wherever it is written down.

import { expect } from 'vitest'
import { canonicalize, type Json } from '../../src/ledger/canonical.ts'
import type { Occurrence, Protocol } from '../../src/protocol.ts'

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
    expect(kept).toStrictEqual(whole)
    expect(protocol.decide(kept)).toStrictEqual(protocol.decide(whole))
    taken++
  }
  expect(kept).toStrictEqual(whole)
  return taken
}
