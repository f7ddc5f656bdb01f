import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOf, minutes, openKit, verifyAtHome } from '../../test/support/clerk-kit.ts'
import { World } from '../../test/support/clerk-world.ts'

const RUNS = 150

const choice = fc.nat({ max: 11 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'start' as const, choice: 0 }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('complete' as const), choice }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('rival' as const), choice }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('fail' as const, 'interrupt' as const, 'die' as const),
      choice,
    }),
  },
)

const schedule = fc.record({
  seats: fc.constantFrom(['a'], ['a', 'b'], ['a', 'b', 'c', 'd']),
  /** A step that follows at once meets the clerks in the middle of something. */
  steps: fc.array(fc.record({ step, calm: fc.boolean() }), { minLength: 1, maxLength: 25 }),
})

describe('the clerk under any schedule', () => {
  it(`LED-17 VER-3 finishes with one answer of every seat and every call on record, up to ${RUNS} times`, async () => {
    let ran = 0
    await fc.assert(
      fc.asyncProperty(schedule, async ({ seats, steps }) => {
        ran++
        const kit = await openKit()
        const world = await World.open(kit, seats)
        for (const { step, calm } of steps) {
          await world[step.do](step.choice)
          if (calm) await world.calm()
        }
        expect(await world.finish()).toBe('finished')

        const { trace } = world.log
        const lines = await minutes(kit.store, trace)
        for (const seat of seats) expect(countOf(lines, new RegExp(`^answer_given ask/${seat}/`))).toBe(1)
        const started = lines.filter((line) => line.startsWith('call_started ')).map((line) => line.slice(13))
        expect(new Set(world.made).size).toBe(world.made.length)
        expect(started).toEqual(expect.arrayContaining(world.made))
        expect(countOf(world.made, /^tool/)).toBeLessThanOrEqual(1)
        expect(world.log.state.open.size).toBe(0)
        const report = await verifyAtHome(kit, trace)
        expect(report.failures).toEqual([])
        expect(report.status).toBe('pass')
        expect((await verifyAtHome(kit, kit.registrar.trace)).status).toBe('pass')
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: false },
    )
    // A machine that is very busy may not come to all of them, but never to a handful only.
    expect(ran).toBeGreaterThan(RUNS / 5)
  }, 120_000)
})
