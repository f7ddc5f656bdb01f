// What someone probably meant by a word that is none of those allowed.

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Null when nothing is near: a wrong guess is worse than none. */
export function nearest(word: string, allowed: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(word.length / 3) + 1)
  let best: { readonly candidate: string; readonly far: number } | null = null
  for (const candidate of allowed) {
    const far = candidate.startsWith(word) && word.length > 1 ? 0 : distance(word.toLowerCase(), candidate)
    if (far <= limit && (best === null || far < best.far)) best = { candidate, far }
  }
  return best?.candidate ?? null
}
