// The positions of messages on the canvas, and the message under the pointer.

import type { MapPoint } from '../../exchange/map/map.ts'

export type Place = (point: { readonly x: number; readonly y: number }) => readonly [number, number]

/** From the unit square onto a canvas of this size. */
export const placePoints =
  (width: number, height: number, margin: number): Place =>
  ({ x, y }) => [margin + x * (width - 2 * margin), margin + y * (height - 2 * margin)]

const NEAR = 12

/** The nearest within reach; null when there is none. */
export function pointNear(
  points: readonly MapPoint[],
  place: Place,
  spot: { readonly x: number; readonly y: number },
): MapPoint | null {
  let best: MapPoint | null = null
  let least = NEAR * NEAR
  for (const point of points) {
    const [x, y] = place(point)
    const distance = (x - spot.x) ** 2 + (y - spot.y) ** 2
    if (distance > least) continue
    least = distance
    best = point
  }
  return best
}
