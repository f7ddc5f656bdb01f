import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Span } from './format.ts'
import { Spans } from './spans.ts'

const span = (start: number, end: number, rule: string, excuse: string | null = null): Span => ({
  ...{ start, end, rule, excuse },
  ...{ what: `a ${rule}`, severity: 'high' as const },
})
const united = (...spans: readonly Span[]): readonly Span[] => {
  const all = new Spans()
  all.add(spans)
  return [...all.united()]
}

describe('spans', () => {
  it('come in order of where they begin, and those that only touch stay two', () => {
    expect(united(span(5, 9, 'b'), span(0, 5, 'a'))).toEqual([span(0, 5, 'a'), span(5, 9, 'b')])
    expect(united()).toEqual([])
  })

  it('that overlap are merged, and named by the one that was found first', () => {
    expect(united(span(4, 8, 'first'), span(0, 6, 'second'), span(7, 9, 'third'))).toEqual([
      span(0, 9, 'first'),
    ])
    expect(united(span(0, 9, 'wide'), span(2, 4, 'narrow'))).toEqual([span(0, 9, 'wide')])
  })

  it('are excused only if all of them are, by the one that names them', () => {
    expect(united(span(0, 5, 'a', 'made up'), span(3, 8, 'b'))).toEqual([span(0, 8, 'a')])
    expect(united(span(0, 5, 'a'), span(3, 8, 'b', 'made up'))).toEqual([span(0, 8, 'a')])
    expect(united(span(0, 5, 'b', 'later'), span(3, 8, 'a', 'too'))).toEqual([span(0, 8, 'b', 'later')])
    expect(united(span(3, 8, 'a', 'first'), span(0, 5, 'b', 'second'))).toEqual([span(0, 8, 'a', 'first')])
  })

  it('are all kept, however many there are', () => {
    const many = fc.array(fc.nat({ max: 3 }), { minLength: 200, maxLength: 400 })
    fc.assert(
      fc.property(many, (kinds) => {
        const spans = kinds.map((kind, i) =>
          span(i * 10, i * 10 + 5, `rule ${kind}`, kind === 0 ? 'made up' : null),
        )
        expect(united(...spans.toReversed())).toEqual(spans)
      }),
      { numRuns: 10 },
    )
  })
})
