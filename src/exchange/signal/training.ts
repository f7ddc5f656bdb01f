// Logistic regression in which both classes weigh the same, whatever their numbers. Deterministic: a fixed start, a
// fixed order and no chance, so that the same rows give the same weights.

export interface Linear {
  readonly weights: Float64Array
  readonly bias: number
}

export interface Training {
  /** How strongly weights are held near zero. */
  readonly penalty: number
  readonly steps?: number
  /** How much each row matters within its class, all alike when not given. */
  readonly weights?: readonly number[]
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

export const scoreOf = ({ weights, bias }: Linear, row: ArrayLike<number>): number => dot(weights, row) + bias

/** Each row's part in the loss: half for either class. */
function sharesOf(labels: readonly boolean[], weights: readonly number[]): number[] {
  const total = (label: boolean): number =>
    labels.reduce((sum, own, i) => sum + (own === label ? (weights[i] ?? 1) : 0), 0)
  const [asking, others] = [total(true), total(false)]
  return labels.map((label, i) => (0.5 * (weights[i] ?? 1)) / (label ? asking : others))
}

/** The gradient of the loss; the last number is the bias's, which no penalty holds. */
function slopeOf(
  at: Float64Array,
  rows: readonly Float64Array[],
  labels: readonly boolean[],
  shares: readonly number[],
  penalty: number,
): Float64Array {
  const size = at.length - 1
  const slope = at.map((weight, i) => (i < size ? penalty * weight : 0))
  for (const [n, row] of rows.entries()) {
    const guess = 1 / (1 + Math.exp(-(dot(row, at) + (at[size] ?? 0))))
    const miss = (shares[n] ?? 0) * (guess - (labels[n] ? 1 : 0))
    for (let i = 0; i < size; i++) slope[i] = (slope[i] ?? 0) + miss * (row[i] ?? 0)
    slope[size] = (slope[size] ?? 0) + miss
  }
  return slope
}

/** More than the curvature can be: a quarter of the longest row's square, and the penalty. */
function steepest(rows: readonly Float64Array[], penalty: number): number {
  const longest = rows.reduce((most, row) => Math.max(most, dot(row, row) + 1), 1)
  return longest / 4 + penalty
}

/** Nesterov's accelerated descent, begun anew wherever it overshoots. */
export function train(
  rows: readonly Float64Array[],
  labels: readonly boolean[],
  { penalty, steps = 400, weights = [] }: Training,
): Linear {
  const size = rows[0]?.length ?? 0
  if (rows.length !== labels.length || rows.some((row) => row.length !== size)) {
    throw new RangeError('rows of one length, and as many labels, are needed to train')
  }
  if (!labels.includes(true) || !labels.includes(false))
    throw new RangeError('both classes are needed to train')
  const shares = sharesOf(labels, weights)
  const rate = 1 / steepest(rows, penalty)
  let [now, ahead, pace] = [new Float64Array(size + 1), new Float64Array(size + 1), 1]
  for (let step = 0; step < steps; step++) {
    const slope = slopeOf(ahead, rows, labels, shares, penalty)
    const next = ahead.map((value, i) => value - rate * (slope[i] ?? 0))
    const moved = next.map((value, i) => value - (now[i] ?? 0))
    if (dot(slope, moved) > 0) pace = 1
    const faster = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2
    const push = (pace - 1) / faster
    ahead = next.map((value, i) => value + push * (moved[i] ?? 0))
    ;[now, pace] = [next, faster]
  }
  return { weights: now.slice(0, size), bias: now[size] ?? 0 }
}
