// What every sense promises, as one suite: a new adapter passes it or is none. It asks nothing about how good the
// encoder is beyond what a count of shared words would give.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  dimensionOf,
  type Embedder,
  EmbeddingError,
  isZeroVector,
  packVector,
  similarity,
  type Vector,
} from '../../src/embeddings/embedder.ts'

export interface OpenedEmbedder {
  readonly embedder: Embedder
  dispose(): Promise<void>
}

const TEXTS = [
  'We should start this conversation over.',
  'Let us start the whole conversation over again.',
  'The database index is slow on large tables.',
]
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `message number ${i}`)
const packed = (vectors: readonly Vector[]) => vectors.map(packVector)

export function describeEmbedderContract(name: string, open: () => Promise<OpenedEmbedder>): void {
  describe(`the sense contract: ${name}`, () => {
    let opened: OpenedEmbedder
    let embedder: Embedder

    // One sense for all: loading an encoder is most of the work. The last test closes it.
    beforeAll(async () => {
      opened = await open()
      embedder = opened.embedder
    })
    afterAll(() => opened.dispose())

    const one = async (text: string): Promise<Vector> => {
      const [vector] = await embedder.embed([text])
      if (!vector) throw new Error('no vector')
      return vector
    }

    it('puts its name on every vector, and the dimension into the name', async () => {
      expect(embedder.encoder).toMatch(/^[^\s:]+:[^\s]+:[1-9][0-9]*$/)
      expect(dimensionOf(embedder.encoder)).toBe(embedder.dimension)
      for (const { encoder, values } of await embedder.embed([...TEXTS, '', 'é'])) {
        expect([encoder, values.length]).toEqual([embedder.encoder, embedder.dimension])
      }
    })

    it('gives the same vector for the same text, no matter what stands beside it', async () => {
      const together = packed(await embedder.embed(TEXTS))
      expect(packed(await embedder.embed(TEXTS))).toEqual(together)
      const alone = []
      for (const text of TEXTS) alone.push(await one(text))
      expect(packed(alone)).toEqual(together)
    })

    it('makes vectors of length one', async () => {
      for (const { values } of await embedder.embed(TEXTS)) expect(Math.hypot(...values)).toBeCloseTo(1, 3)
    })

    it('finds like texts closer than unlike ones', async () => {
      const [a, b, other] = await embedder.embed(TEXTS)
      if (!a || !b || !other) throw new Error('no vectors')
      expect(similarity(a, b)).toBeGreaterThan(similarity(a, other) + 0.1)
      expect(similarity(a, a)).toBeCloseTo(1, 6)
    })

    it('hears nothing in a text without words', async () => {
      const [some, ...none] = await embedder.embed([
        'word',
        '',
        ' ',
        '\n\t\r\n',
        '\u00a0\u2003\u200b',
        '\u0000',
      ])
      expect(some && isZeroVector(some)).toBe(false)
      expect(none.map(isZeroVector)).toEqual(none.map(() => true))
      expect(await embedder.embed([])).toEqual([])
      expect((await embedder.embed([''])).map(isZeroVector)).toEqual([true])
    })

    it('keeps the order of many texts', async () => {
      const texts = numbered(150)
      const vectors = packed(await embedder.embed(texts))
      expect(vectors).toHaveLength(150)
      const shuffled = [...texts.keys()].sort((a, b) => ((a * 7919) % 150) - ((b * 7919) % 150))
      const again = packed(await embedder.embed(shuffled.map((i) => texts[i] ?? '')))
      expect(again).toEqual(shuffled.map((i) => vectors[i]))
      expect(new Set(vectors.map(({ values }) => values)).size).toBe(150)
    })

    it('hears the end of a long text, and takes runs without gaps', async () => {
      const start = 'the quick brown fox jumps over the lazy dog. '.repeat(60)
      const [long, other] = await embedder.embed([`${start}${TEXTS[0]}`, `${start}${TEXTS[2]}`])
      if (!long || !other) throw new Error('no vectors')
      expect(packVector(long)).not.toEqual(packVector(other))
      expect(isZeroVector(await one('abcdefghij'.repeat(200)))).toBe(false)
    })

    it('takes any Unicode, also what is none', async () => {
      const texts = [
        'naïve café',
        '👍🏽 yes',
        'e\u0301',
        '\ud800 half',
        'مرحبا',
        '会話を最初から',
        '\ufffd x',
      ]
      const vectors = await embedder.embed(texts)
      expect(vectors.map(({ values }) => values.every(Number.isFinite))).toEqual(texts.map(() => true))
    })

    it('stops when told to, says why, and goes on afterwards', async () => {
      const why = new Error('enough')
      await expect(embedder.embed(TEXTS, AbortSignal.abort(why))).rejects.toBe(why)
      const stop = new AbortController()
      const work = embedder.embed(numbered(400), stop.signal)
      setTimeout(() => stop.abort(why), 20)
      await expect(work).rejects.toBe(why)
      expect(await embedder.embed(TEXTS)).toHaveLength(3)
    })

    it('answers several callers at once', async () => {
      const answers = await Promise.all(TEXTS.map((text) => embedder.embed([text])))
      expect(packed(answers.flat())).toEqual(packed(await embedder.embed(TEXTS)))
    })

    it('fails what is under way and all that comes later once closed', async () => {
      const work = expect(embedder.embed(numbered(400))).rejects.toBeInstanceOf(EmbeddingError)
      await embedder.close()
      await work
      await expect(embedder.embed(TEXTS)).rejects.toMatchObject({ code: 'SENSE_FAILED', fault: 'closed' })
      await embedder.close()
    })
  })
}
