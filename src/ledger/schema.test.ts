import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from './schema.ts'
import { misfit } from './schema-fault.ts'

const OPINION: JsonSchema = {
  type: 'object',
  properties: {
    stance: { enum: ['adopt', 'reject', 'need-info'] },
    points: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', minLength: 1, maxLength: 5 },
    },
    share: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    mode: { const: 'ask' },
    cite: { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }] },
  },
  required: ['stance'],
  additionalProperties: false,
}

describe('the shape of a value', () => {
  it.each([
    [{ stance: 'adopt' }, null],
    [{ stance: 'adopt', points: ['a'], share: 0.5, mode: 'ask', cite: 3 }, null],
    [{ stance: 'adopt', share: null, cite: 'x' }, null],
    [{}, 'the value lacks stance'],
    [[], 'the value is array, not object'],
    [{ stance: 'maybe' }, 'stance is none of adopt, reject, need-info'],
    [{ stance: 'adopt', points: [] }, 'points has 0 items, which are too few or too many'],
    [{ stance: 'adopt', points: ['a', ''] }, 'points[1] has 0 characters, which are too few or too many'],
    [{ stance: 'adopt', points: ['a', 1] }, 'points[1] is integer, not string'],
    [{ stance: 'adopt', share: 2 }, 'share is out of range'],
    [{ stance: 'adopt', mode: 'review' }, 'mode is not "ask"'],
    [{ stance: 'adopt', cite: 0.5 }, 'cite is number, not string'],
    [{ stance: 'adopt', other: 1 }, 'the value has an unknown member'],
    [JSON.parse('{"stance":"adopt","__proto__":{"a":1}}'), 'the value has an unknown member'],
  ])('judges %j: %s', (value, fault) => {
    expect(misfit(OPINION, value)).toBe(fault)
  })

  it('does not treat a property of the prototype as a member', () => {
    expect(misfit({ type: 'object', required: ['toString'] }, {})).toBe('the value lacks toString')
  })

  it('never passes an unknown keyword of a schema', () => {
    expect(() => misfit({ pattern: '^a' }, 'b')).toThrow('pattern')
  })

  it('agrees with the validator that checks the answers of models', () => {
    const judge = z.fromJSONSchema({ ...OPINION })
    const loose = fc.record(
      {
        stance: fc.constantFrom('adopt', 'reject', 'need-info', 'maybe', 1),
        points: fc.array(fc.oneof(fc.string({ maxLength: 7 }), fc.integer()), { maxLength: 4 }),
        share: fc.oneof(fc.double({ min: -1, max: 2, noNaN: true }), fc.constant(null), fc.string()),
        mode: fc.constantFrom('ask', 'review'),
        cite: fc.oneof(fc.string(), fc.integer({ min: -2, max: 3 }), fc.constant(0.5), fc.boolean()),
        more: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(loose, (value) => {
        expect(misfit(OPINION, value) === null).toBe(judge.safeParse(value).success)
      }),
      { numRuns: 1000 },
    )
  })
})
