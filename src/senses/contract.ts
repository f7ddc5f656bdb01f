// What every sense promises, as one suite: a new adapter passes it or is none. It asks nothing about how good the
// encoder is beyond what a count of shared words would give.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  dimensionOf,
  isSilent,
  packVector,
  type Sense,
  SenseError,
  similarity,
  type Vector,
} from './sense.ts'

export interface OpenedSense {
  readonly sense: Sense
  dispose(): Promise<void>
}

const TEXTS = [
  'We should start this conversation over.',
  'Let us start the whole conversation over again.',
  'The database index is slow on large tables.',
]
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `message number ${i}`)
const packed = (vectors: readonly Vector[]) => vectors.map(packVector)

export function describeSenseContract(name: string, open: () => Promise<OpenedSense>): void {
  describe(`the sense contract: ${name}`, () => {
    let opened: OpenedSense
    let sense: Sense

    // One sense for all: loading an encoder is most of the work. The last test closes it.
    beforeAll(async () => {
      opened = await open()
      sense = opened.sense
    })
    afterAll(() => opened.dispose())

    const one = async (text: string): Promise<Vector> => {
      const [vector] = await sense.embed([text])
      if (!vector) throw new Error('no vector')
      return vector
    }

    it('puts its name on every vector, and the dimension into the name', async () => {
      expect(sense.encoder).toMatch(/^[^\s:]+:[^\s]+:[1-9][0-9]*$/)
      expect(dimensionOf(sense.encoder)).toBe(sense.dimension)
      for (const { encoder, values } of await sense.embed([...TEXTS, '', 'é'])) {
        expect([encoder, values.length]).toEqual([sense.encoder, sense.dimension])
      }
    })

    it('gives the same vector for the same text, whatever stands beside it', async () => {
      const together = packed(await sense.embed(TEXTS))
      expect(packed(await sense.embed(TEXTS))).toEqual(together)
      const alone = []
      for (const text of TEXTS) alone.push(await one(text))
      expect(packed(alone)).toEqual(together)
    })

    it('makes vectors of length one', async () => {
      for (const { values } of await sense.embed(TEXTS)) expect(Math.hypot(...values)).toBeCloseTo(1, 3)
    })

    it('finds like texts closer than unlike ones', async () => {
      const [a, b, other] = await sense.embed(TEXTS)
      if (!a || !b || !other) throw new Error('no vectors')
      expect(similarity(a, b)).toBeGreaterThan(similarity(a, other) + 0.1)
      expect(similarity(a, a)).toBeCloseTo(1, 6)
    })

    it('hears nothing in a text without words', async () => {
      const [some, ...none] = await sense.embed(['word', '', ' ', '\n\t\r\n', '\u00a0\u2003\u200b', '\u0000'])
      expect(some && isSilent(some)).toBe(false)
      expect(none.map(isSilent)).toEqual(none.map(() => true))
      expect(await sense.embed([])).toEqual([])
      expect((await sense.embed([''])).map(isSilent)).toEqual([true])
    })

    it('keeps the order of many texts', async () => {
      const texts = numbered(150)
      const vectors = packed(await sense.embed(texts))
      expect(vectors).toHaveLength(150)
      const shuffled = [...texts.keys()].sort((a, b) => ((a * 7919) % 150) - ((b * 7919) % 150))
      const again = packed(await sense.embed(shuffled.map((i) => texts[i] ?? '')))
      expect(again).toEqual(shuffled.map((i) => vectors[i]))
      expect(new Set(vectors.map(({ values }) => values)).size).toBe(150)
    })

    it('hears the end of a long text, and takes runs without gaps', async () => {
      const start = 'the quick brown fox jumps over the lazy dog. '.repeat(60)
      const [long, other] = await sense.embed([`${start}${TEXTS[0]}`, `${start}${TEXTS[2]}`])
      if (!long || !other) throw new Error('no vectors')
      expect(packVector(long)).not.toEqual(packVector(other))
      expect(isSilent(await one('abcdefghij'.repeat(200)))).toBe(false)
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
      const vectors = await sense.embed(texts)
      expect(vectors.map(({ values }) => values.every(Number.isFinite))).toEqual(texts.map(() => true))
    })

    it('stops when told to, says why, and goes on afterwards', async () => {
      const why = new Error('enough')
      await expect(sense.embed(TEXTS, AbortSignal.abort(why))).rejects.toBe(why)
      const stop = new AbortController()
      const work = sense.embed(numbered(400), stop.signal)
      setTimeout(() => stop.abort(why), 20)
      await expect(work).rejects.toBe(why)
      expect(await sense.embed(TEXTS)).toHaveLength(3)
    })

    it('answers several callers at once', async () => {
      const answers = await Promise.all(TEXTS.map((text) => sense.embed([text])))
      expect(packed(answers.flat())).toEqual(packed(await sense.embed(TEXTS)))
    })

    it('fails what is under way and whatever comes later once closed', async () => {
      const work = expect(sense.embed(numbered(400))).rejects.toBeInstanceOf(SenseError)
      await sense.close()
      await work
      await expect(sense.embed(TEXTS)).rejects.toMatchObject({ code: 'SENSE_FAILED', fault: 'closed' })
      await sense.close()
    })
  })
}
