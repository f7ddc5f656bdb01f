import { describe, expect, it } from 'vitest'
import { type MapSource, mapData, type Spot } from './map.ts'

const REST = { title: 'A pool', demo: false, encoder: 'fake:x:3', series: [], raise: 0.3, clear: 0.15 }
const source = (spots: readonly Spot[], more: Partial<MapSource> = {}): MapSource => ({
  ...REST,
  messages: spots.map((_, i) => ({
    id: `m${i}`,
    round: i,
    author: 'ash',
    text: `message ${i}`,
    asks: i === 0,
    sampled: [],
  })),
  spots,
  themes: [],
  ...more,
})
const places = (...spots: readonly (readonly [number, number])[]) =>
  mapData(source(spots.map(([x, y]) => ({ x, y })))).points.map(({ x, y }) => [x, y])

describe('the data of a map', () => {
  it('lie on the unit square, each direction by itself, at four digits', () => {
    expect(places([-10, 5], [10, 6], [0, 5.25])).toEqual([
      [0, 0],
      [1, 1],
      [0.5, 0.25],
    ])
    expect(places([0, 0], [3, 3], [1, 2])[2]).toEqual([0.3333, 0.6667])
  })

  it('lie in the middle where nothing is apart, and at zero where a place is no number', () => {
    expect(places([7, 7], [7, 7])).toEqual([
      [0.5, 0.5],
      [0.5, 0.5],
    ])
    expect(places([Number.NaN, 1], [4, Number.POSITIVE_INFINITY], [-4, -1])).toEqual([
      [0.5, 1],
      [1, 0.5],
      [0, 0],
    ])
    const unplaced = mapData({ ...source([{ x: 1, y: 1 }]), spots: [] })
    expect(unplaced.points[0]).toMatchObject({ x: 0.5, y: 0.5 })
  })

  it('tell of each message its theme and what it was shown of those that are here', () => {
    const spots = [0, 1, 2].map((x) => ({ x, y: x }))
    const messages = source(spots).messages.map((message) => ({ ...message, sampled: ['m0', 'gone'] }))
    const themes = [
      { id: 'k1', label: 'one', excerpt: 'a', members: ['m0', 'gone', 'gone too'] },
      { id: 'k2', label: 'two', excerpt: 'b', members: ['m1', 'm2'] },
      { id: 'k3', label: 'three', excerpt: 'c', members: ['gone'] },
    ]
    const data = mapData(source(spots, { messages, themes }))
    expect(data.points.map(({ id, theme, from }) => [id, theme, from])).toEqual([
      ['m0', 'k1', ['m0']],
      ['m1', 'k2', ['m0']],
      ['m2', 'k2', ['m0']],
    ])
    expect(data.points[0]).not.toHaveProperty('sampled')
    expect(data.themes).toEqual([
      { id: 'k2', label: 'two', excerpt: 'b', size: 2 },
      { id: 'k1', label: 'one', excerpt: 'a', size: 1 },
    ])
    expect(data).toMatchObject(REST)
    expect(mapData(source(spots)).points[0]?.theme).toBeNull()
  })
})
