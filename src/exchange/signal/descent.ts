// The minimum of a smooth, convex function, by limited-memory BFGS: the last few steps approximate the
// curvature. Without randomness or a clock, so that the same function gives the same point. It stops where
// the gradient is small, or after a maximum number of steps.

/** The value at a point; the gradient there is written into the second array. */
export type Smooth = (at: Float64Array, slope: Float64Array) => number

const MEMORY = 10
const STEPS = 100
/** No component of the gradient is larger than this at the end. */
const LEVEL = 5e-5
/** A step must gain at least this part of what the gradient promises. */
const GAIN = 1e-4
const HALVINGS = 30

interface Turn {
  /** The length of the step, and how the gradient changed. */
  readonly moved: Float64Array
  readonly turned: Float64Array
  readonly share: number
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

function addTo(sum: Float64Array, scale: number, part: Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + scale * (part[i] as number)
}

const between = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, i) => value - (b[i] as number))

const steepest = (slope: Float64Array): number =>
  slope.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/** Along the gradient, corrected by the last curvatures. */
function direction(slope: Float64Array, turns: readonly Turn[]): Float64Array {
  const way = slope.map((value) => -value)
  const parts = turns.map(() => 0)
  for (let k = turns.length - 1; k >= 0; k--) {
    const { moved, turned, share } = turns[k] as Turn
    const part = share * dot(moved, way)
    parts[k] = part
    addTo(way, -part, turned)
  }
  const last = turns.at(-1)
  const scale = last ? 1 / (last.share * dot(last.turned, last.turned)) : 1
  for (let i = 0; i < way.length; i++) way[i] = (way[i] as number) * scale
  for (const [k, { moved, turned, share }] of turns.entries()) {
    addTo(way, (parts[k] as number) - share * dot(turned, way), moved)
  }
  return way
}

export function descend(value: Smooth, start: Float64Array): Float64Array {
  let [at, slope] = [start.slice(), new Float64Array(start.length)]
  let height = value(at, slope)
  let turns: readonly Turn[] = []
  for (let step = 0; step < STEPS && steepest(slope) > LEVEL; step++) {
    const way = direction(slope, turns)
    const promise = dot(slope, way)
    const [next, after] = [new Float64Array(at.length), new Float64Array(at.length)]
    let [stride, low] = [1, Number.POSITIVE_INFINITY]
    for (let halving = 0; halving < HALVINGS; halving++, stride /= 2) {
      next.set(at)
      addTo(next, stride, way)
      low = value(next, after)
      if (low <= height + GAIN * stride * promise) break
    }
    if (!(low < height)) return at
    const [moved, turned] = [between(next, at), between(after, slope)]
    const bend = dot(moved, turned)
    if (bend > 0) turns = [...turns, { moved, turned, share: 1 / bend }].slice(-MEMORY)
    ;[at, slope, height] = [next, after, low]
  }
  return at
}
