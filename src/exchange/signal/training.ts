// Logistic regression in which both classes weigh the same, whatever their numbers. Deterministic: a fixed start, a
// fixed order and no chance, so that the same rows give the same weights. Most columns are zero in most rows, and
// only what is not is gone over.

import { descend } from './descent.ts'
import type { Row } from './rows.ts'

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

/** The weighted sum of a row. */
function sumOf({ heard, twice, columns, values }: Row, weights: Float64Array): number {
  let sum = 0
  for (let i = 0; i < heard.length; i++) sum += (heard[i] as number) * (weights[i] as number)
  if (twice !== null) {
    for (let i = 0; i < heard.length; i++) sum += (heard[i] as number) * (weights[twice + i] as number)
  }
  for (let k = 0; k < columns.length; k++)
    sum += (values[k] as number) * (weights[columns[k] as number] as number)
  return sum
}

function addRow(sum: Float64Array, scale: number, { heard, twice, columns, values }: Row): void {
  for (let i = 0; i < heard.length; i++) sum[i] = (sum[i] as number) + scale * (heard[i] as number)
  if (twice !== null) {
    for (let i = 0; i < heard.length; i++)
      sum[twice + i] = (sum[twice + i] as number) + scale * (heard[i] as number)
  }
  for (let k = 0; k < columns.length; k++) {
    const column = columns[k] as number
    sum[column] = (sum[column] as number) + scale * (values[k] as number)
  }
}

export const scoreOf = ({ weights, bias }: Linear, row: Row): number => sumOf(row, weights) + bias

/** Each row's part in the loss: half for either class. */
function sharesOf(labels: readonly boolean[], weights: readonly number[]): Float64Array {
  const total = (label: boolean): number =>
    labels.reduce((sum, own, i) => sum + (own === label ? (weights[i] ?? 1) : 0), 0)
  const [asking, others] = [total(true), total(false)]
  return Float64Array.from(labels, (label, i) => (0.5 * (weights[i] ?? 1)) / (label ? asking : others))
}

/** The loss at a point, whose last number is the bias, and its slope there; no penalty holds the bias. */
function lossOver(
  rows: readonly Row[],
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
      const [row, share] = [rows[n] as Row, shares[n] as number]
      const score = sumOf(row, at) + (at[size] as number)
      const margin = labels[n] ? score : -score
      loss += share * (margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin)
      const miss = (labels[n] ? -share : share) / (1 + Math.exp(margin))
      addRow(slope, miss, row)
      slope[size] = (slope[size] as number) + miss
    }
    return loss
  }
}

export function train(
  rows: readonly Row[],
  labels: readonly boolean[],
  { penalty, from = null, weights = [] }: Training,
): Linear {
  const size = rows[0]?.width ?? 0
  if (rows.length !== labels.length || rows.some(({ width }) => width !== size)) {
    throw new RangeError('rows of one length, and as many labels, are needed to train')
  }
  if (!labels.includes(true) || !labels.includes(false))
    throw new RangeError('both classes are needed to train')
  const start = new Float64Array(size + 1)
  if (from) {
    start.set(from.weights)
    start[size] = from.bias
  }
  const found = descend(lossOver(rows, labels, sharesOf(labels, weights), penalty), start)
  return { weights: found.slice(0, size), bias: found[size] ?? 0 }
}
