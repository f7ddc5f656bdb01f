// Shorthand for schemas. Objects are closed and require all their members: vendors' strict modes need this,
// and a model cannot add members that no one reads.

import type { Json } from '../../ledger/canonical.ts'
import type { JsonSchema } from '../../ledger/schema.ts'

export const text = (description?: string): JsonSchema => ({
  type: 'string',
  ...(description === undefined ? {} : { description }),
})

export const oneOf = (values: readonly string[], description?: string): JsonSchema => ({
  type: 'string',
  enum: values as Json,
  ...(description === undefined ? {} : { description }),
})

export const whole = (description?: string): JsonSchema => ({
  type: 'integer',
  ...(description === undefined ? {} : { description }),
})

export const listOf = (items: JsonSchema, description?: string): JsonSchema => ({
  type: 'array',
  items,
  ...(description === undefined ? {} : { description }),
})

export const closed = (properties: { readonly [name: string]: JsonSchema }): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** A schema or null. */
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

export const texts = (description?: string): JsonSchema => listOf(text(), description)
