// OpenAI's structured outputs, which compatible servers take too. Strict: every object closed, every member required (one
// that may be left out is nullable), no union at the root, and limits of size. What is open, such as the input of a tool,
// cannot be said strictly: then the schema guides the model without binding it. Bounds go into words in both: OpenAI
// takes some of them, Azure none, and llama.cpp cannot compile a text of 2,000 characters or more.
// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
// https://learn.microsoft.com/azure/ai-foundry/openai/how-to/structured-outputs#json-schema-support-and-limitations

import type { Json } from '../../ledger/canonical.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { wordsOnly } from './in-words.ts'
import {
  type AskedShape,
  type Grammar,
  hasOpenObject,
  isObject,
  membersOf,
  partsOf,
  Translation,
  withoutRootUnion,
} from './translate.ts'

const STRICT: Grammar = {
  keywords: new Set(),
  optional: 'nullable',
  orNull: 'type-list',
  closed: 'said',
  ordering: false,
}
const LOOSE: Grammar = { ...STRICT, optional: 'left-out', closed: 'as-given' }

/** Properties in all, levels of objects, values of enums, characters of names and values. Azure documents the least. */
const MOST = { properties: 100, levels: 5, values: 500, characters: 15_000 }

const valuesOf = (schema: JsonSchema): readonly Json[] => (Array.isArray(schema.enum) ? schema.enum : [])

function levelsOf(schema: JsonSchema): number {
  const inner: JsonSchema[] = [...Object.values(membersOf(schema))]
  if (isObject(schema.items)) inner.push(schema.items)
  if (Array.isArray(schema.anyOf)) inner.push(...schema.anyOf.filter(isObject))
  const own = schema.type === 'object' ? 1 : 0
  return own + Math.max(0, ...inner.map(levelsOf))
}

function fits(schema: JsonSchema): boolean {
  const parts = partsOf(schema)
  const names = parts.flatMap((part) => Object.keys(membersOf(part)))
  const values = parts.flatMap(valuesOf)
  const characters = [...names, ...values].reduce<number>((sum, one) => sum + String(one).length, 0)
  return (
    names.length <= MOST.properties &&
    levelsOf(schema) <= MOST.levels &&
    values.length <= MOST.values &&
    characters <= MOST.characters
  )
}

export function openaiShape(wanted: JsonSchema): AskedShape {
  const { schema, rules } = withoutRootUnion(wanted)
  // A root that is not an object is accepted in no mode of this vendor.
  if (schema.type !== 'object') return wordsOnly
  const say = (grammar: Grammar, strict: boolean): AskedShape & { readonly schema: JsonSchema } => {
    const translation = new Translation(grammar)
    return { schema: translation.schema(schema), strict, rules: [...rules, ...translation.rules] }
  }
  if (hasOpenObject(schema)) return say(LOOSE, false)
  const strict = say(STRICT, true)
  return fits(strict.schema) ? strict : say(LOOSE, false)
}
