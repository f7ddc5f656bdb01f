import { describe, expect, it } from 'vitest'
import type { Json } from '../ledger/canonical.ts'
import { judgementIn } from './judgement.ts'

const TEXTS = new Map([
  ['1.1', 'I think that we\nshould  begin again from the first round.'],
  ['1.2', 'Again!'],
  ['2.1', 'Rivers are long.'],
])
const read = (...asks: readonly (readonly [string, string])[]) => {
  const value = { asks: asks.map(([id, quote]) => ({ id, quote })) } as Json
  const { asks: counted, struck } = judgementIn(value, TEXTS)
  return { counted: counted.map(({ id }) => id), struck: struck.map(({ id }) => id) }
}

describe('EXC-INT-3 a citation of the judge', () => {
  it('counts if its quote is in that message, white space aside', () => {
    expect(read(['1.1', ' we should begin\tagain from '])).toEqual({ counted: ['1.1'], struck: [] })
    expect(read([' 1.1 ', 'should begin again'])).toEqual({ counted: ['1.1'], struck: [] })
  })

  it('is removed if its quote is in another message or in none, or if the message was not shown', () => {
    expect(read(['2.1', 'should begin again'])).toEqual({ counted: [], struck: ['2.1'] })
    expect(read(['9.9', 'should begin again'])).toEqual({ counted: [], struck: ['9.9'] })
    expect(read(['1.1', 'we should begin anew'])).toEqual({ counted: [], struck: ['1.1'] })
  })

  it('needs twelve characters of a quote, unless the message itself is as short', () => {
    expect(read(['1.1', 'begin again'])).toEqual({ counted: [], struck: ['1.1'] })
    expect(read(['1.1', 'begin again f'.trim()])).toEqual({ counted: ['1.1'], struck: [] })
    expect(read(['1.1', 'we should be'])).toEqual({ counted: ['1.1'], struck: [] })
    expect(read(['1.2', 'Again!'])).toEqual({ counted: ['1.2'], struck: [] })
    expect(read(['1.2', 'Again'])).toEqual({ counted: [], struck: ['1.2'] })
    expect(read(['1.1', '  '], ['9.9', ''])).toEqual({ counted: [], struck: ['1.1', '9.9'] })
  })

  it('counts once, by its first sound quote', () => {
    const twice = judgementIn(
      {
        asks: [
          { id: '1.1', quote: 'nowhere to be found' },
          { id: '1.1', quote: 'should begin again' },
          { id: '1.1', quote: 'from the first round' },
        ],
      },
      TEXTS,
    )
    expect(twice.asks).toEqual([{ id: '1.1', quote: 'should begin again' }])
    expect(twice.struck).toEqual([{ id: '1.1', quote: 'nowhere to be found' }])
  })

  it('is limited: five hundred citations, short ids and quotes, well-formed text', () => {
    const many = read(...Array.from({ length: 600 }, (): [string, string] => ['9.9', 'should begin again']))
    expect(many.struck).toHaveLength(500)
    const long = 'word '.repeat(400)
    const { asks, struck } = judgementIn(
      {
        asks: [
          { id: 'a', quote: long },
          { id: `${'x'.repeat(99)}\ud83d`, quote: 'half \ud83d' },
        ],
      },
      new Map([['a', long]]),
    )
    expect(asks[0]?.quote).toBe(long.slice(0, 1000))
    expect(struck[0]).toEqual({ id: 'x'.repeat(64), quote: 'half \ufffd' })
  })
})
