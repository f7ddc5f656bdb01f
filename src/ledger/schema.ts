// Whether a value has the shape that a schema describes. The schemas are plain JSON Schema of a small kind, so that the
// same data tells a model what to write and a protocol what to accept; a word this file does not know is a fault of
// the schema and never passes as "fits".

import type { Json } from './canonical.ts'

/** A JSON Schema as data. */
export type JsonSchema = { readonly [name: string]: Json }

const KNOWN = new Set(
  (
    'type enum const properties required additionalProperties items minItems maxItems minLength maxLength ' +
    'minimum maximum anyOf description title'
  ).split(' '),
)

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } => kindOf(value) === 'object'
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const within = (least: unknown, most: unknown, found: number): boolean =>
  !(typeof least === 'number' && found < least) && !(typeof most === 'number' && found > most)

function typeFault(schema: JsonSchema, value: unknown): string | null {
  if (schema.type === undefined) return null
  const allowed = Array.isArray(schema.type) ? schema.type : [schema.type]
  const kind = kindOf(value)
  if (allowed.includes(kind) || (kind === 'integer' && allowed.includes('number'))) return null
  return `is ${kind}, not ${allowed.join(' or ')}`
}

function valueFault(schema: JsonSchema, value: unknown): string | null {
  if ('const' in schema && value !== schema.const) return `is not ${JSON.stringify(schema.const)}`
  if (schema.enum !== undefined && !asList(schema.enum).includes(value))
    return `is none of ${asList(schema.enum).join(', ')}`
  if (typeof value === 'string' && !within(schema.minLength, schema.maxLength, value.length))
    return `has ${value.length} characters, which are too few or too many`
  if (typeof value === 'number' && !within(schema.minimum, schema.maximum, value)) return 'is out of range'
  if (Array.isArray(value) && !within(schema.minItems, schema.maxItems, value.length))
    return `has ${value.length} items, which are too few or too many`
  return null
}

function membersFault(schema: JsonSchema, value: unknown, place: string): string | null {
  if (!isRecord(value)) return null
  const properties = isRecord(schema.properties) ? schema.properties : {}
  for (const name of asList(schema.required)) {
    if (!Object.hasOwn(value, String(name))) return `${place || 'the value'} lacks ${String(name)}`
  }
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known === undefined) {
      if (schema.additionalProperties === false) return `${place || 'the value'} has an unknown member`
      continue
    }
    const fault = misfitAt(known as JsonSchema, member, place === '' ? name : `${place}.${name}`)
    if (fault) return fault
  }
  return null
}

function misfitAt(schema: JsonSchema, value: unknown, place: string): string | null {
  const unknown = Object.keys(schema).find((word) => !KNOWN.has(word))
  if (unknown !== undefined) throw new TypeError(`a schema says ${unknown}, which is not understood here`)
  const fault = typeFault(schema, value) ?? valueFault(schema, value)
  if (fault) return `${place || 'the value'} ${fault}`
  const members = membersFault(schema, value, place)
  if (members) return members
  if (Array.isArray(value) && isRecord(schema.items)) {
    for (const [i, item] of value.entries()) {
      const inside = misfitAt(schema.items as JsonSchema, item, `${place}[${i}]`)
      if (inside) return inside
    }
  }
  if (!Array.isArray(schema.anyOf)) return null
  const faults = schema.anyOf.map((option) => misfitAt(option as JsonSchema, value, place))
  return faults.includes(null) ? null : (faults[0] ?? `${place || 'the value'} fits nothing`)
}

/** Null when the value fits, else which place does not and why. What the value itself says is not repeated. */
export const misfit = (schema: JsonSchema, value: unknown): string | null => misfitAt(schema, value, '')

// The one way to write a schema in code. What fits it is inferred from it, so that a shape and its type cannot part:
// a schema is plain JSON Schema, and the type of its values is known to the compiler alone.

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

/** All of these members, and whatever else. */
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
