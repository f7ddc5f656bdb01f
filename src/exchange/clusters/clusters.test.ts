import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toVector } from '../../ledger/vector.ts'
import { alarmsOf } from './alarms.ts'
import { labelThemes, NO_THEMES, type Placed, placesOf, regroup, type Themes } from './clusters.ts'
import { hdbscan } from './hdbscan.ts'

const SIZE = 16
const ENCODER = `fake:blobs:${SIZE}`
const DENSITY = { minSize: 3, minSamples: 3 }

function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

/** A point near axis `blob`, or near none. */
function point(blob: number, next: () => number, spread = 0.1): number[] {
  return Array.from({ length: SIZE }, (_, i) => (i === blob ? 1 : 0) + (next() - 0.5) * 2 * spread)
}

let made = 0
const message = (blob: number, round: number, next: () => number, spread?: number): Placed => ({
  id: `m${String(++made).padStart(5, '0')}`,
  round,
  mind: `mind${round % 3}`,
  text: `word${blob} said about topic${blob} in round`,
  vector: toVector(ENCODER, point(blob, next, spread)),
})

/** Adjusted Rand index: 1 for the same partition, about 0 for chance. */
function agreement(a: readonly number[], b: readonly number[]): number {
  const pairs = (n: number) => (n * (n - 1)) / 2
  const count = (keys: readonly string[]) => {
    const counts = new Map<string, number>()
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    return [...counts.values()].reduce((sum, n) => sum + pairs(n), 0)
  }
  const both = count(a.map((x, i) => `${x}/${b[i]}`))
  const [left, right, all] = [count(a.map(String)), count(b.map(String)), pairs(a.length)]
  const expected = (left * right) / all
  return (both - expected) / ((left + right) / 2 - expected)
}

describe('exact density clustering', () => {
  it('finds blobs in noise', () => {
    const next = chances(5)
    const truth = Array.from({ length: 240 }, (_, i) => i % 6)
    const points = truth.map((blob) => point(blob, next, 0.15))
    const distance = (a: number, b: number) =>
      Math.hypot(...(points[a] ?? []).map((value, i) => value - (points[b]?.[i] ?? 0)))
    expect(agreement(hdbscan(points.length, distance, DENSITY), truth)).toBeGreaterThan(0.95)
  })

  it('gives the result of the definition, as computed by hand', () => {
    // Two triples; a point that leaves the first early belongs to it all the same, one that leaves the whole does not.
    const places = [0, 0.1, 0.25, 10, 10.1, 10.3, 5, 40]
    const distance = (a: number, b: number) => Math.abs((places[a] ?? 0) - (places[b] ?? 0))
    expect(hdbscan(places.length, distance, DENSITY)).toEqual([0, 0, 0, 1, 1, 1, 0, -1])
    expect(hdbscan(2, distance, DENSITY)).toEqual([-1, -1])
    expect(hdbscan(0, distance, DENSITY)).toEqual([])
  })

  it('gives the same for any order of points, and every cluster has the minimum size', () => {
    const seeds = fc.integer({ min: 1, max: 1e6 })
    fc.assert(
      fc.property(seeds, fc.integer({ min: 3, max: 40 }), (seed, n) => {
        const next = chances(seed)
        const places = Array.from({ length: n }, () => next() * 100)
        const run = (order: readonly number[]) =>
          hdbscan(n, (a, b) => Math.abs((places[order[a] ?? 0] ?? 0) - (places[order[b] ?? 0] ?? 0)), DENSITY)
        const plain = run(places.map((_, i) => i))
        const turned = run(places.map((_, i) => n - 1 - i)).reverse()
        for (const label of new Set(plain)) {
          if (label !== -1) expect(plain.filter((other) => other === label).length).toBeGreaterThanOrEqual(3)
        }
        const same = (labels: readonly number[]) =>
          labels.map((label, i) => labels.map((other, j) => label !== -1 && label === other && i !== j))
        expect(same(turned)).toEqual(same(plain))
      }),
      { numRuns: 60 },
    )
  })
})

/** Rounds in which blobs are drawn as told; the window is the last 50. */
function run(rounds: readonly (readonly number[])[], seed = 3) {
  const next = chances(seed)
  let [themes, window]: [Themes, Placed[]] = [NO_THEMES, []]
  const steps = rounds.map((blobs, i) => {
    window = [...window, ...blobs.map((blob) => message(blob, i + 1, next))].slice(-50)
    themes = regroup(themes, window)
    return { themes, window }
  })
  return { steps, themes, window }
}

