import { describe, expect, it } from 'vitest'
import { council } from '../../test/support/scripted-eval-parts.ts'
import type { Held } from './events.ts'
import { samplesBought } from './state.ts'

const PLACE = { action: 'a', item: 0, rep: 1, variant: 'main', grader: 'exact' }

/** What this council buys of answers that each took so much. */
function bought(
  spent: Partial<Held['spent']>,
  sample: { readonly usd?: number | null; readonly tokens?: number | null },
): string {
  const held = council({}, { spent: { usd: null, unknown: 0, calls: 7, tokens: null, ...spent } })
  const { n, by } = samplesBought(
    { ...PLACE, ...held },
    { text: 'x', usd: null, tokens: null, ms: 1, ...sample },
  )
  return `${n} by ${by}`
}

describe('the number of single answers for the cost of a council', () => {
  it('COU-X-4 is rounded down, at least one and at most 25, as rule 4 of spec/eval.md says', () => {
    expect(bought({ usd: 0.59 }, { usd: 0.1 })).toBe('5 by cost')
    expect(bought({ usd: 0.01 }, { usd: 0.1 })).toBe('1 by cost')
    expect(bought({ usd: 9 }, { usd: 0.1 })).toBe('25 by cost')
    expect(bought({ calls: 0 }, {})).toBe('1 by calls')
    expect(bought({ calls: 40 }, {})).toBe('25 by calls')
  })

  it('COU-X-4 follows from tokens if a cost is unknown or zero, and from calls if the tokens are', () => {
    const tokens = { tokens: 900 }
    for (const usd of [null, 0]) {
      expect(bought({ usd, ...tokens }, { usd: 0.1, tokens: 300 })).toBe('3 by tokens')
      expect(bought({ usd: 0.5, ...tokens }, { usd, tokens: 300 })).toBe('3 by tokens')
    }
    for (const none of [null, 0]) {
      expect(bought({ tokens: none }, { tokens: 300 })).toBe('7 by calls')
      expect(bought(tokens, { tokens: none })).toBe('7 by calls')
    }
  })
})
