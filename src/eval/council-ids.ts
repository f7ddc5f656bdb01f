// The council of an item has an id before it starts: it follows from the evaluation. An interrupted one is
// found again by it and resumed, and nothing is paid for twice.

import { type Sha256, utf8 } from '../ledger/bytes.ts'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_DIGITS = 10
const CHANCE_DIGITS = 16

/** A ULID: the time at which the evaluation began, then a value that is drawn for this item. `ms`: since 1970. */
export function councilId(
  sha256: Sha256,
  { root, seed, ms }: { readonly root: string; readonly seed: string; readonly ms: number },
  item: number,
  rep: number,
  variant: string,
): string {
  let time = ''
  let rest = ms
  for (let i = 0; i < TIME_DIGITS; i++) {
    time = DIGITS[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  const drawn = sha256(utf8(`witan eval/1 council ${seed} ${root} ${item} ${rep} ${variant}`))
  let chance = ''
  for (let i = 0; i < CHANCE_DIGITS; i++) chance += DIGITS[(drawn[i] ?? 0) % 32]
  return time + chance
}

/** The seed of the council's own orders and marks. */
export const councilSeed = (sha256: Sha256, seed: string, id: string): Uint8Array =>
  sha256(utf8(`witan eval/1 seed ${seed} ${id}`))
