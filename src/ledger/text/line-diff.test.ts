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
})
