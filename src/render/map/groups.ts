// By what the messages of a map are told apart: their theme or their author. As many groups as there are colours have one,
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

/** The point of a group that lies most in its middle, so that a label there is among its own. */
export function middleOf(points: readonly MapPoint[]): MapPoint | null {
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
