// The one way to write a schema in code. The type of its values is inferred from it, so that shape and type
// cannot disagree: a schema is plain JSON Schema, and only the compiler knows the type.

import type { Json } from './canonical.ts'

/** A JSON Schema as data. */
export type JsonSchema = { readonly [name: string]: Json }

declare const VALUE: unique symbol

/** The type of a schema's values. */
export type Schema<Value> = JsonSchema & { readonly [VALUE]?: Value }

/** What fits a schema. */
export type ValueOf<Of> = Of extends { readonly [VALUE]?: infer Value } ? Value : never

export type Properties = { readonly [name: string]: JsonSchema }
/** The types of a table of schemas, by name. */
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

/** A simple type that also allows null; anything else is a union of two. */
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

/** With optional members. */
export const optionally = <Value, P extends Properties>(
  schema: Schema<Value>,
  properties: P,
): Schema<Value & Partial<Members<P>>> => ({
  ...(schema as JsonSchema),
  properties: { ...(schema.properties as Properties), ...properties },
})

/** A schema that is wider than its type: the rest is checked elsewhere. */
export const judged = <Value>(schema: JsonSchema): Schema<Value> => schema
