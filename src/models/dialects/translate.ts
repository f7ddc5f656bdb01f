// From our plain JSON Schema to the form that a vendor accepts. A dialect is a grammar as data; this file
// applies it. The order of members is kept, since models write in that order. What a grammar cannot express
// is never lost: it becomes a line of text for the prompt.

import type { Json } from '../../ledger/canonical.ts'
import type { JsonSchema } from '../../ledger/schema.ts'

/** How a vendor is asked for a shape. */
export interface AskedShape {
  /** In the vendor's dialect; null where the shape can only be asked for in words. */
  readonly schema: JsonSchema | null
  /** The vendor guarantees the schema. */
  readonly strict: boolean
  /** What the schema does not express, one rule for each line. */
  readonly rules: readonly string[]
}

/** What a vendor's schemas can express. */
export interface Grammar {
  /** Keywords that may be beside `type`, `properties`, `required`, `items`, `anyOf`, `enum` and `description`. */
  readonly keywords: ReadonlySet<string>
  /** For a keyword with a number, which values are accepted. */
  readonly accepts?: (keyword: string, value: Json) => boolean
  /** How a member is optional: left out of `required`, or required and nullable. */
  readonly optional: 'left-out' | 'nullable'
  /** How "or null" is written. */
  readonly orNull: 'type-list' | 'any-of' | 'nullable'
  /** Whether objects must state that they are closed, must not, or keep what they have. */
  readonly closed: 'said' | 'unsaid' | 'as-given'
  /** Whether the order of members has a keyword of its own. */
  readonly ordering: boolean
}

type Members = { readonly [name: string]: JsonSchema }

export const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const membersOf = (schema: JsonSchema): Members =>
  isObject(schema.properties) ? (schema.properties as Members) : {}

export const requiredOf = (schema: JsonSchema): readonly Json[] =>
  Array.isArray(schema.required) ? schema.required : []

const branchesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject) : []

/** Every schema within a schema, itself first. */
export function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  const inner = [...Object.values(membersOf(schema)), ...branchesOf(schema)]
  if (isObject(schema.items)) inner.push(schema.items)
  return [schema, ...inner.flatMap(partsOf)]
}

/** An object with unknown members, such as the input of a tool. */
const isOpen = (schema: JsonSchema): boolean =>
  schema.type === 'object' &&
  branchesOf(schema).length === 0 &&
  (Object.keys(membersOf(schema)).length === 0 ||
    (schema.additionalProperties !== undefined && schema.additionalProperties !== false))

export const hasOpenObject = (schema: JsonSchema): boolean => partsOf(schema).some(isOpen)

/** No vendor accepts a union at the root: one object with the members of all branches, of which one is to be given. */
export function withoutRootUnion(schema: JsonSchema): { schema: JsonSchema; rules: readonly string[] } {
  const branches = branchesOf(schema)
  if (branches.length === 0) return { schema, rules: [] }
  const { anyOf: _, ...rest } = schema
  const properties = Object.assign({}, membersOf(schema), ...branches.map(membersOf)) as Members
  const groups = branches.map((branch) => Object.keys(membersOf(branch)).map((name) => `"${name}"`))
  const choices = groups.map((names) => names.join(' with ')).join(', ')
  return {
    schema: {
      ...rest,
      type: 'object',
      properties,
      required: requiredOf(schema),
      additionalProperties: false,
    },
    rules: [`Give exactly one of ${choices}; leave out the others, or give null for them.`],
  }
}

const count = (number: Json, unit: string): string => `${String(number)} ${unit}${number === 1 ? '' : 's'}`

/** Bounds come in pairs: what is counted, its least and its most. */
const BOUNDS: readonly (readonly [one: string, least: string, most: string])[] = [
  ['item', 'minItems', 'maxItems'],
  ['character', 'minLength', 'maxLength'],
  ['', 'minimum', 'maximum'],
]

function saidBound(lost: JsonSchema, [unit, least, most]: (typeof BOUNDS)[number]): readonly string[] {
  const [low, high] = [lost[least], lost[most]]
  const say = (number: Json) => (unit === '' ? String(number) : count(number, unit))
  if (low !== undefined && low === high) return [`exactly ${say(low)}`]
  const lowest = low === undefined ? [] : [low === 1 && unit !== '' ? 'not empty' : `at least ${say(low)}`]
  return [...lowest, ...(high === undefined ? [] : [`at most ${say(high)}`])]
}

/** What the keywords without a place in the grammar would have said. */
function inRule(lost: JsonSchema): string {
  const bounds = BOUNDS.flatMap((bound) => saidBound(lost, bound))
  const bound = new Set(BOUNDS.flat())
  const others = Object.entries(lost).filter(([keyword]) => !bound.has(keyword))
  return [...bounds, ...others.map(([word, value]) => `${word} ${JSON.stringify(value)}`)].join(', ')
}

