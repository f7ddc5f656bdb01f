// Projects vectors to two dimensions, so that similar texts are close: principal components first, then UMAP
// over them. Randomness comes from a seed and the result is the same each time; a few vectors are placed by
// their first two components alone. Vectors of several encoders are refused.

import { commonEncoder, type Vector } from '../ledger/vector.ts'

export interface Spot {
  readonly x: number
  readonly y: number
}

const COMPONENTS = 16
const TURNS = 24
/** With fewer than this UMAP has not enough neighbours. */
const FEW = 12

function chances(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

function centred(vectors: readonly Vector[]): Float64Array[] {
  const size = vectors[0]?.values.length ?? 0
  const mean = new Float64Array(size)
  for (const { values } of vectors) for (let i = 0; i < size; i++) mean[i] = (mean[i] ?? 0) + (values[i] ?? 0)
  return vectors.map(({ values }) =>
    Float64Array.from(values, (value, i) => value - (mean[i] ?? 0) / vectors.length),
  )
}

/** The direction of most variance, by power iteration. */
function direction(rows: readonly Float64Array[], next: () => number): Float64Array {
  const size = rows[0]?.length ?? 0
  let axis = Float64Array.from({ length: size }, () => next() - 0.5)
  for (let turn = 0; turn < TURNS; turn++) {
    const turned = new Float64Array(size)
    for (const row of rows) {
      const weight = dot(row, axis)
      for (let i = 0; i < size; i++) turned[i] = (turned[i] ?? 0) + weight * (row[i] ?? 0)
    }
    const length = Math.sqrt(dot(turned, turned))
    if (length < 1e-12) break
    axis = turned.map((value) => value / length)
  }
  return axis
}

/** Each vector by its first `count` principal components. */
export function components(vectors: readonly Vector[], count: number): number[][] {
  commonEncoder(vectors)
  const next = chances(1)
  let rows = centred(vectors)
  const shares: number[][] = vectors.map(() => [])
  for (let c = 0; c < count; c++) {
    const axis = direction(rows, next)
    rows = rows.map((row, n) => {
      const share = dot(row, axis)
      shares[n]?.push(share)
      return row.map((value, i) => value - share * (axis[i] ?? 0))
    })
  }
  return shares
}

/** One spot for each vector, in order. */
export async function project(vectors: readonly Vector[], seed = 0): Promise<Spot[]> {
  const rows = components(vectors, vectors.length < FEW ? 2 : COMPONENTS)
  if (vectors.length < FEW) return rows.map(([x = 0, y = 0]) => ({ x, y }))
  const { UMAP } = await import('umap-js')
  const nNeighbors = Math.min(15, vectors.length - 1)
  const umap = new UMAP({ nComponents: 2, nNeighbors, minDist: 0.25, random: chances(seed) })
  return (await umap.fitAsync(rows)).map(([x = 0, y = 0]) => ({ x, y }))
}

const addTo = (sum: Float64Array, values: ArrayLike<number>): void => {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (values[i] ?? 0)
}

/** The mean vector of each theme with enough members to have one. */
function centres(rows: readonly Float64Array[], themes: readonly (string | null)[]): Float64Array[] {
  const sums = new Map<string, { readonly sum: Float64Array; count: number }>()
  for (const [n, row] of rows.entries()) {
    const theme = themes[n] ?? null
    if (theme === null) continue
    const centre = sums.get(theme) ?? { sum: new Float64Array(row.length), count: 0 }
    sums.set(theme, centre)
    addTo(centre.sum, row)
    centre.count++
  }
  return [...sums.values()].map(({ sum, count }) => sum.map((value) => value / count))
}

/**
 * One point for each vector, along the two directions in which themes differ most: in linear time, for pools that
 * grow while someone watches. Without two themes, along the directions of most variance.
 */
export function projectByThemes(vectors: readonly Vector[], themes: readonly (string | null)[]): Spot[] {
  commonEncoder(vectors)
  const next = chances(1)
  const rows = centred(vectors)
  const themeCentres = centres(rows, themes)
  let guides = themeCentres.length > 2 ? themeCentres : rows
  const axes = [0, 1].map(() => {
    const axis = direction(guides, next)
    guides = guides.map((row) => {
      const share = dot(row, axis)
      return row.map((value, i) => value - share * (axis[i] ?? 0))
    })
    return axis
  })
  return rows.map((row) => ({ x: dot(row, axes[0] ?? []), y: dot(row, axes[1] ?? []) }))
}
