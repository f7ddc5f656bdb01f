import { describe, expect, it } from 'vitest'
import type { SeatRecord } from '../../council/events.ts'
import { estimateCost } from './preview.ts'

const seat = (name: string, more: Partial<SeatRecord> = {}): SeatRecord => ({
  seat: name,
  provider: name,
  vendor: name,
  model: 'm',
  roles: ['participant'],
  embedded: false,
  ...more,
})

const TOKENS = new Map([
  ['a', 100],
  ['b', 100],
])

/** A thousandth of a dollar a token. */
const PRICED = async (_: SeatRecord, input: number, output: number) => (input + output) / 1_000

describe('the estimate for a whole council', () => {
  it('COU-X-8 COU-C-2 counts every round: opinions, reviews of the others, the report', async () => {
    const seats = [seat('a', { roles: ['participant', 'chair'] }), seat('b')]
    expect(await estimateCost({ seats, chairs: ['a'] }, TOKENS, PRICED)).toEqual({
      calls: 5,
      tokens_in: 2 * 100 + 2 * (100 + 900) + (100 + 2 * (900 + 1_200)),
      tokens_out: 2 * 900 + 2 * 1_200 + 1_500,
      cost: 12.2,
      unknown: [],
    })
  })

  it('COU-X-8 COU-P-4 counts every part of round one, and no later prompt beyond its window', async () => {
    const seats = [seat('a', { roles: ['participant', 'chair'], prompt_chars: 300 }), seat('b')]
    const estimate = await estimateCost({ seats, chairs: ['a'] }, TOKENS, PRICED, 4)
    expect(estimate.calls).toBe(2 * 4 + 2 + 1)
    expect(estimate.tokens_in).toBe(2 * 100 + 100 + (100 + 4 * 900) + 100)
  })

  it('COU-C-2 says that a cost is unknown if one price is unknown, and names its model', async () => {
    const seats = [seat('a', { roles: ['participant', 'chair'] }), seat('b')]
    const some = async (one: SeatRecord) => (one.seat === 'b' ? null : 1)
    expect(await estimateCost({ seats, chairs: ['a'] }, TOKENS, some)).toMatchObject({
      cost: null,
      unknown: ['b'],
    })
  })

  it('COU-C-2 counts no call if only checks sit', async () => {
    const panel = [seat('embedded', { embedded: true, roles: ['participant', 'chair'] })]
    expect(await estimateCost({ seats: panel, chairs: [] }, new Map(), PRICED)).toMatchObject({
      calls: 0,
      cost: 0,
    })
  })
})
