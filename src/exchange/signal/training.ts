// Logistic regression in which both classes weigh the same, whatever their numbers. Deterministic: a fixed start, a
// fixed order and no chance, so that the same rows give the same weights. Most columns are zero in most rows, and
// only what is not is gone over.

import { descend } from './descent.ts'

export interface Linear {
  readonly weights: Float64Array
  readonly bias: number
}

export interface Training {
  /** How strongly weights are held near zero. */
  readonly penalty: number
  /** Where to begin: at zero when not given. */
  readonly from?: Linear | null
  /** How much each row matters within its class, all alike when not given. */
  readonly weights?: readonly number[]
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

export const scoreOf = ({ weights, bias }: Linear, row: Float64Array): number => dot(weights, row) + bias

/** Each row's part in the loss: half for either class. */
function sharesOf(labels: readonly boolean[], weights: readonly number[]): Float64Array {
  const total = (label: boolean): number =>
    labels.reduce((sum, own, i) => sum + (own === label ? (weights[i] ?? 1) : 0), 0)
  const [asking, others] = [total(true), total(false)]
  return Float64Array.from(labels, (label, i) => (0.5 * (weights[i] ?? 1)) / (label ? asking : others))
}

/** Rows without their zeros, one after the other: row n is from `starts[n]` up to `starts[n + 1]`. */
interface Filled {
  readonly starts: Int32Array
  readonly columns: Int32Array
  readonly values: Float64Array
}

function filled(rows: readonly Float64Array[]): Filled {
  const starts = new Int32Array(rows.length + 1)
  for (const [n, row] of rows.entries()) {
    let count = 0
    for (let i = 0; i < row.length; i++) if (row[i] !== 0) count++
    starts[n + 1] = (starts[n] as number) + count
  }
  const all = starts[rows.length] as number
  const [columns, values] = [new Int32Array(all), new Float64Array(all)]
  let at = 0
  for (const row of rows) {
    for (let i = 0; i < row.length; i++) {
      if (row[i] === 0) continue
      columns[at] = i
      values[at++] = row[i] as number
    }
  }
  return { starts, columns, values }
}

/** The loss at a point, whose last number is the bias, and its slope there; no penalty holds the bias. */
function lossOver(
  { starts, columns, values }: Filled,
  labels: readonly boolean[],
  shares: Float64Array,
  penalty: number,
): (at: Float64Array, slope: Float64Array) => number {
  return (at, slope) => {
    const size = at.length - 1
    let loss = 0
    for (let i = 0; i < size; i++) {
      const weight = at[i] as number
      slope[i] = penalty * weight
      loss += 0.5 * penalty * weight * weight
    }
    slope[size] = 0
    for (let n = 0; n < shares.length; n++) {
      const [start, end] = [starts[n] as number, starts[n + 1] as number]
      let score = at[size] as number
      for (let k = start; k < end; k++) score += (values[k] as number) * (at[columns[k] as number] as number)
      const [share, margin] = [shares[n] as number, labels[n] ? score : -score]
      loss += share * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin)
      const miss = (labels[n] ? -share : share) / (1 + Math.exp(margin))
      for (let k = start; k < end; k++) {
        const column = columns[k] as number
        slope[column] = (slope[column] as number) + miss * (values[k] as number)
      }
      slope[size] = (slope[size] as number) + miss
    }
    return loss
  }
}

export function train(
  rows: readonly Float64Array[],
  labels: readonly boolean[],
  { penalty, from = null, weights = [] }: Training,
): Linear {
  const size = rows[0]?.length ?? 0
  if (rows.length !== labels.length || rows.some((row) => row.length !== size)) {
    throw new RangeError('rows of one length, and as many labels, are needed to train')
  }
  if (!labels.includes(true) || !labels.includes(false))
    throw new RangeError('both classes are needed to train')
  const start = new Float64Array(size + 1)
  if (from) start.set([...from.weights, from.bias])
  const found = descend(lossOver(filled(rows), labels, sharesOf(labels, weights), penalty), start)
  return { weights: found.slice(0, size), bias: found[size] ?? 0 }
}
