// Every schema within a schema, with the way to it. What a vendor refuses is judged by these fakes from its
// documentation, never by the code that is tested.

export type Schema = { readonly [keyword: string]: unknown }

export interface Place {
  readonly schema: Schema
  readonly path: readonly (string | number)[]
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function placesIn(schema: Schema, path: Place['path'] = []): readonly Place[] {
  const inner: Place[] = []
  const look = (value: unknown, ...way: (string | number)[]) => {
    if (isSchema(value)) inner.push(...placesIn(value, [...path, ...way]))
  }
  for (const map of ['properties', '$defs', 'definitions', 'patternProperties']) {
    const members = schema[map]
    if (isSchema(members)) for (const [name, member] of Object.entries(members)) look(member, map, name)
  }
  for (const list of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const branches = schema[list]
    if (Array.isArray(branches)) for (const [i, branch] of branches.entries()) look(branch, list, i)
  }
  look(schema.items, 'items')
  look(schema.additionalProperties, 'additionalProperties')
  return [{ schema, path }, ...inner]
}

export const namesOf = (schema: Schema): readonly string[] =>
  isSchema(schema.properties) ? Object.keys(schema.properties) : []

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const isObjectType = ({ type, properties }: Schema): boolean =>
  type === 'object' || type === 'OBJECT' || listOf(type).includes('object') || properties !== undefined

/** How many objects lie within one another. */
export function levelsIn(schema: Schema): number {
  const inner = placesIn(schema).slice(1)
  const own = isObjectType(schema) ? 1 : 0
  const next = inner.filter(({ path }) => !inner.some((other) => isWithin(path, other.path)))
  return own + Math.max(0, ...next.map((place) => levelsIn(place.schema)))
}

const isWithin = (path: Place['path'], other: Place['path']): boolean =>
  other.length < path.length && other.every((step, i) => step === path[i])
