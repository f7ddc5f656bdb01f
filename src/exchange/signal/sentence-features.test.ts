import { describe, expect, it } from 'vitest'
import { toVector } from '../../ledger/vector.ts'
import { type Row, rowsOf } from './sentence-features.ts'

const one = (sentence: string): Row => rowsOf([sentence], [])[0] as Row
const cells = (sentence: string): readonly (readonly [number, number])[] => {
  const { columns, values } = one(sentence)
  return [...columns].map((column, i) => [column, values[i] as number] as const)
}

describe('the row of a sentence', () => {
  it('EXC-DET-1 holds its words and pairs of neighbours once each, and has length one', () => {
    // Three words and two pairs.
    expect(one('begin it anew').columns).toHaveLength(5)
    expect(one('anew anew anew').columns).toHaveLength(2)
    const { values } = one('let us begin it anew, all of us')
    expect(Math.hypot(...values)).toBeCloseTo(1, 12)
    expect(new Set([...values].map(Math.sign))).toEqual(new Set([1, -1]))
    expect(one(' … ').columns).toHaveLength(0)
  })

  it('EXC-DET-1 is the same for other capitals, marks and apostrophes, and differs for another order', () => {
    expect(cells('Don’t BEGIN, it!')).toEqual(cells("don't begin it"))
    expect(cells('Cafe\u0301')).toEqual(cells('caf\u00e9'))
    expect(cells('begin it anew')).not.toEqual(cells('anew it begin'))
    expect(cells("don't")).not.toEqual(cells('don t'))
  })

  it('EXC-DET-1 has the numbers of the encoder first, and words behind them', () => {
    const vector = toVector('fake:three:3', [1, 2, 2])
    const [first, second] = rowsOf(['begin anew', 'begin anew'], [vector]) as [Row, Row]
    expect([first.heard, first.width]).toEqual([vector.values, 3 + 2048])
    expect([second.heard.length, second.width]).toEqual([0, 2048])
    expect([...first.columns]).toEqual([...second.columns].map((column) => column + 3))
    expect(Math.max(...second.columns)).toBeLessThan(2048)
  })

  it('EXC-DET-1 does not change while its form has this number, because weights were trained on it', () => {
    expect(cells("let's begin anew").map(([column, value]) => [column, Math.round(value * 1e4)])).toEqual([
      [22, 4472],
      [535, 4472],
      [330, -4472],
      [363, 4472],
      [1420, 4472],
    ])
  })
})
