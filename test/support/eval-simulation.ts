// Answers of known skill and correlation, drawn by a generator that gives the same numbers everywhere.

/** Uniform in [0, 1), from a 32-bit state (mulberry32). */
export function uniform(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `k` members of skill `p`: with chance `rho` one common draw decides for all, else each draws for itself. */
export function drawMembers(next: () => number, k: number, p: number, rho: number): readonly boolean[] {
  if (next() < rho) {
    const common = next() < p
    return Array.from({ length: k }, () => common)
  }
  return Array.from({ length: k }, () => next() < p)
}

/** What the majority of three reaches, and how often all three are wrong. */
export const closedForm = (p: number, rho: number): { readonly vote: number; readonly allWrong: number } => {
  const q = 1 - p
  return { vote: rho * p + (1 - rho) * (p ** 3 + 3 * p * p * q), allWrong: rho * q + (1 - rho) * q ** 3 }
}
