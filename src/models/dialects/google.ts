// Gemini's response schema: a part of OpenAPI 3.0. No `$ref`, `const` or `additionalProperties`, values of enums are
// texts, "or null" is `nullable`, every object names its members, and the order in which they are written is said. Long
// bounds make a schema that the vendor calls too complex to serve: they go into words.
// https://ai.google.dev/api/caching#Schema

import type { JsonSchema } from '../../ledger/schema.ts'
import { wordsOnly } from './in-words.ts'
import {
  type AskedShape,
  type Grammar,
  hasOpenObject,
  partsOf,
  Translation,
  withoutRootUnion,
} from './translate.ts'

const OPENAPI: Grammar = {
  keywords: new Set(['minItems', 'minimum', 'maximum']),
  accepts: (keyword, value) => keyword !== 'minItems' || value === 0 || value === 1,
  optional: 'left-out',
  orNull: 'nullable',
  closed: 'unsaid',
  ordering: true,
}

const isText = (value: unknown): boolean => typeof value === 'string'

/** Values that are not texts, or members without a type, cannot be expressed. */
const isSayable = (schema: JsonSchema): boolean =>
  partsOf(schema).every(
    ({ enum: values, type, anyOf }) =>
      (!Array.isArray(values) || (type === 'string' && values.every(isText))) &&
      (typeof type === 'string' || anyOf !== undefined),
  )

export function googleShape(wanted: JsonSchema): AskedShape {
  const { schema, rules } = withoutRootUnion(wanted)
  if (hasOpenObject(schema)) return wordsOnly
  const translation = new Translation(OPENAPI)
  const translated = translation.schema(schema)
  if (!isSayable(translated)) return wordsOnly
  return { schema: translated, strict: true, rules: [...rules, ...translation.rules] }
}
