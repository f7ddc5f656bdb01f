import { describe, expect, it } from 'vitest'
import { toVector, type Vector } from '../ledger/vector.ts'
import { compareThemes, type Side } from './compare.ts'
import type { ClusterNote } from './events.ts'

const ENCODER = 'fake:plane:2'
/** A direction in the plane: within 49 degrees of each other two centres are one theme, beyond 34 it has moved. */
const at = (degrees: number, encoder = ENCODER): Vector => {
  const turn = (degrees * Math.PI) / 180
  return toVector(encoder, [Math.cos(turn), Math.sin(turn)])
}
const note = (id: string, share = 0.5): ClusterNote => ({ id, label: `theme ${id}`, size: 3, share })
const side = (...themes: readonly (readonly [ClusterNote, ...Vector[]])[]): Side => ({
  themes: themes.map(([theme]) => theme),
  vectors: new Map(themes.map(([{ id }, ...vectors]) => [id, vectors])),
})
const NONE: ReadonlySet<string> = new Set()
const pairs = (a: Side, b: Side, inherited = NONE) => {
  const { shared, lost, gained } = compareThemes(a, b, inherited)
  return {
    shared: shared.map((each) => `${each.a.id}=${each.b.id}${each.moved ? ' moved' : ''}`),
    lost: lost.map(({ id }) => id),
    gained: gained.map(({ id }) => id),
  }
}

describe('EXC-BR-1 the themes of two courses', () => {
  it('are the same if both inherited the id, and lost if one no longer has it', () => {
    const a = side([note('k1'), at(0)], [note('k2'), at(90)])
    const b = side([note('k1'), at(170)], [note('k3'), at(92)])
    expect(pairs(a, b, new Set(['k1', 'k2']))).toEqual({
      shared: ['k1=k1 moved'],
      lost: ['k2'],
      gained: ['k3'],
    })
  })

  it('that arose later are the same if their centres are near, under any names', () => {
    const a = side([note('k1'), at(0)], [note('k2'), at(90)])
    const b = side([note('k1'), at(95)], [note('k2'), at(200)])
    expect(pairs(a, b)).toEqual({ shared: ['k2=k1'], lost: ['k1'], gained: ['k2'] })
    const inherited = side([note('k7'), at(2)])
    expect(pairs(side([note('k1'), at(0)]), inherited, new Set(['k7']))).toEqual({
      shared: [],
      lost: ['k1'],
      gained: ['k7'],
    })
  })

  it('are paired with the nearest, and each only once', () => {
    const a = side([note('a1'), at(0)], [note('a2'), at(10)])
    const b = side([note('b1'), at(30)], [note('b2'), at(5)])
    expect(pairs(a, b).shared).toEqual(['a1=b2', 'a2=b1'])
    expect(pairs(a, side([note('b1'), at(0)]))).toEqual({ shared: ['a1=b1'], lost: ['a2'], gained: [] })
  })

  it('have moved when their centre or their share did so noticeably', () => {
    const from = (share: number, degrees: number) =>
      pairs(side([note('k', 0.5), at(0)]), side([note('k', share), at(degrees)]), new Set(['k'])).shared[0]
    expect(from(0.5, 30)).toBe('k=k')
    expect(from(0.5, 38)).toBe('k=k moved')
    expect(from(0.59, 0)).toBe('k=k')
    expect(from(0.61, 0)).toBe('k=k moved')
    expect(from(0.39, 0)).toBe('k=k moved')
    expect(pairs(side([note('a'), at(0)]), side([note('b'), at(52)])).shared).toEqual([])
  })

  it('have the mean of their messages as centre, and no distance without vectors', () => {
    const spread = side([note('k'), at(-30), at(30), at(-10), at(10)])
    expect(compareThemes(spread, side([note('k'), at(0)]), new Set(['k'])).shared[0]?.distance).toBeCloseTo(
      0,
      4,
    )
    const bare = side([note('k')])
    expect(compareThemes(bare, spread, new Set(['k'])).shared[0]).toMatchObject({
      distance: null,
      moved: false,
    })
    expect(pairs(bare, spread)).toEqual({ shared: [], lost: ['k'], gained: ['k'] })
  })

  it('are refused if their vectors are of different encoders', () => {
    const other = side([note('k'), at(0, 'fake:other:2')])
    expect(() => pairs(side([note('k'), at(0)]), other)).toThrow(
      expect.objectContaining({ code: 'ENCODER_MISMATCH' }),
    )
  })
})
