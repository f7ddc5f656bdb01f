import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutIntoChunks } from './chunks.ts'

const each = () => 1
const parts = (text: string, limit: number, weigh: (word: string) => number = each) =>
  cutIntoChunks(text, limit, weigh).map((chunk) => chunk.text)

describe('cutting a text', () => {
  it('leaves whole what fits, gaps and all', () => {
    expect(cutIntoChunks('  one  two\nthree ', 3, each)).toEqual([{ text: 'one  two\nthree', weight: 3 }])
    expect(parts('', 3)).toEqual([])
    expect(parts(' \n\u0000\u200b', 3)).toEqual([])
  })

  it('cuts at the end of a sentence if that leaves a part half full', () => {
    expect(parts('a b c. d e f', 4)).toEqual(['a b c.', 'd e f'])
    expect(parts('a b c d. e f', 4)).toEqual(['a b c d.', 'e f'])
    expect(parts('a b ("c!") d e f', 4)).toEqual(['a b ("c!")', 'd e f'])
    expect(parts('a b\nc d e f', 4)).toEqual(['a b', 'c d e f'])
    expect(parts('a. b c d e f', 4)).toEqual(['a. b c d', 'e f'])
  })

  it('cuts runs without gaps inside, and between whole characters', () => {
    const weigh = (word: string) => [...word].length
    expect(parts('x'.repeat(150), 64, weigh).map((part) => part.length)).toEqual([64, 64, 22])
    expect(parts('👍'.repeat(100), 70, weigh)).toEqual(['👍'.repeat(64), '👍'.repeat(36)])
  })

  it('loses nothing but gaps, keeps order, and no part is over the limit', () => {
    const text = fc.array(fc.constantFrom('word', 'end.', 'x'.repeat(130), '日本。', ' ', '\n', '\t', '👍'))
    fc.assert(
      fc.property(text, fc.integer({ min: 70, max: 200 }), (pieces, limit) => {
        const whole = pieces.join(' ')
        const chunks = cutIntoChunks(whole, limit, (word) => [...word].length)
        const bare = (from: string) => from.replace(/\s/g, '')
        expect(bare(chunks.map((chunk) => chunk.text).join(''))).toBe(bare(whole))
        for (const { text: part, weight } of chunks) {
          expect(weight).toBe([...bare(part)].length)
          expect(weight).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })

  it('takes a megabyte', () => {
    expect(cutIntoChunks('word and '.repeat(110_000), 100, each)).toHaveLength(2_200)
  })
})
