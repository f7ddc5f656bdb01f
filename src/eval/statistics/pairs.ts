// Two arms on the same items, as counts of pairs. Everything here uses only sums, products, quotients and
// square roots, which every machine computes alike: recorded values of a comparison can be computed again to
// the digit.

/** How often only the one, and only the other, was right. */
export interface Pairs {
  readonly n: number
  /** The first right, the second wrong. */
  readonly first: number
  /** The first wrong, the second right. */
  readonly second: number
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** Two-sided 95 % of the normal distribution. */
export const Z95 = 1.959963984540054
/** For a power of 80 %. */
const Z80 = 0.8416212335729143

/**
 * McNemar's test on the discordant pairs, with half of the observed probability counted (mid-p). Terms are
 * relative to the largest, so that no number of pairs is too large for it.
 */
export function midPValue({ first, second }: Pick<Pairs, 'first' | 'second'>): number {
  const n = first + second
  if (n === 0) return 1
  const least = Math.min(first, second)
  const middle = Math.floor(n / 2)
  let total = 1
  let below = middle < least ? 1 : 0
  let at = middle === least ? 1 : 0
  let term = 1
  for (let k = middle; k > 0; k--) {
    term = (term * k) / (n - k + 1)
    total += term
    if (k - 1 < least) below += term
    if (k - 1 === least) at = term
  }
  term = 1
  for (let k = middle; k < n; k++) {
    term = (term * (n - k)) / (k + 1)
    total += term
  }
  return Math.min(1, (2 * (below + at / 2)) / total)
}

/** The difference of two paired shares, first minus second, after Agresti and Min: half a pair is added to each cell. */
export function differenceInterval({ n, first, second }: Pairs): Interval {
  if (n === 0) return { low: -1, high: 1 }
  const [b, c, all] = [first + 0.5, second + 0.5, n + 2]
  const middle = (b - c) / all
  const spread = (Z95 * Math.sqrt(Math.max(0, b + c - ((b - c) * (b - c)) / all))) / all
  return { low: Math.max(-1, middle - spread), high: Math.min(1, middle + spread) }
}

/** A share and its Wilson interval. */
export function shareInterval(right: number, n: number): Interval {
  if (n === 0) return { low: 0, high: 1 }
  const square = Z95 * Z95
  const share = right / n
  const middle = (share + square / (2 * n)) / (1 + square / n)
  const spread = (Z95 * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))) / (1 + square / n)
  return { low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) }
}

/** The assumed share of pairs in which two arms differ, before anything is known. */
const USUAL_DISCORDANCE = 0.2

/** The smallest difference that this many pairs show in four of five cases. */
export function smallestEffect(n: number, discordance: number = USUAL_DISCORDANCE): number {
  if (n === 0) return 1
  let effect = 0
  // The effect is on both sides of the equation; a few iterations suffice.
  for (let round = 0; round < 50; round++) {
    const rest = Math.max(0, discordance - effect * effect)
    effect = Z95 * Math.sqrt(discordance / n) + Z80 * Math.sqrt(rest / n)
  }
  return Math.min(1, effect)
}

/** Holm: which of several tests are significant together at this level. In the given order. */
export function holmAdjusted(values: readonly number[]): readonly number[] {
  const order = values.map((p, i) => ({ p, i })).sort((a, b) => a.p - b.p)
  const adjusted = new Array<number>(values.length).fill(1)
  let highest = 0
  for (const [rank, { p, i }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, p * (values.length - rank)))
    adjusted[i] = highest
  }
  return adjusted
}
