// Whether a value has the shape that a schema describes. The schemas are plain JSON Schema of a small subset,
// so that the same data tells a model what to write and a protocol what to accept; an unknown keyword is a
// fault of the schema and never passes as "fits".

import type { JsonSchema } from './schema.ts'

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
const within = (least: unknown, most: unknown, value: number): boolean =>
  !(typeof least === 'number' && value < least) && !(typeof most === 'number' && value > most)

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

/** Null when the value fits, otherwise which place does not and why. The value itself is not repeated. */
export const misfit = (schema: JsonSchema, value: unknown): string | null => misfitAt(schema, value, '')
