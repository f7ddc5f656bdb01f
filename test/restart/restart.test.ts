// The scorer on texts that it never learned from, and pools under a judge with known error rates. The floors are
// pinned on a part of the texts; `npm run bench -- restart` measures all of them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { readLessons, scorerFor } from '../../src/app/exchange/scorer.ts'
import { embedSentences, scoreTexts } from '../../src/clerk/performers/exchange/scoring.ts'
import { openBuiltInEmbedder } from '../../src/embeddings/embedded.ts'
import { rounded } from '../../src/exchange/signal/dominance.ts'
import { learn, type Score, scoreMessage } from '../../src/exchange/signal/scorer.ts'
import { FORM, rowsOf } from '../../src/exchange/signal/sentence-features.ts'
import { sentencesOf } from '../../src/exchange/signal/sentences.ts'
import { shippedScorer } from '../../src/exchange/signal/shipped-scorer.ts'
import { LESSONS } from '../../src/exchange/signal/weights.ts'
import { WordCountEmbedder } from '../fakes/embeddings-sense.ts'
import { course, PERFECT, SCRIPTED } from './judging.ts'
import { makePool, makePools, readLabelled } from './pools.ts'

const textsOf = (name: string) => readLabelled(new URL(name, import.meta.url))
const calm = textsOf('calm.jsonl').map((text) => ({ ...text, asks: false }))
const held = {
  voices: textsOf('voices.jsonl'),
  unseen: textsOf('unseen.jsonl'),
  'held-out': textsOf('held-out.jsonl'),
}
const everyNth = <Item>(items: readonly Item[], n: number): Item[] => items.filter((_, i) => i % n === 0)
const embedder = openBuiltInEmbedder()
afterAll(() => embedder.close())
const lessons = await readLessons()

const bare = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

describe('the embedded scorer', () => {
  it('EXC-INT-3 counts at most two in a hundred calm public texts that it never learned from', {
    timeout: 120_000,
  }, async () => {
    const some = everyNth(calm, 8).map(({ text }) => text)
    const scores = await scoreTexts(embedder, await scorerFor(embedder), some)
    const counted = some.filter((_, i) => scores[i]?.counts)
    expect(counted.length / some.length, counted.join('\n')).toBeLessThanOrEqual(0.02)
  })

  it('finds requests in words of writers who had not seen the exemplars, more often than it errs', {
    timeout: 120_000,
  }, async () => {
    const some = everyNth(held.voices, 2)
    const scores = await scoreTexts(
      embedder,
      await scorerFor(embedder),
      some.map(({ text }) => text),
    )
    const part = (asks: boolean) => {
      const own = some.flatMap((one, i) => (one.asks === asks ? [scores[i]?.counts === true] : []))
      return own.filter(Boolean).length / own.length
    }
    expect(part(true)).toBeGreaterThanOrEqual(0.3)
    expect(part(false)).toBeLessThanOrEqual(0.1)
  })

  it('learned from no text that it is measured on', () => {
    const known = new Set([...lessons.exemplars.map(({ text }) => text), ...lessons.apart].map(bare))
    const all = [...Object.values(held).flat(), ...calm]
    expect(all.filter(({ text }) => known.has(bare(text)))).toEqual([])
  })

  it('has weights that were learned from these data in this form', () => {
    const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
    expect(LESSONS, 'the data changed: run scripts/train-signal.js').toBe(digest([FORM, lessons]))
    const rows = held.unseen.map(({ text }) =>
      rowsOf(sentencesOf(text), []).map(({ columns, values }) => [...columns, ...values.map(rounded)]),
    )
    const changed =
      'rows are made otherwise: give FORM another number, run scripts/train-signal.js, pin this again'
    expect([FORM, digest(rows).slice(0, 16)], changed).toEqual([3, '81ed0fbbc9b2bb9f'])
  })

  it('scores alike wherever it scores, and a message without words asks for nothing', async () => {
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

describe('a pool', () => {
  const texts = held['held-out']
  /** A scorer that is right as often as the embedded one is on texts it never met. */
  const scoreOf = (text: string): Score => {
    const asks = texts.some((one) => one.asks && text.endsWith(one.text))
    const dice = createHash('sha256').update(text).digest().readUInt16BE(0) / 2 ** 16
    const counts = asks ? dice < 0.55 : dice < 0.03
    return { score: counts ? 1 : -1, counts }
  }
  const pools = (kind: string, seeds: number) =>
    Array.from({ length: seeds }, (_, seed) => makePool(kind, seed + 1, texts))
  const raisedIn = (kind: string, seeds: number, judge = SCRIPTED as typeof SCRIPTED | null) =>
    pools(kind, seeds).filter((pool) => course(pool, scoreOf, judge).raised !== null).length / seeds

  it('EXC-INT-1 with a judge that errs raises the signal when the pool asks, and hardly ever else', () => {
    expect(raisedIn('requests 60 %', 100)).toBe(1)
    expect(raisedIn('requests 40 %', 100)).toBeGreaterThanOrEqual(0.92)
    expect(raisedIn('requests 10 %', 100)).toBeLessThanOrEqual(0.02)
    expect(raisedIn('requests 0 %', 100)).toBe(0)
  })

  it('EXC-INT-1 raises none for one loud mind, or a flood in one round', () => {
    for (const judge of [PERFECT, SCRIPTED]) {
      expect(raisedIn('one loud mind', 40, judge)).toBe(0)
      expect(raisedIn('flood', 40, judge)).toBe(0)
    }
  })

  it('EXC-INT-1 that tags its requests is heard, with a judge or without', () => {
    for (const judge of [null, SCRIPTED]) expect(raisedIn('tags', 40, judge)).toBe(1)
  })

  it('EXC-INT-3 without a judge is paused by nothing but tags', () => {
    const raised = makePools(texts, 4).filter((pool) => course(pool, scoreOf, null).raised !== null)
    expect(new Set(raised.map(({ kind }) => kind))).toEqual(new Set(['tags']))
  })
})

describe('another encoder', () => {
  it('is refused by a scorer that learned from this one', async () => {
    const scorer = shippedScorer(embedder.encoder)
    if (!scorer)
      throw new Error('the shipped weights are not for the embedded encoder: run scripts/train-signal.js')
    const [heard] = await embedSentences(new WordCountEmbedder(), ['Please restart.'])
    if (!heard) throw new Error('nothing was heard')
    expect(() => scoreMessage(scorer, heard)).toThrow(expect.objectContaining({ code: 'ENCODER_MISMATCH' }))
  })

  it('learns from the same texts, the same each time, and counts few of the calm ones', async () => {
    const other = new WordCountEmbedder()
    const few = everyNth(lessons.exemplars, 30)
    const heard = await embedSentences(
      other,
      few.map(({ text }) => text),
    )
    const taught = heard.map((message, i) => ({ ...message, asks: few[i]?.asks === true }))
    const apart = await embedSentences(other, everyNth(lessons.apart, 2))
    const scorer = learn(other.encoder, taught, apart)
    expect(learn(other.encoder, taught, apart)).toEqual(scorer)
    const counted = apart.filter((message) => scoreMessage(scorer, message).counts)
    expect(counted.length).toBeLessThanOrEqual(apart.length / 200)
  })
})

it('the data say where they come from', () => {
  const about = readFileSync(new URL('../../data/restart/README.md', import.meta.url), 'utf8')
  for (const { kind } of lessons.exemplars.filter(({ kind }) => kind.startsWith('calm ')))
    expect(about).toContain(`\`${kind}\``)
})
