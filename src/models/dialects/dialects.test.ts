// What each dialect makes of a schema: what it may say, in our order, and the rest as rules in words.
import { describe, expect, it } from 'vitest'
import { anthropicSchemaFault, refuseMessages } from '../../../test/fakes/limits/anthropic.ts'
import { googleSchemaFault } from '../../../test/fakes/limits/google.ts'
import { openaiSchemaFault } from '../../../test/fakes/limits/openai.ts'
import { VENDOR_ROLES } from '../../../test/support/roles.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { anthropicShape } from './anthropic.ts'
import { googleShape } from './google.ts'
import { shapeInWords, wordsBeside } from './in-words.ts'
import { openaiShape } from './openai.ts'
import { membersOf } from './translate.ts'

const closed = (required: string[], properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const RICH = closed(['reasons', 'verdict'], {
  reasons: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { type: 'string', minLength: 1, maxLength: 200 },
  },
  note: { type: 'string', enum: ['weak', 'strong'] },
  share: { type: 'number', minimum: 0, maximum: 1 },
  inner: closed(['a'], { a: { type: 'string', minLength: 64, maxLength: 64 }, b: { type: 'integer' } }),
  fixed: { const: 'x', type: 'string' },
  maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  verdict: { type: 'string', enum: ['adopt', 'reject'] },
})
const ORDER = ['reasons', 'note', 'share', 'inner', 'fixed', 'maybe', 'verdict']

describe('VOX-17 parts of a schema that a dialect cannot express are said in words', () => {
  it('to OpenAI: every member required, nullable where it may be left out, nothing bounded', () => {
    const { schema, strict, rules } = openaiShape(RICH)
    expect(openaiSchemaFault('response', schema, true)).toBeNull()
    expect(strict).toBe(true)
    expect(Object.keys(membersOf(schema ?? {}))).toEqual(ORDER)
    expect(schema).toMatchObject({
      required: ORDER,
      properties: {
        note: { type: ['string', 'null'], enum: ['weak', 'strong', null] },
        inner: { anyOf: [{ type: 'object', required: ['a', 'b'] }, { type: 'null' }] },
      },
    })
    expect(rules).toEqual([
      '"reasons": not empty, at most 3 items.',
      '"reasons[]": not empty, at most 200 characters.',
      '"share": at least 0, at most 1.',
      '"inner.a": exactly 64 characters.',
    ])
  })

  it('to Anthropic: objects closed, what may be left out left out', () => {
    const { schema, rules } = anthropicShape(RICH)
    expect(anthropicSchemaFault(schema)).toBeNull()
    expect(Object.keys(membersOf(schema ?? {}))).toEqual(ORDER)
    expect(schema).toMatchObject({
      required: ['reasons', 'verdict'],
      properties: { reasons: { minItems: 1 } },
    })
    expect(rules).toContain('"reasons": at most 3 items.')
    expect(rules).toContain('"share": at least 0, at most 1.')
  })

  it('to Gemini: no null, no const, no closed objects, and the order of members', () => {
    const { schema, rules } = googleShape(RICH)
    expect(googleSchemaFault(schema)).toBeNull()
    expect(schema).toMatchObject({
      propertyOrdering: ORDER,
      properties: {
        maybe: { type: 'string', nullable: true },
        fixed: { enum: ['x'] },
        share: { maximum: 1 },
      },
    })
    expect(JSON.stringify(schema)).not.toContain('additionalProperties')
    expect(rules).toContain('"inner.a": exactly 64 characters.')
  })

  it('keeps the order of members in every dialect and every role', () => {
    for (const { schema } of VENDOR_ROLES) {
      if (schema === null || schema.anyOf !== undefined) continue
      for (const shape of [openaiShape, anthropicShape, googleShape]) {
        const said = shape(schema).schema
        // Asked for in words, which keep the order of the schema itself.
        if (said === null) continue
        expect(Object.keys(membersOf(said))).toEqual(Object.keys(membersOf(schema)))
      }
    }
  })

  it('says the whole schema where none can be sent, and nothing where the schema says all', () => {
    const open = closed(['input'], { input: { type: 'object' } })
    expect(anthropicShape(open).schema).toBeNull()
    expect(googleShape(open).schema).toBeNull()
    expect(wordsBeside(googleShape(open), open)).toBe(shapeInWords(open))
    expect(openaiShape(open)).toMatchObject({ strict: false, schema: open })
    const plain = closed(['a'], { a: { type: 'string' } })
    expect(wordsBeside(openaiShape(plain), plain)).toBe('')
  })

  it('has no union at the root of anything', () => {
    const union: JsonSchema = {
      type: 'object',
      anyOf: [closed(['a'], { a: { type: 'string' } }), closed(['b'], { b: { type: 'string' } })],
    }
    for (const shape of [openaiShape, anthropicShape, googleShape]) {
      const { schema, rules } = shape(union)
      expect(schema).not.toHaveProperty('anyOf')
      expect(Object.keys(membersOf(schema ?? {}))).toEqual(['a', 'b'])
      expect(rules[0]).toContain('exactly one of "a", "b"')
    }
    const tools = [{ name: 'json', input_schema: anthropicShape(union).schema }]
    const body = { model: 'claude-haiku-4-5', max_tokens: 1, messages: [{}], tools }
    expect(refuseMessages(body)).toBeNull()
  })

  it('leaves the strict form if its size limits are exceeded', () => {
    const many = closed(
      [],
      Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`m${i}`, { type: 'string' }])),
    )
    expect(openaiShape(many).strict).toBe(false)
    expect(anthropicShape(many).schema).toBeNull()
    const nest = (levels: number): JsonSchema =>
      levels === 0 ? { type: 'string' } : closed(['in'], { in: nest(levels - 1) })
    expect(openaiShape(nest(5)).strict).toBe(true)
    expect(openaiShape(nest(6)).strict).toBe(false)
    expect(openaiShape({ type: 'array', items: { type: 'string' } }).schema).toBeNull()
  })
})

describe('the fake vendors refuse what vendors document as refused', () => {
  const wrong: [string, JsonSchema][] = [
    ['a root union', { type: 'object', anyOf: [closed([], {})] }],
    ['an open object', closed(['input'], { input: { type: 'object' } })],
    ['bounds of texts', closed(['a'], { a: { type: 'string', maxLength: 2_000 } })],
  ]
  it.each(wrong)('%s', (_, schema) => {
    expect(openaiSchemaFault('response', schema, true)).toMatch(/Invalid schema for response_format/)
    expect(anthropicSchemaFault(schema)).not.toBeNull()
    expect(googleSchemaFault(schema)).not.toBeNull()
  })

  it('a member that is not required, to OpenAI alone', () => {
    const schema = closed([], { a: { type: 'string' } })
    expect(openaiSchemaFault('response', schema, true)).toContain("Missing 'a'")
    expect(anthropicSchemaFault(schema)).toBeNull()
  })

  it("names that Google's messages do not have", () => {
    expect(googleSchemaFault(closed(['a'], { a: { type: 'string' } }))).toBe(
      'Invalid JSON payload received. Unknown name "additionalProperties" at \'generation_config.response_schema\': Cannot find field.',
    )
  })
})
