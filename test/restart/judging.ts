// How a detector did on what it never saw: counts, precision, recall.
import { evaluate, type Scored, SILENT, signalRules, windowOf } from '../../src/exchange/signal/dominance.ts'
import type { Score } from '../../src/exchange/signal/scorer.ts'
import type { Pool } from './pools.ts'

export interface Tally {
  readonly precision: number
  readonly recall: number
  readonly falseAlarms: readonly string[]
  readonly missed: readonly string[]
}

export function tally(
  judged: readonly { readonly name: string; readonly asks: boolean; readonly found: boolean }[],
): Tally {
  const count = (asks: boolean, found: boolean): number =>
    judged.filter((item) => item.asks === asks && item.found === found).length
  const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)
  return {
    precision: share(count(true, true), count(true, true) + count(false, true)),
    recall: share(count(true, true), count(true, true) + count(true, false)),
    falseAlarms: judged.filter(({ asks, found }) => found && !asks).map(({ name }) => name),
    missed: judged.filter(({ asks, found }) => asks && !found).map(({ name }) => name),
  }
}

/** Whether the signal was raised at any round, and whether it stands raised at the end. */
export function signalOver(
  pool: Pool,
  scoreOf: (text: string) => Score,
): { raised: boolean; standing: boolean } {
  const rules = signalRules({ rotation: 4 })
  let [state, window, raised] = [SILENT, [] as Scored[], false]
  for (const messages of pool.rounds) {
    const scored = messages.map(({ id, round, mind, text }) => ({ id, round, mind, ...scoreOf(text) }))
    window = windowOf([...window, ...scored], rules)
    state = evaluate(state, window, rules)
    raised ||= state.raised
  }
  return { raised, standing: state.raised }
}
