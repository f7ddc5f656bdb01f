import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { descend, type Smooth } from './descent.ts'

const part = { min: -50, max: 50, noNaN: true } as const
/** One direction of a bowl: where it is lowest, how steep it is, and where the search begins. */
const direction = fc.record({
  lowest: fc.double(part),
  steep: fc.double({ min: 0.01, max: 100, noNaN: true }),
  start: fc.double(part),
})

describe('the search for the lowest point', () => {
  it('ends at the minimum of a stretched bowl, and does not change its input', () => {
    fc.assert(
      fc.property(fc.array(direction, { minLength: 1, maxLength: 8 }), (directions) => {
        const bowl: Smooth = (at, slope) =>
          directions.reduce((height, { lowest, steep }, i) => {
            const off = (at[i] ?? 0) - lowest
            slope[i] = steep * off
            return height + (steep * off * off) / 2
          }, 0)
        const start = Float64Array.from(directions, (each) => each.start)
        const given = start.slice()
        const found = descend(bowl, start)
        expect(start).toEqual(given)
        for (const [i, { lowest, steep }] of directions.entries())
          expect(Math.abs(steep * ((found[i] ?? 0) - lowest))).toBeLessThanOrEqual(5e-5)
      }),
      { numRuns: 60 },
    )
  })

  it('uses the curvature of its last steps: a narrow valley takes few evaluations', () => {
    let looks = 0
    // The steepest way down alone takes thousands of steps here.
    const valley: Smooth = (at, slope) => {
      looks++
      const [x, y] = [at[0] as number, at[1] as number]
      slope[0] = x + 500 * (x - y)
      slope[1] = y - 500 * (x - y)
      return (x * x + y * y + 500 * (x - y) ** 2) / 2
    }
    const found = descend(valley, Float64Array.of(9, -7))
    expect(Math.hypot(...found)).toBeLessThan(1e-4)
    expect(looks).toBeLessThan(16)
  })

  it('stays at its start if no step leads down, or if the gradient is zero there', () => {
    const lying: Smooth = (at, slope) => {
      slope[0] = -1
      return Math.abs(at[0] as number)
    }
    expect(descend(lying, Float64Array.of(0))).toEqual(Float64Array.of(0))
    let looks = 0
    const level: Smooth = (_, slope) => {
      looks++
      slope.fill(1e-5)
      return 3
    }
    expect(descend(level, Float64Array.of(4, 5))).toEqual(Float64Array.of(4, 5))
    expect(looks).toBe(1)
  })
})
