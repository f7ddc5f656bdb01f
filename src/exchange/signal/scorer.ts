// How plainly a message asks for a restart or for other terms. A message is scored by the sentence of it that asks
// most plainly, since a request is often one sentence of many; zero and above counts, and so does the tag. A scorer
// belongs to the encoder whose vectors it learned from and refuses those of any other.

import { fromBase64, toBase64 } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { commonEncoder, type Vector } from '../../ledger/vector.ts'
import { asksOutright, rounded } from './dominance.ts'
import { FORM, type Row, rowsOf } from './rows.ts'
import { type Linear, scoreOf, train } from './training.ts'

export interface Scorer extends Linear {
  readonly encoder: string
}

export interface Score {
  readonly score: number
  readonly counts: boolean
}

/** A message cut into sentences, each with its vector. */
export interface Heard {
  readonly text: string
  readonly sentences: readonly string[]
  readonly vectors: readonly Vector[]
}

export interface Lesson extends Heard {
  readonly asks: boolean
  /** How much this one matters beside others, 1 when nothing is said. */
  readonly weight?: number
}

/** What nothing at all scores: a message without words asks for nothing. */
const NOTHING = -10
const PENALTY = 3e-5
const PASSES = 2
/** So much more than even must speak for a request: of texts in kinds left out, this made the fewest false alarms
 * for the requests it cost. */
const LEAN = 0.25

const best = (linear: Linear, rows: readonly Row[]): number =>
  rows.reduce((most, row, i) => (scoreOf(linear, row) > scoreOf(linear, rows[most] ?? row) ? i : most), 0)

export function scoreMessage(scorer: Scorer, { text, sentences, vectors }: Heard): Score {
  const encoder = commonEncoder(vectors) ?? scorer.encoder
  if (encoder !== scorer.encoder) {
    throw new WitanError(
      'ENCODER_MISMATCH',
      `the scorer learned from ${scorer.encoder} and cannot judge vectors of ${encoder}`,
      'Score with the encoder that the scorer learned from, or let it learn from this one.',
    )
  }
  const rows = rowsOf(sentences, vectors)
  const highest = rows.reduce((most, row) => Math.max(most, scoreOf(scorer, row)), NOTHING)
  const score = rounded(Math.max(NOTHING, Math.min(-NOTHING, highest)))
  return { score, counts: score >= 0 || asksOutright(text) }
}

/**
 * A scorer for the encoder of these lessons. Of a message that asks, only one sentence need do so: which one is
 * settled by the pass before; of one that does not, no sentence does.
 */
export function learn(encoder: string, lessons: readonly Lesson[]): Scorer {
  const rows = lessons.map(({ sentences, vectors }) => rowsOf(sentences, vectors))
  let linear: Linear | null = null
  for (let pass = 0; pass < PASSES; pass++) {
    const chosen: { row: Row; asks: boolean; weight: number }[] = []
    for (const [n, { asks, weight = 1 }] of lessons.entries()) {
      const own = rows[n] ?? []
      const picked: readonly Row[] = asks ? own.slice(pick(linear, own)).slice(0, 1) : own
      for (const row of picked) chosen.push({ row, asks, weight: weight / Math.sqrt(picked.length) })
    }
    linear = train(
      chosen.map(({ row }) => row),
      chosen.map(({ asks }) => asks),
      { penalty: PENALTY, from: linear, weights: chosen.map(({ weight }) => weight) },
    )
  }
  const { weights, bias } = linear ?? { weights: new Float64Array(), bias: 0 }
  return { encoder, weights, bias: bias - LEAN }
}

/** Before anything is learned, the last sentence: requests come last more often than first. */
const pick = (linear: Linear | null, rows: readonly Row[]): number =>
  linear === null ? Math.max(0, rows.length - 1) : best(linear, rows)

/** As it stands in a file: two bytes a weight, in steps of `step`. */
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
