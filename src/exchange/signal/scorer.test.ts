import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toVector, type Vector } from '../../ledger/vector.ts'
import {
  type EmbeddedMessage,
  type Lesson,
  type Linear,
  learn,
  packScorer,
  type Scorer,
  scoreMessage,
  scoreOf,
  train,
  unpackScorer,
} from './scorer.ts'
import type { Row } from './sentence-features.ts'

const ENCODER = 'fake:two:2'
const WIDTH = 2 + 2048
const vector = (x: number, y: number): Vector => toVector(ENCODER, [x, y])

/** Two numbers that the encoder gives, and one word. */
const rowOf = (x: number, y: number, word: number): Row => ({
  width: 3,
  heard: Float32Array.of(x, y),
  columns: Int32Array.of(2),
  values: Float64Array.of(word),
})
const number = fc.double({ min: -3, max: 3, noNaN: true })
const labelled = fc.record({
  x: number,
  y: number,
  word: number,
  asks: fc.boolean(),
  weight: fc.integer({ min: 1, max: 4 }),
})
const PENALTY = 0.01

describe('training', () => {
  it('ends at the lowest loss: half of it for each class, weights regularised, the bias free', () => {
    const both = fc
      .array(labelled, { minLength: 2, maxLength: 12 })
      .filter((rows) => rows.some(({ asks }) => asks) && rows.some(({ asks }) => !asks))
    fc.assert(
      fc.property(both, (given) => {
        const rows = given.map(({ x, y, word }) => rowOf(x, y, word))
        const labels = given.map(({ asks }) => asks)
        const weights = given.map(({ weight }) => weight)
        const linear = train(rows, labels, { penalty: PENALTY, weights })
        const total = (asks: boolean) =>
          given.reduce((sum, each) => sum + (each.asks === asks ? each.weight : 0), 0)
        const slope = [0, 1, 2, 3].map((i) => (i < 3 ? PENALTY * (linear.weights[i] ?? 0) : 0))
        for (const [n, { asks, weight }] of given.entries()) {
          const { heard, values } = rows[n] as Row
          const cells = [...heard, ...values, 1]
          const chance = 1 / (1 + Math.exp(-scoreOf(linear, rows[n] as Row)))
          const miss = ((chance - (asks ? 1 : 0)) * weight) / (2 * total(asks))
          for (const [i, cell] of cells.entries()) slope[i] = (slope[i] ?? 0) + miss * cell
        }
        for (const steep of slope) expect(Math.abs(steep)).toBeLessThan(6e-5)
      }),
      { numRuns: 40 },
    )
  })

  it('begins at given weights, and stops at once if they are optimal', () => {
    const rows = [rowOf(1, 0, 1), rowOf(0, 1, -1), rowOf(1, 1, 0)]
    const labels = [true, false, false]
    const found = train(rows, labels, { penalty: PENALTY })
    expect(train(rows, labels, { penalty: PENALTY, from: found })).toEqual(found)
  })

  it('is refused without both classes, or with rows and labels that do not fit', () => {
    const rows = [rowOf(1, 0, 1), rowOf(0, 1, 1)]
    const settings = { penalty: PENALTY }
    for (const labels of [
      [true, true],
      [false, false],
    ])
      expect(() => train(rows, labels, settings)).toThrow('both classes')
    expect(() => train(rows, [true, false, true], settings)).toThrow('as many labels')
    expect(() => train([rows[0] as Row, { ...(rows[1] as Row), width: 4 }], [true, false], settings)).toThrow(
      'rows of one length',
    )
  })
})

/** Scores by the first number of a sentence's vector alone. */
const byFirst = (scale: number, bias = 0): Scorer => {
  const weights = new Float64Array(WIDTH)
  weights[0] = scale
  return { encoder: ENCODER, weights, bias }
}
const heard = (...xs: readonly number[]): EmbeddedMessage => ({
  text: 'some words',
  sentences: xs.map((x) => `sentence ${x}`),
  vectors: xs.map((x) => vector(x, Math.sqrt(1 - x * x))),
})

