// The one way to write a schema in code. What fits it is inferred from it, so that a shape and its type cannot part:
// a schema is plain JSON Schema, and the type of its values is known to the compiler alone.

import type { Json } from './canonical.ts'

/** A JSON Schema as data. */
export type JsonSchema = { readonly [name: string]: Json }

declare const VALUE: unique symbol

/** A schema of values of this type. */
export type Schema<Value> = JsonSchema & { readonly [VALUE]?: Value }

/** What fits a schema. */
export type ValueOf<Of> = Of extends { readonly [VALUE]?: infer Value } ? Value : never

export type Properties = { readonly [name: string]: JsonSchema }
/** What fits a table of schemas, name by name. */
export type Members<P extends Properties> = { readonly [Name in keyof P]: ValueOf<P[Name]> }

type Length = { readonly minLength?: number; readonly maxLength?: number }
type Range = { readonly minimum?: number; readonly maximum?: number }
type Size = { readonly minItems?: number; readonly maxItems?: number }

export const text = (length: Length = {}): Schema<string> => ({ type: 'string', ...length })
export const integer = (range: Range = {}): Schema<number> => ({ type: 'integer', ...range })
export const number = (range: Range = {}): Schema<number> => ({ type: 'number', ...range })
export const flag: Schema<boolean> = { type: 'boolean' }

export const oneOf = <const Values extends readonly string[]>(values: Values): Schema<Values[number]> => ({
  enum: values as readonly Json[],
})

export const list = <Item>(items: Schema<Item>, size: Size = {}): Schema<readonly Item[]> => ({
  type: 'array',
  items,
  ...size,
})

/** A simple type takes null besides; anything else is one of two. */
export const orNull = <Value>(schema: Schema<Value>): Schema<Value | null> =>
  typeof schema.type === 'string' && schema.enum === undefined && schema.properties === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [{ type: 'null' }, schema] }

/** All of these members, and no other. */
export const closed = <P extends Properties>(properties: P): Schema<Members<P>> => ({
  ...open(properties),
  additionalProperties: false,
})

/** All of these members, and any others. */
export const open = <P extends Properties>(properties: P): Schema<Members<P>> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** With members that need not be there. */
export const optionally = <Value, P extends Properties>(
  schema: Schema<Value>,
  properties: P,
): Schema<Value & Partial<Members<P>>> => ({
  ...(schema as JsonSchema),
  properties: { ...(schema.properties as Properties), ...properties },
})

/** A schema that says less than its type: the rest is judged elsewhere. */
export const judged = <Value>(schema: JsonSchema): Schema<Value> => schema
