// The detector on texts and pools that it never learned from. The floors are pinned; the figures are `bench restart`.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hear, scorerFor, scoreTexts } from '../../src/clerk/performers/exchange/scoring.ts'
import { openBuiltInEmbedder } from '../../src/embeddings/embedded.ts'
import { rounded } from '../../src/exchange/signal/dominance.ts'
import { EXEMPLARS } from '../../src/exchange/signal/exemplars/index.ts'
import { FORM, rowsOf } from '../../src/exchange/signal/rows.ts'
import { learn, type Score, scoreMessage } from '../../src/exchange/signal/scorer.ts'
import { sentencesOf } from '../../src/exchange/signal/sentences.ts'
import { shippedScorer } from '../../src/exchange/signal/shipped.ts'
import { LESSONS } from '../../src/exchange/signal/weights.ts'
import { WordCountEmbedder } from '../fakes/embeddings-sense.ts'
import { signalOver, tally } from './judging.ts'
import { makePools, POOL_KINDS, readLabelled } from './pools.ts'

const heldOut = readLabelled(new URL('held-out.jsonl', import.meta.url))
const unseen = readLabelled(new URL('unseen.jsonl', import.meta.url))
const every = [...heldOut, ...unseen]
const embedder = openBuiltInEmbedder()
const scores = new Map<string, Score>()
const scoreOf = (text: string): Score => {
  const plain = text.replace('[RESTART] ', '')
  const score = scores.get(plain) ?? { score: -10, counts: false }
  return plain === text ? score : { ...score, counts: true }
}

beforeAll(async () => {
  const scorer = await scorerFor(embedder)
  const all = await scoreTexts(
    embedder,
    scorer,
    every.map(({ text }) => text),
  )
  for (const [i, { text }] of every.entries()) scores.set(text, all[i] ?? { score: -10, counts: false })
})
afterAll(() => embedder.close())

describe('messages that nobody trained on', () => {
  it('EXC-INT-1 are told apart from near misses', () => {
    for (const [texts, floor] of [
      [heldOut, { precision: 0.88, recall: 0.88 }],
      [unseen, { precision: 0.88, recall: 0.83 }],
    ] as const) {
      const judged = texts.map(({ text, asks }) => ({ name: text, asks, found: scoreOf(text).counts }))
      const { precision, recall, falseAlarms, missed } = tally(judged)
      expect(precision, falseAlarms.join('\n')).toBeGreaterThanOrEqual(floor.precision)
      expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(floor.recall)
    }
  })

  it('are in no list of exemplars', () => {
    const bare = (text: string) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()
    const known = new Set(EXEMPLARS.map(({ text }) => bare(text)))
    expect(every.filter(({ text }) => known.has(bare(text)))).toEqual([])
  })

  it('are judged by weights that were learned from these exemplars in this form', () => {
    const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
    const again = 'the exemplars changed: run scripts/train-signal.js'
    expect(LESSONS, again).toBe(digest([FORM, EXEMPLARS]))
    const rows = every.map(({ text }) => {
      const sentences = sentencesOf(text)
      return rowsOf(sentences, []).map(({ columns, values }) => [...columns, ...values.map(rounded)])
    })
    const changed =
      'rows are made otherwise: give FORM another number, run scripts/train-signal.js, pin this again'
    expect([FORM, digest(rows).slice(0, 16)], changed).toEqual([2, 'bf4c8ebb4e0d848a'])
  })

  it('score alike wherever they are scored, and a message without words asks for nothing', async () => {
    const scorer = await scorerFor(embedder)
    const [again, empty, tag] = await scoreTexts(embedder, scorer, [
      'Please restart this pool.',
      ' … ',
      '[RESTART]',
    ])
    expect(await scoreTexts(embedder, scorer, ['Please restart this pool.'])).toEqual([again])
    expect(again?.counts).toBe(true)
    expect(empty).toEqual({ score: -10, counts: false })
    expect(tag?.counts).toBe(true)
  })
})

describe('pools that nobody trained on', () => {
  const pools = makePools(heldOut)

  it('EXC-INT-1 raise the signal when they ask for a restart, and only then', () => {
    const judged = pools.map((pool) => ({
      name: `${pool.kind}/${pool.seed}`,
      asks: pool.asks,
      found: signalOver(pool, scoreOf).raised,
    }))
    expect(POOL_KINDS.length).toBeGreaterThanOrEqual(10)
    const { precision, recall, falseAlarms, missed } = tally(judged)
    expect(precision, falseAlarms.join(' ')).toBeGreaterThanOrEqual(0.95)
    expect(recall, missed.join(' ')).toBeGreaterThanOrEqual(0.9)
    expect(falseAlarms.filter((name) => name.startsWith('flood'))).toEqual([])
  })

  it('EXC-INT-1 are calm again after the demand has passed', () => {
    const calmed = pools.filter(({ kind }) => kind === 'demand then calmed')
    const standing = calmed.filter((pool) => signalOver(pool, scoreOf).standing)
    expect(standing.length).toBeLessThanOrEqual(calmed.length / 10)
  })
})

describe('another encoder', () => {
  it('is refused by a scorer that learned from this one', async () => {
    const scorer = shippedScorer(embedder.encoder)
    if (!scorer)
      throw new Error('the shipped weights are not for the embedded encoder: run scripts/train-signal.js')
    const [heard] = await hear(new WordCountEmbedder(), ['Please restart.'])
    if (!heard) throw new Error('nothing was heard')
    expect(() => scoreMessage(scorer, heard)).toThrow(expect.objectContaining({ code: 'ENCODER_MISMATCH' }))
  })

  it('learns from the same exemplars, the same each time', async () => {
    const other = new WordCountEmbedder()
    const few = EXEMPLARS.filter((_, i) => i % 30 === 0)
    const lessons = (
      await hear(
        other,
        few.map(({ text }) => text),
      )
    ).map((heard, i) => ({
      ...heard,
      asks: few[i]?.asks === true,
    }))
    const scorer = learn(other.encoder, lessons)
    expect(learn(other.encoder, lessons)).toEqual(scorer)
    const right = lessons.filter((lesson) => scoreMessage(scorer, lesson).counts === lesson.asks)
    expect(right.length / lessons.length).toBeGreaterThan(0.9)
  })
})
