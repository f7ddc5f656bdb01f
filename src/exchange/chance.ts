// Chance by rule: drawn from the seed of the terms and from what it is for. Whoever has the terms draws the same, so
// a sample can be checked. The branch is no part of it: two branches that differ in nothing else draw alike.

import type { Sha256 } from '../ledger/bytes.ts'
import { utf8 } from '../ledger/bytes.ts'

/** A whole number below `limit`, even to one part in 2^32 for any limit of this program. */
function drawn(sha256: Sha256, seed: number, purpose: string, turn: number, limit: number): number {
  const digest = sha256(utf8(`exchange\n${seed}\n${purpose}\n${turn}`))
  let value = 0
  for (const byte of digest.subarray(0, 6)) value = value * 256 + byte
  return value % limit
}

/** `count` different ones of the items, every choice equally likely; all of them when there are no more. */
export function draw<Item>(
  sha256: Sha256,
  seed: number,
  purpose: string,
  items: readonly Item[],
  count: number,
): readonly Item[] {
  if (items.length <= count) return items
  const left = [...items]
  for (let i = 0; i < count; i++) {
    const j = i + drawn(sha256, seed, purpose, i, left.length - i)
    const taken = left[j] as Item
    left[j] = left[i] as Item
    left[i] = taken
  }
  return left.slice(0, count)
}
