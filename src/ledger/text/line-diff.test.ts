import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'

describe('what changes between two texts', () => {
  it('AGT-X-6 shows lines taken out and put in, with a few around them', () => {
    const before = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n')
    const after = before.replace('line 10\n', 'line ten\nand a half\n')
    expect(lineDiff(before, after)).toEqual([
      '…',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+line ten',
      '+and a half',
      ' line 11',
      ' line 12',
      ' line 13',
      '…',
    ])
  })

  it('AGT-X-6 shows a new file whole, an emptied one, and nothing where nothing changes', () => {
    expect(lineDiff(null, 'a\nb\n')).toEqual(['+a', '+b'])
    expect(lineDiff('a\nb\n', '')).toEqual(['-a', '-b'])
    expect(lineDiff('a\n', 'a\n')).toEqual([])
  })

  it('AGT-X-6 keeps every line of both texts in order, however they differ', () => {
    const before = 'a b c d e f g'.split(' ')
    const after = 'x b d c e y g z'.split(' ')
    const shown = lineDiff(before.join('\n'), after.join('\n'))
    const side = (mark: string) => shown.filter((line) => line[0] !== mark).map((line) => line.slice(1))
    expect([side('+'), side('-')]).toEqual([before, after])
  })

  it('AGT-X-6 removes and adds as few lines as possible, and marks everything that it leaves out', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 7 })
    /** The longest run of lines that both have, by its definition. */
    const common = (a: readonly string[], b: readonly string[]): number => {
      if (a.length === 0 || b.length === 0) return 0
      if (a[0] === b[0]) return 1 + common(a.slice(1), b.slice(1))
      return Math.max(common(a.slice(1), b), common(a, b.slice(1)))
    }
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const shown = lineDiff(before.join('\n'), after.join('\n'))
        const kept = common(before, after)
        const changes = shown.filter((line) => line !== '…' && line[0] !== ' ')
        expect(changes).toHaveLength(before.length + after.length - 2 * kept)
        if (shown.includes('…') || changes.length === 0) return
        const side = (mark: string) => shown.filter((line) => line[0] !== mark).map((line) => line.slice(1))
        expect([side('+'), side('-')]).toEqual([before, after])
      }),
    )
    const many = (word: string) => Array.from({ length: 2_100 }, (_, i) => `${word} ${i}`).join('\n')
    expect(lineDiff(many('a'), many('b'))).toHaveLength(4_200)
  })

  it('AGT-X-6 marks each gap once, at the beginning, between and at the end', () => {
    const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i}`)
    const [before, after] = [numbered(30), numbered(30)]
    after[10] = 'x'
    after[20] = 'y'
    const shown = lineDiff(before.join('\n'), after.join('\n'))
    expect(shown.filter((line) => line === '…')).toHaveLength(3)
    expect(shown.slice(0, 2)).toEqual(['…', ' 7'])
    expect(shown.slice(8, 11)).toEqual([' 13', '…', ' 17'])
  })
})