/** Expressed by the translation itself, or irrelevant for a model. */
const TRANSLATED = new Set(
  'type properties required items anyOf enum const description title additionalProperties'.split(' '),
)

/** One translation: collects what the grammar cannot say. */
export class Translation {
  readonly rules: string[] = []
  private readonly grammar: Grammar

  constructor(grammar: Grammar) {
    this.grammar = grammar
  }

  schema(source: JsonSchema, place = ''): JsonSchema {
    this.noteLost(source, place)
    const { type, description, items } = source
    const values = source.enum ?? (source.const === undefined ? undefined : [source.const])
    const keptKeywords = Object.entries(source).filter(([keyword, value]) => this.keeps(keyword, value))
    const branches = branchesOf(source).map((branch) => this.schema(branch, place))
    const translated: JsonSchema = {
      ...(type === undefined ? {} : { type }),
      ...(description === undefined ? {} : { description }),
      ...(values === undefined ? {} : { enum: values }),
      ...Object.fromEntries(keptKeywords),
      ...(type === 'object' || source.properties !== undefined ? this.members(source, place) : {}),
      ...(isObject(items) ? { items: this.schema(items, `${place}[]`) } : {}),
      ...(branches.length === 0 ? {} : { anyOf: branches }),
    }
    return this.grammar.orNull === 'nullable' ? this.nullInside(translated) : translated
  }

  private keeps(keyword: string, value: Json): boolean {
    const { keywords, accepts = () => true } = this.grammar
    return keywords.has(keyword) && accepts(keyword, value)
  }

  private noteLost(source: JsonSchema, place: string): void {
    const lost = Object.entries(source).filter(
      ([keyword, value]) => !TRANSLATED.has(keyword) && !this.keeps(keyword, value),
    )
    if (lost.length === 0) return
    const rule = inRule(Object.fromEntries(lost))
    this.rules.push(`${place === '' ? 'The answer' : `"${place}"`}: ${rule}.`)
  }

  private members(source: JsonSchema, place: string): JsonSchema {
    const { optional, closed, ordering } = this.grammar
    const required = requiredOf(source)
    const names = Object.keys(membersOf(source))
    const properties = Object.entries(membersOf(source)).map(([name, member]) => {
      const inner = this.schema(member, place === '' ? name : `${place}.${name}`)
      return [name, optional === 'nullable' && !required.includes(name) ? this.orNull(inner) : inner]
    })
    return {
      ...(source.properties === undefined ? {} : { properties: Object.fromEntries(properties) as Json }),
      ...(names.length === 0 ? {} : { required: this.needed(names, required) }),
      ...(closed === 'said' ? { additionalProperties: false } : {}),
      ...(closed === 'as-given' && source.additionalProperties === false
        ? { additionalProperties: false }
        : {}),
      ...(ordering ? { propertyOrdering: names } : {}),
    }
  }

  private needed(names: readonly string[], required: readonly Json[]): readonly string[] {
    return this.grammar.optional === 'nullable' ? names : names.filter((name) => required.includes(name))
  }

  private orNull(schema: JsonSchema): JsonSchema {
    const { type, enum: values } = schema
    switch (this.grammar.orNull) {
      case 'nullable':
        return { ...schema, nullable: true }
      case 'type-list':
        if (typeof type === 'string' && type !== 'object' && type !== 'array') {
          return {
            ...schema,
            type: [type, 'null'],
            ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
          }
        }
        return { anyOf: [schema, { type: 'null' }] }
      case 'any-of':
        return { anyOf: [schema, { type: 'null' }] }
    }
  }

  /** A grammar with `nullable` knows no type "null": not in a union, not in a list of types, not among values. */
  private nullInside({ anyOf, ...rest }: JsonSchema): JsonSchema {
    const types = Array.isArray(rest.type) ? rest.type : []
    const branches = Array.isArray(anyOf) ? anyOf.filter(isObject) : []
    const others = branches.filter(({ type }) => type !== 'null')
    const [other] = others
    const [type = null] = types.filter((one) => one !== 'null')
    return {
      ...rest,
      ...(others.length === 1 ? other : {}),
      ...(others.length > 1 ? { anyOf: others } : {}),
      ...(types.length === 2 && types.includes('null') ? { type } : {}),
      ...(Array.isArray(rest.enum) ? { enum: rest.enum.filter((value) => value !== null) } : {}),
      ...(types.includes('null') || others.length < branches.length ? { nullable: true } : {}),
    }
  }
}
