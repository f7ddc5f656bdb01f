// Anthropic's structured outputs: closed objects, no bounds on numbers, texts or lists beyond "at least one", at most 24
// members that may be left out and 16 of several types, no object without known members. Models without them are given
// the same schema as the input of a tool. What is open is asked for in words: newer models refuse to be made to call a
// tool.
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations

import type { JsonSchema } from '../../ledger/schema.ts'
import { wordsOnly } from './in-words.ts'
import {
  type AskedShape,
  type Grammar,
  hasOpenObject,
  membersOf,
  partsOf,
  requiredOf,
  Translation,
  withoutRootUnion,
} from './translate.ts'

const CLOSED: Grammar = {
  keywords: new Set(['minItems', 'format']),
  accepts: (keyword, value) => keyword !== 'minItems' || value === 0 || value === 1,
  optional: 'left-out',
  orNull: 'any-of',
  closed: 'said',
  ordering: false,
}

/** Documented are 24 and 16; the SDK for this API gives up structured outputs beyond 10. */
const MOST = { leftOut: 10, unions: 16 }

const leftOut = (schema: JsonSchema): number =>
  Object.keys(membersOf(schema)).filter((name) => !requiredOf(schema).includes(name)).length

function fits(schema: JsonSchema): boolean {
  const parts = partsOf(schema)
  const unions = parts.filter(({ anyOf, type }) => anyOf !== undefined || Array.isArray(type)).length
  return parts.reduce((sum, part) => sum + leftOut(part), 0) <= MOST.leftOut && unions <= MOST.unions
}

export function anthropicShape(wanted: JsonSchema): AskedShape {
  const { schema, rules } = withoutRootUnion(wanted)
  if (schema.type !== 'object' || hasOpenObject(schema)) return wordsOnly
  const translation = new Translation(CLOSED)
  const closed = translation.schema(schema)
  return fits(closed) ? { schema: closed, strict: true, rules: [...rules, ...translation.rules] } : wordsOnly
}
