// A shape in words, for models that accept no schema, and the rules that a vendor's schema cannot express.

import type { JsonSchema } from '../../ledger/schema.ts'
import type { AskedShape } from './translate.ts'

/** For an API that has no place for a schema, or would not keep to it. */
export const shapeInWords = (schema: JsonSchema): string =>
  `Answer with one JSON value and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema)}`

/** What has to be written in addition to the schema; empty where the schema contains everything. */
export function wordsBeside({ schema, rules }: AskedShape, wanted: JsonSchema): string {
  if (schema === null) return shapeInWords(wanted)
  return rules.length === 0
    ? ''
    : `The answer also keeps to these rules:\n${rules.map((rule) => `- ${rule}`).join('\n')}`
}

/** For models that are asked in words only. */
export const wordsOnly: AskedShape = { schema: null, strict: false, rules: [] }
