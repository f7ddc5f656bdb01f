// Removed secrets, as one table of numbers: a text full of secrets has hundreds of thousands, and as objects
// they would take too long to pass between threads.

import { setImmediate as turn } from 'node:timers/promises'
import type { Cleaned, Removal } from '../ledger/secrets/remove.ts'

export interface Packed {
  readonly texts: readonly string[]
  /** How many were removed from each text. */
  readonly counts: readonly number[]
  readonly rules: readonly string[]
  /** For each the number of its rule, doubled, plus one if it looked made up; then its line. */
  readonly table: Uint32Array<ArrayBuffer>
}

export function packed(cleaned: readonly Cleaned[]): Packed {
  const rules = new Map<string, number>()
  const counts = cleaned.map(({ removed }) => removed.length)
  const table = new Uint32Array(2 * counts.reduce((sum, count) => sum + count, 0))
  let at = 0
  for (const { removed } of cleaned) {
    for (const { rule, line, madeUp } of removed) {
      const number = rules.get(rule) ?? rules.size
      rules.set(rule, number)
      table[at++] = 2 * number + (madeUp ? 1 : 0)
      table[at++] = line
    }
  }
  return { texts: cleaned.map(({ text }) => text), counts, rules: [...rules.keys()], table }
}

const AT_ONCE = 5_000

export async function unpacked({ texts, counts, rules, table }: Packed): Promise<readonly Cleaned[]> {
  const cleaned: Cleaned[] = []
  let at = 0
  for (const [i, text] of texts.entries()) {
    const removed: Removal[] = []
    const end = at + 2 * (counts[i] ?? 0)
    while (at < end) {
      const [kind = 0, line = 0] = [table[at], table[at + 1]]
      removed.push({ rule: rules[kind >> 1] ?? '', line, madeUp: kind % 2 === 1 })
      at += 2
      if (at % (2 * AT_ONCE) === 0) await turn()
    }
    cleaned.push({ text, removed })
  }
  return cleaned
}
