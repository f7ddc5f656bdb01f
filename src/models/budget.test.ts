import { describe, expect, it } from 'vitest'
import { NOTHING_SPENT, spend, spentInWords, stopBefore } from './budget.ts'
import { type Failure, failed } from './model.ts'
import type { Attempt } from './seat/seat.ts'

const attempt = (usd: number | null, failure: Failure | null = null): Attempt => ({
  transport: 'api',
  failure,
  latencyMs: 1,
  waitedMs: 0,
  usage: { inputTokens: null, outputTokens: null },
  cost: usd === null ? null : { usd, from: 'prices' },
  raw: null,
})
const spentOn = (...attempts: Attempt[]) => attempts.reduce(spend, NOTHING_SPENT)
const failure = (type: Failure['type'], cause: Failure['cause'] = null) =>
  failed({ type, cause, message: 'x' }, 'api', 1)

describe('spending', () => {
  it('VOX-6 adds what is known and says when something is not', () => {
    expect(spentInWords(spentOn(attempt(0.5), attempt(0.25)))).toBe('$0.75')
    expect(spentInWords(spentOn(attempt(0.5), attempt(null)))).toBe(
      'at least $0.50 (and 1 call of unknown cost)',
    )
    expect(spentInWords(spentOn(attempt(null), attempt(null)))).toBe('unknown (2 calls of unknown cost)')
    expect(spentInWords(spentOn(attempt(0.0021)))).toBe('$0.0021')
    expect(spentInWords(NOTHING_SPENT)).toBe('$0.00')
  })

  it('counts what a failure cost, and nothing for a request that was turned away', () => {
    expect(spentOn(attempt(0.5, failure('parse_error')))).toEqual({ usd: 0.5, unknown: 0 })
    for (const turned of [failure('auth'), failure('rate_limit'), failure('network', 'unavailable')]) {
      expect(spentOn(attempt(null, turned))).toEqual(NOTHING_SPENT)
    }
    expect(spentOn(attempt(null, failure('timeout')))).toEqual({ usd: 0, unknown: 1 })
  })
})

describe('a budget', () => {
  const budget = { usd: 2, minutes: 10 }

  it('lets a call be made until it is used up', () => {
    expect(stopBefore(budget, spentOn(attempt(1.99)), 0)).toBeNull()
    expect(stopBefore(budget, spentOn(attempt(2)), 0)).toEqual({
      limit: 'cost',
      message: 'the budget of $2.00 is used up: $2.00 spent',
    })
    expect(stopBefore(budget, NOTHING_SPENT, 599_999)).toBeNull()
    expect(stopBefore(budget, NOTHING_SPENT, 600_000)).toMatchObject({ limit: 'minutes' })
  })

  it('is not used up by unknown costs, but says so when it ends', () => {
    const unknown = spentOn(attempt(null), attempt(null))
    expect(stopBefore(budget, unknown, 0)).toBeNull()
    expect(stopBefore(budget, spend(unknown, attempt(3)), 0)?.message).toContain('at least $3.00')
  })

  it('without limits never stops', () => {
    expect(stopBefore({ usd: null, minutes: null }, spentOn(attempt(99)), 1e12)).toBeNull()
  })
})
