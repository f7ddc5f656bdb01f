// What a user probably meant by an unknown word.

/** Insertions, deletions, changes, and swapped neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/** Null when nothing is near: a wrong guess is worse than none. */
export function nearest(word: string, allowed: readonly string[]): string | null {
  const limit = Math.max(1, Math.round(word.length / 3))
  let best: { readonly candidate: string; readonly far: number } | null = null
  for (const candidate of allowed) {
    const far = candidate.startsWith(word) && word.length > 1 ? 0 : distance(word.toLowerCase(), candidate)
    if (far <= limit && (best === null || far < best.far)) best = { candidate, far }
  }
  return best?.candidate ?? null
}
