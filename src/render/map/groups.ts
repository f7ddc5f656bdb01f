// How the messages of a map are grouped: by theme or by author. As many groups as there are colours have one,
// the largest first; the rest are grey.

import type { MapData, MapPoint } from '../../exchange/map/map.ts'
import { COLOURS } from './colours.ts'

export type Grouping = 'theme' | 'author'

export interface Group {
  readonly id: string
  readonly label: string
  readonly size: number
  /** Null: grey. */
  readonly colour: number | null
}

const NO_THEME = 'of no theme'

export const groupOf = (point: MapPoint, by: Grouping): string =>
  by === 'author' ? point.author : (point.theme ?? NO_THEME)

export function groupsOf({ points, themes }: MapData, by: Grouping): readonly Group[] {
  const sizes = new Map<string, number>()
  for (const point of points) {
    const id = groupOf(point, by)
    sizes.set(id, (sizes.get(id) ?? 0) + 1)
  }
  const labels = new Map(themes.map(({ id, label }) => [id, label]))
  const isNone = (id: string): boolean => by === 'theme' && id === NO_THEME
  return [...sizes]
    .sort(
      ([a, most], [b, other]) => Number(isNone(a)) - Number(isNone(b)) || other - most || (a < b ? -1 : 1),
    )
    .map(([id, size], i) => ({
      id,
      label: (by === 'theme' ? labels.get(id) : undefined) ?? id,
      size,
      colour: i < COLOURS && !isNone(id) ? i : null,
    }))
}

/** A group is divided into this many columns and rows. */
const CELLS = 6

/** Those in the densest part of the group: a theme may be in several places, and its centre be empty. */
function densest(points: readonly MapPoint[]): readonly MapPoint[] {
  const cellsBy = (pick: 'x' | 'y'): ((point: MapPoint) => number) => {
    const values = points.map((point) => point[pick])
    const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
    const most = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
    return (point) => Math.min(CELLS - 1, Math.floor(((point[pick] - least) / (most - least || 1)) * CELLS))
  }
  const [column, row] = [cellsBy('x'), cellsBy('y')]
  const placed = points.map((point) => ({ point, x: column(point), y: row(point) }))
  let best: typeof placed = []
  for (let x = 0; x < CELLS; x++) {
    for (let y = 0; y < CELLS; y++) {
      const near = placed.filter((one) => Math.abs(one.x - x) <= 1 && Math.abs(one.y - y) <= 1)
      if (near.length > best.length) best = near
    }
  }
  return best.map(({ point }) => point)
}

/** The point of a group that is most central in its densest part, so that a label there is among its own messages. */
export function middleOf(all: readonly MapPoint[]): MapPoint | null {
  const points = densest(all)
  const sorted = (pick: 'x' | 'y'): number =>
    points.map((one) => one[pick]).sort((a, b) => a - b)[points.length >> 1] ?? 0
  const [x, y] = [sorted('x'), sorted('y')]
  let best: MapPoint | null = null
  let least = Number.POSITIVE_INFINITY
  for (const point of points) {
    const distance = (point.x - x) ** 2 + (point.y - y) ** 2
    if (distance >= least) continue
    least = distance
    best = point
  }
  return best
}
