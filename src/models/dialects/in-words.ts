// A shape in words, for anyone who takes no schema, and the rules that a vendor's schema cannot hold.

import type { JsonSchema } from '../../ledger/schema.ts'
import type { AskedShape } from './translate.ts'

/** For a wire that has no place for a schema, or would not keep to it. */
export const shapeInWords = (schema: JsonSchema): string =>
  `Answer with one JSON value and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema)}`

/** What is to be said beside the schema that is sent; empty where that says all. */
export function wordsBeside({ schema, rules }: AskedShape, wanted: JsonSchema): string {
  if (schema === null) return shapeInWords(wanted)
  return rules.length === 0
    ? ''
    : `The answer also keeps to these rules:\n${rules.map((rule) => `- ${rule}`).join('\n')}`
}

/** For models that are asked in words alone. */
export const wordsOnly: AskedShape = { schema: null, strict: false, rules: [] }
