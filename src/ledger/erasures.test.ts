import { describe, expect, it } from 'vitest'
import type { Refusal } from '../protocol.ts'
import { Erasures } from './erasures.ts'

/** Events 0 to 5; those of even number are erased. */
function erasures(): Erasures {
  const all = new Erasures()
  const types = ['opened', 'said', 'said', 'said', 'closed', 'closed']
  for (const [i, type] of types.entries())
    all.pass({ type, agent: i < 3 ? 'ash' : 'birch', hash: `h${i}` }, i % 2 === 0)
  return all
}
const refusal = (lacks: Refusal['lacks'], besides?: Refusal): Refusal => ({
  ...{ code: 'ORDER_VIOLATION', message: 'x' },
  ...(lacks && { lacks }),
  ...(besides && { besides }),
})
const isExplained = (lacks: Refusal['lacks']): boolean => erasures().unexplained(refusal(lacks)) === null

describe('VER-1 what an erasure explains', () => {
  it('is the possible content of an event of that type, and nothing if none was erased', () => {
    expect(isExplained(['said'])).toBe(true)
    expect(isExplained(['never', 'opened'])).toBe(true)
    expect(isExplained(['never'])).toBe(false)
    expect(isExplained([])).toBe(false)
    expect(isExplained(undefined)).toBe(false)
  })

  it('covers only events after the named one, of the named authors, and as many as needed', () => {
    expect(isExplained([{ types: ['said'], since: 'h1' }])).toBe(true)
    expect(isExplained([{ types: ['said'], since: 'h2' }])).toBe(false)
    expect(isExplained([{ types: ['opened'] }])).toBe(true)
    expect(isExplained([{ types: ['opened'], since: 'h0' }])).toBe(false)
    expect(isExplained([{ types: ['opened'], since: 'unheard of' }])).toBe(true)
    expect(isExplained([{ types: ['said'], by: ['ash'] }])).toBe(true)
    expect(isExplained([{ types: ['said'], by: ['birch'] }])).toBe(false)
    expect(isExplained([{ types: ['said', 'closed'], least: 2 }])).toBe(true)
    expect(isExplained([{ types: ['said', 'closed'], least: 3 }])).toBe(false)
    expect(isExplained([{ types: ['never'], least: 0 }])).toBe(false)
  })

  it('keeps every other fault', () => {
    const besides = refusal(undefined)
    expect(erasures().unexplained(refusal(['said'], besides))).toBe(besides)
    const both = refusal(['said'], refusal(['closed']))
    expect(erasures().unexplained(both)).toBeNull()
    const first = refusal(['never'], besides)
    expect(erasures().unexplained(first)).toBe(first)
  })
})
