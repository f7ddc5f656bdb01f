// How clearly a message asks for a restart or for other terms. A message gets the score of the sentence that
// asks most clearly, since a request is often one sentence of many; zero and above counts, and so does the
// tag. A scorer belongs to the encoder whose vectors it learned from and refuses those of any other.

import { fromBase64, toBase64 } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { commonEncoder, type Vector } from '../../ledger/vector.ts'
import { descend } from './descent.ts'
import { hasRestartTag, rounded } from './dominance.ts'
import { FORM, type Row, rowsOf } from './sentence-features.ts'

// Logistic regression in which both classes have the same weight, regardless of their sizes. Deterministic: a
// fixed start, a fixed order and no randomness, so that the same rows give the same weights. Most columns are
// zero in most rows, and only the others are visited.

export interface Linear {
  readonly weights: Float64Array
  readonly bias: number
}

export interface Training {
  /** The strength of regularization. */
  readonly penalty: number
  /** The starting point: zero by default. */
  readonly from?: Linear | null
  /** The weight of each row within its class, equal by default. */
  readonly weights?: readonly number[]
}

/** The weighted sum of a row. */
function sumOf({ heard, columns, values }: Row, weights: Float64Array): number {
  let sum = 0
  for (let i = 0; i < heard.length; i++) sum += (heard[i] as number) * (weights[i] as number)
  for (let k = 0; k < columns.length; k++)
    sum += (values[k] as number) * (weights[columns[k] as number] as number)
  return sum
}

function addRow(sum: Float64Array, scale: number, { heard, columns, values }: Row): void {
  for (let i = 0; i < heard.length; i++) sum[i] = (sum[i] as number) + scale * (heard[i] as number)
  for (let k = 0; k < columns.length; k++) {
    const column = columns[k] as number
    sum[column] = (sum[column] as number) + scale * (values[k] as number)
  }
}

export const scoreOf = ({ weights, bias }: Linear, row: Row): number => sumOf(row, weights) + bias

/** The weight of each row in the loss: half for either class. */
function sharesOf(labels: readonly boolean[], weights: readonly number[]): Float64Array {
  const total = (label: boolean): number =>
    labels.reduce((sum, own, i) => sum + (own === label ? (weights[i] ?? 1) : 0), 0)
  const [asking, others] = [total(true), total(false)]
  return Float64Array.from(labels, (label, i) => (0.5 * (weights[i] ?? 1)) / (label ? asking : others))
}

/** The loss at a point, whose last number is the bias, and its gradient; the bias is not regularized. */
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
  const parameters = descend(lossOver(rows, labels, sharesOf(labels, weights), penalty), start)
  return { weights: parameters.slice(0, size), bias: parameters[size] ?? 0 }
}

export interface Scorer extends Linear {
  readonly encoder: string
}

export interface Score {
  readonly score: number
  readonly counts: boolean
}

/** A message cut into sentences, each with its vector. */
export interface EmbeddedMessage {
  readonly text: string
  readonly sentences: readonly string[]
  readonly vectors: readonly Vector[]
}

export interface Lesson extends EmbeddedMessage {
  readonly asks: boolean
  /** Its weight relative to others, 1 by default. */
  readonly weight?: number
}

/** The score of nothing: a message without words asks for nothing. */
const NOTHING = -10
const PENALTY = 3e-5
const PASSES = 3
/** At most this share of calm texts that were not used for learning may count. */
const FALSE = 1 / 200
/** Above the highest calm text that may not count by at least the precision of a score. */
const LEAST = 1e-4

const highest = (linear: Linear, rows: readonly Row[]): number =>
  rows.reduce((most, row) => Math.max(most, scoreOf(linear, row)), NOTHING)

export function scoreMessage(scorer: Scorer, { text, sentences, vectors }: EmbeddedMessage): Score {
  const encoder = commonEncoder(vectors) ?? scorer.encoder
  if (encoder !== scorer.encoder) {
    throw new WitanError(
      'ENCODER_MISMATCH',
      `the scorer learned from ${scorer.encoder} and cannot judge vectors of ${encoder}`,
      'Score with the encoder that the scorer learned from, or let it learn from this one.',
    )
  }
  const highestScore = highest(scorer, rowsOf(sentences, vectors))
  const score = rounded(Math.max(NOTHING, Math.min(-NOTHING, highestScore)))
  return { score, counts: score >= 0 || hasRestartTag(text) }
}

/** Only one sentence of a message that asks need do so: the previous pass decides which, the first pass uses all. */
function chosen(linear: Linear | null, asks: boolean, rows: readonly Row[]): readonly Row[] {
  if (!asks || linear === null) return rows
  const most = highest(linear, rows)
  return rows.filter((row) => scoreOf(linear, row) >= most).slice(0, 1)
}

/** The score above which at most this many of these calm texts count. */
function threshold(linear: Linear, calm: readonly EmbeddedMessage[]): number {
  const scores = calm
    .map(({ sentences, vectors }) => highest(linear, rowsOf(sentences, vectors)))
    .sort((a, b) => b - a)
  return Math.max(0, scores[Math.floor(scores.length * FALSE)] ?? 0)
}

/** A scorer for the encoder of these lessons, with its zero set by calm texts that are not among them. */
export function learn(encoder: string, lessons: readonly Lesson[], calm: readonly EmbeddedMessage[]): Scorer {
  const rows = lessons.map(({ sentences, vectors }) => rowsOf(sentences, vectors))
  let linear: Linear | null = null
  for (let pass = 0; pass < PASSES; pass++) {
    const all: { row: Row; asks: boolean; weight: number }[] = []
    for (const [n, { asks, weight = 1 }] of lessons.entries()) {
      const own = chosen(linear, asks, rows[n] ?? [])
      for (const row of own) all.push({ row, asks, weight: weight / Math.sqrt(own.length) })
    }
    linear = train(
      all.map(({ row }) => row),
      all.map(({ asks }) => asks),
      { penalty: PENALTY, from: linear, weights: all.map(({ weight }) => weight) },
    )
  }
  if (!linear) throw new RangeError('nothing was learned')
  return { encoder, weights: linear.weights, bias: linear.bias - threshold(linear, calm) - LEAST }
}

/** In the form of a file: two bytes for each weight, in steps of `step`. */
export interface PackedScorer {
  readonly form: number
  readonly encoder: string
  readonly bias: number
  readonly step: number
  readonly weights: string
}

const MOST = 2 ** 15 - 1

export function packScorer({ encoder, weights, bias }: Scorer): PackedScorer {
  const step = Number(
    (weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / MOST).toPrecision(6),
  )
  const bytes = new Uint8Array(weights.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [i, weight] of weights.entries()) {
    view.setInt16(i * 2, Math.max(-MOST, Math.min(MOST, Math.round(weight / step))), true)
  }
  return { form: FORM, encoder, bias: rounded(bias), step, weights: toBase64(bytes) }
}

/** Null when these weights are of another form than this program's rows. */
export function unpackScorer({ form, encoder, bias, step, weights }: PackedScorer): Scorer | null {
  const bytes = form === FORM ? fromBase64(weights) : null
  if (bytes === null) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const values = Float64Array.from({ length: bytes.length / 2 }, (_, i) => view.getInt16(i * 2, true) * step)
  return { encoder, weights: values, bias }
}