describe('themes over time', () => {
  it('keep their ids while others come and go, and are recognised when they return', () => {
    const first = Array.from({ length: 12 }, () => [0, 1])
    const second = Array.from({ length: 30 }, () => [2, 3])
    const { steps, themes, window } = run([...first, ...second, ...Array.from({ length: 10 }, () => [0, 0])])
    const names = (at: number, blob: number) => {
      const step = steps[at]
      const places = step ? placesOf(step.themes) : new Map()
      return new Set(
        step?.window.filter(({ text }) => text.includes(`word${blob} `)).map(({ id }) => places.get(id)),
      )
    }
    const [old] = names(11, 0)
    expect(names(11, 0).size).toBe(1)
    expect(names(51, 0)).toEqual(new Set([old]))
    expect(themes.named).toBe(4)
    for (const { id, members } of themes.themes)
      for (const member of members) expect(placesOf(themes).get(member)).toBe(id)
    expect(placesOf(themes).size).toBe(window.length)
  })

  it('leave out a message that resembles no other, and include it when similar ones arrive', () => {
    const { steps } = run([[0], [0], [0], [7], [0], [0], [7], [7]])
    const lonely = steps[4]
    const placed = placesOf(lonely?.themes ?? NO_THEMES)
    expect(lonely?.window.filter(({ id }) => !placed.has(id)).map(({ text }) => text.slice(0, 5))).toEqual([
      'word7',
    ])
    expect(placesOf(steps[7]?.themes ?? NO_THEMES).size).toBe(8)
  })

  it('are the same whenever the same messages come in the same order', () => {
    const rounds = Array.from({ length: 20 }, (_, i) => [i % 5, (i * 3) % 7])
    made = 0
    const one = run(rounds)
    made = 0
    expect(run(rounds).themes).toEqual(one.themes)
  })

  it('are refused for vectors of several encoders, and begin again for another encoder', () => {
    const { themes, window } = run(Array.from({ length: 6 }, () => [0, 1]))
    const other = { ...(window[0] as Placed), vector: toVector(`fake:other:${SIZE}`, point(0, chances(1))) }
    expect(() => regroup(themes, [...window, other])).toThrow(
      expect.objectContaining({ code: 'ENCODER_MISMATCH' }),
    )
    expect(regroup(themes, [other]).themes).toEqual([])
  })

  it('are named by their distinctive words, with the message nearest to the centre', () => {
    const { themes, window } = run(Array.from({ length: 6 }, () => [0, 1]))
    const labels = labelThemes(themes, window)
    expect(labels.map(({ label }) => label.split(' · ').slice(0, 2)).sort()).toEqual([
      ['topic0', 'word0'],
      ['topic1', 'word1'],
    ])
    expect(labels.map(({ excerpt }) => excerpt).sort()[0]).toBe('word0 said about topic0 in round')
  })
})

describe('alarms', () => {
  it('are raised if most of the window is one theme, and not before', () => {
    const mixed = run(Array.from({ length: 10 }, (_, i) => [0, (i % 4) + 1]))
    expect(alarmsOf(mixed.themes, mixed.window).filter(({ kind }) => kind === 'convergence')).toEqual([])
    const one = run(Array.from({ length: 12 }, (_, i) => [0, 0, i % 3 === 0 ? 4 : 0]))
    expect(alarmsOf(one.themes, one.window)).toContainEqual(
      expect.objectContaining({ kind: 'convergence', theme: 'k1' }),
    )
  })

  it('are raised if a model repeats its messages, and if the pool does', () => {
    const next = chances(9)
    const fresh = Array.from({ length: 12 }, (_, i) => message(i, i + 1, next, 0.4))
    const stuck = fresh.map((own, i) =>
      own.mind === 'mind1' ? { ...own, vector: (fresh[0] as Placed).vector } : { ...own, round: i + 1 },
    )
    const longer = [...stuck, ...stuck.map((own) => ({ ...own, id: `${own.id}b`, round: own.round + 12 }))]
    expect(alarmsOf(NO_THEMES, fresh)).toEqual([])
    expect(
      alarmsOf(NO_THEMES, longer.slice(0, 24)).map((alarm) => alarm.kind === 'loop' && alarm.mind),
    ).toContain('mind1')
    const echo = Array.from({ length: 24 }, (_, i) => ({
      ...(fresh[i % 4] as Placed),
      id: `e${i}`,
      round: i + 1,
    }))
    expect(alarmsOf(NO_THEMES, echo).map((alarm) => alarm.kind === 'loop' && alarm.mind)).toContain(null)
  })
})
