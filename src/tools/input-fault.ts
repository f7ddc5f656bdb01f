// Whether the input of a call fits its tool, as the tool itself would say it. A server's schema may use words that are not
// understood here, so of its tools only what the schema requires is checked; the server checks the rest.

import type { Json } from '../ledger/canonical.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import { misfit } from '../ledger/schema-fault.ts'
import type { ToolDefinition } from './toolset.ts'

const OWN_SOURCES: readonly string[] = ['files', 'http', 'shell']

export function missingIn(schema: JsonSchema, input: Json): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'the input is no object'
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const missing = required.filter((name) => !Object.hasOwn(input, name))
  return missing.length === 0 ? null : `the value lacks ${missing.join(', ')}`
}

/** Null when it fits, else what does not. */
export const inputFault = ({ source, inputSchema }: ToolDefinition, input: Json): string | null =>
  OWN_SOURCES.includes(source) ? misfit(inputSchema, input) : missingIn(inputSchema, input)

/** What a tool takes, in a line: `path, content, append (may be left out)`. */
export function takenBy({ inputSchema }: Pick<ToolDefinition, 'inputSchema'>): string {
  const { properties, required } = inputSchema
  const needed = Array.isArray(required) ? required.map(String) : []
  const names = Object.keys(typeof properties === 'object' && properties !== null ? properties : {})
  const optional = names.filter((name) => !needed.includes(name))
  const all = [...needed, ...optional.map((name) => `${name} (may be left out)`)]
  return all.join(', ') || 'no input'
}
