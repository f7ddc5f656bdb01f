import { describe, expect, it } from 'vitest'
import { type CouncilTimeouts, DEFAULT_POLICY } from '../../../council/policy.ts'
import type { OpenedCouncil } from '../../../council/state.ts'
import type { AskableSeat } from '../../seat.ts'
import { roundLimit } from './round-limit.ts'

const convened = (timeouts: Partial<CouncilTimeouts> = {}, minutes: number | null = null) =>
  ({
    thinkingMs: 0,
    opened: {
      seats: ['a', 'b', 'c'].map((seat) => ({ seat, roles: seat === 'c' ? ['chair'] : ['participant'] })),
      chairs: ['a', 'c'],
      policy: {
        ...DEFAULT_POLICY,
        budget: { cost: null, minutes },
        timeouts: { ...DEFAULT_POLICY.timeouts, ...timeouts },
      },
    },
  }) as unknown as OpenedCouncil

const saying = (...caps: readonly (readonly [string, number])[]): ReadonlyMap<string, AskableSeat> =>
  new Map(caps.map(([seat, ms]) => [seat, { capMs: () => ms } as unknown as AskableSeat]))

describe('how long a round may last', () => {
  it('COU-T-1 is by default the sum of the limits of its seats, or of its chairs in R3', () => {
    const seats = saying(['a', 10], ['b', 20], ['c', 40])
    expect(roundLimit(convened(), 'R1', seats)).toEqual({ ms: 30, why: 'timeout' })
    expect(roundLimit(convened(), 'R2', seats)).toEqual({ ms: 30, why: 'timeout' })
    expect(roundLimit(convened(), 'R3', seats)).toEqual({ ms: 50, why: 'timeout' })
  })

  it('COU-T-1 uses the policy for seats without a limit: five limits on silence each', () => {
    const timeouts = { r1_per_provider: 700, cli_per_call: 700 }
    expect(roundLimit(convened(timeouts), 'R1', new Map())).toEqual({ ms: 7_000, why: 'timeout' })
    expect(roundLimit(convened({ each: 100 }), 'R3', new Map())).toEqual({ ms: 1_000, why: 'timeout' })
  })

  it("COU-T-1 is the policy's limit for the round, and never beyond the minutes of the council", () => {
    const own = { r1_round: 1, r2_round: 2, r3_round: 3 }
    const limits = (['R1', 'R2', 'R3'] as const).map(
      (round) => roundLimit(convened(own), round, new Map()).ms,
    )
    expect(limits).toEqual([1, 2, 3])
    expect(roundLimit(convened({}, 1), 'R1', new Map())).toEqual({ ms: 60_020, why: 'budget' })
  })
})