describe('EXC-DET-1 the restart score of a message', () => {
  it('is that of the sentence that asks most plainly, within ±10 and at four digits', () => {
    expect(scoreMessage(byFirst(1), heard(0, 0.6, -1)).score).toBeCloseTo(0.6, 3)
    expect(scoreMessage(byFirst(1, 0.25), heard(-1)).score).toBe(-0.75)
    expect(scoreMessage(byFirst(500), heard(1)).score).toBe(10)
    expect(scoreMessage(byFirst(500), heard(-1)).score).toBe(-10)
    const { score } = scoreMessage(byFirst(1 / 3), heard(1))
    expect(score).toBe(Math.round(score * 1e4) / 1e4)
  })

  it('counts as a request from zero, or by the tag, for any other text', () => {
    expect(scoreMessage(byFirst(0), heard(1))).toEqual({ score: 0, counts: true })
    expect(scoreMessage(byFirst(0, -1e-4), heard(1))).toEqual({ score: -1e-4, counts: false })
    expect(scoreMessage(byFirst(0, -3), { ...heard(1), text: '[RESTART] now' }).counts).toBe(true)
    const silent = { text: ' … ', sentences: [], vectors: [] }
    expect(scoreMessage(byFirst(1, 5), silent)).toEqual({ score: -10, counts: false })
  })

  it('is refused for vectors of another encoder than it learned from', () => {
    const other = { ...heard(1), vectors: [toVector('fake:other:2', [1, 0])] }
    expect(() => scoreMessage(byFirst(1), other)).toThrow(
      expect.objectContaining({ code: 'ENCODER_MISMATCH' }),
    )
  })
})

/** A lesson whose sentences are heard as these numbers. */
const lesson = (asks: boolean, ...xs: readonly number[]): Lesson => ({ ...heard(...xs), asks })
const LESSONS: readonly Lesson[] = [
  // Only one sentence of these asks; the others are what calm messages consist of.
  ...[0.9, 0.95, 1].map((x) => lesson(true, -0.9, x, -0.8)),
  ...[-0.8, -0.85, -0.9, -0.95].map((x) => lesson(false, x, x)),
]

describe('EXC-DET-1 a scorer that learns', () => {
  it('counts a message with one asking sentence, and no message that only resembles its other sentences', () => {
    const scorer = learn(ENCODER, LESSONS, [heard(-0.9)])
    for (const each of LESSONS) expect(scoreMessage(scorer, each).counts).toBe(each.asks)
    expect(scoreMessage(scorer, heard(-0.9, -0.8)).counts).toBe(false)
    expect(learn(ENCODER, LESSONS, [heard(-0.9)])).toEqual(scorer)
    expect(scorer.encoder).toBe(ENCODER)
  })

  it('sets its zero so that at most one in two hundred calm texts that look like requests counts', () => {
    const asking = [0.97, 0.98, 0.99, 1].map((x) => heard(x))
    const calm = [...asking, ...Array.from({ length: 396 }, (_, i) => heard(-0.5 - i / 1000))]
    const scorer = learn(ENCODER, LESSONS, calm)
    const counted = calm.filter((text) => scoreMessage(scorer, text).counts)
    expect(counted).toHaveLength(2)
    // Calm texts that look calm lower nothing but by the precision of a score.
    const easy = learn(ENCODER, LESSONS, calm.slice(4))
    const hard = learn(ENCODER, LESSONS, [])
    expect(easy.bias).toBe(hard.bias)
    expect(scoreMessage(easy, heard(0.9)).score).toBeGreaterThan(scoreMessage(scorer, heard(0.9)).score)
  })

  it('gives more influence to examples with a higher weight', () => {
    const doubtful = (weight: number) => [
      ...LESSONS,
      { ...lesson(false, 0.9), weight },
      { ...lesson(true, 0.9), weight: 1 },
    ]
    const at = (weight: number) => scoreMessage(learn(ENCODER, doubtful(weight), []), lesson(true, 0.9)).score
    expect(at(8)).toBeLessThan(at(1))
  })
})

describe('a scorer in a file', () => {
  it('comes back with every weight within half a step, and is of one form', () => {
    const value = fc.integer({ min: -40_000, max: 40_000 }).map((thousandths) => thousandths / 1_000)
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 50 }), value, (given, bias) => {
        const scorer: Linear & { encoder: string } = {
          encoder: ENCODER,
          weights: Float64Array.from(given),
          bias,
        }
        const packed = packScorer(scorer)
        const back = unpackScorer(packed)
        expect(back?.encoder).toBe(ENCODER)
        expect(back?.bias).toBeCloseTo(bias, 3)
        for (const [i, weight] of given.entries())
          expect(Math.abs((back?.weights[i] ?? Number.NaN) - weight)).toBeLessThanOrEqual(packed.step * 0.51)
        expect(unpackScorer({ ...packed, form: packed.form + 1 })).toBeNull()
      }),
    )
    expect(unpackScorer({ ...packScorer(byFirst(1)), weights: '?' })).toBeNull()
  })

  it('has steps as fine as two bytes allow', () => {
    const { step } = packScorer({ encoder: ENCODER, weights: Float64Array.of(1, -32.767, 2), bias: 0 })
    expect(step).toBe(0.001)
  })
})
