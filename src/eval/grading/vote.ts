// The most frequent answer. A tie is broken by the recorded seed, so that no member and no place in the order
// is favoured and a verifier breaks it the same way.

import { type Sha256, toHex, utf8 } from '../../ledger/bytes.ts'

/** Members without an answer have no vote. Null where no member answered. */
export function pluralityKey(sha256: Sha256, seed: string, keys: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>()
  for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  const tied = [...counts].filter(([, count]) => count === most).map(([key]) => key)
  if (tied.length <= 1) return tied[0] ?? null
  const drawn = tied.map((key) => ({ key, lot: toHex(sha256(utf8(`witan eval/1 tie ${seed} ${key}`))) }))
  return drawn.sort((a, b) => (a.lot < b.lot ? -1 : 1))[0]?.key ?? null
}
