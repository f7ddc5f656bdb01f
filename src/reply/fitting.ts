// One attempt to fit a written value into the requested schema: the rules, the repairs, and which places have
// no acceptable value.

import type { JsonSchema } from '../ledger/schema.ts'
import { RepairLog } from './repairs.ts'
import type { ReplyContext, Rule, WantedValue } from './wanted.ts'
import { foldName } from './words.ts'

/** More places are not named: then the whole answer is asked for again. */
const MOST_MISSING = 32

export class Fitting {
  readonly wanted: WantedValue
  readonly context: ReplyContext
  readonly repairs = new RepairLog()
  private readonly lacking = new Set<string>()

  constructor(wanted: WantedValue, context: ReplyContext) {
    this.wanted = wanted
    this.context = context
  }

  /** The rule for a place, or for the name that it ends with. */
  ruleAt(place: string): Rule {
    const pattern = place.replaceAll(/\[\d+\]/g, '[]')
    const name = pattern.replaceAll('[]', '').split('.').at(-1) ?? ''
    const { rules } = this.wanted
    if (Object.hasOwn(rules, pattern)) return rules[pattern] ?? {}
    return Object.hasOwn(rules, name) ? (rules[name] ?? {}) : {}
  }

  miss(place: string): undefined {
    if (this.lacking.size < MOST_MISSING) this.lacking.add(place)
    return undefined
  }

  get missing(): readonly string[] {
    return [...this.lacking]
  }

  /** Whether something is missing at or below a place. */
  lacksWithin(place: string): boolean {
    return [...this.lacking].some(
      (each) => each === place || each.startsWith(`${place}.`) || each.startsWith(`${place}[`),
    )
  }
}

export const propertiesOf = (schema: JsonSchema): { readonly [name: string]: JsonSchema } =>
  (schema.properties ?? {}) as { readonly [name: string]: JsonSchema }

const FOLDED = new WeakMap<JsonSchema, ReadonlyMap<string, string>>()

/** The property that a member's name means. */
export function propertyMeant(schema: JsonSchema, name: string): string | undefined {
  const known =
    FOLDED.get(schema) ?? new Map(Object.keys(propertiesOf(schema)).map((each) => [foldName(each), each]))
  FOLDED.set(schema, known)
  return known.get(foldName(name))
}

export const isRequired = (schema: JsonSchema, name: string): boolean =>
  Array.isArray(schema.required) && schema.required.includes(name)

/** The branches of a schema that says "one of these". */
export const branchesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema.anyOf) ? (schema.anyOf as readonly JsonSchema[]) : [schema]
