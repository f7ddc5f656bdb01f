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

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** `edits [{find, replace}]`: what stands below a name is named too. */
function named(name: string, schema: unknown): string {
  if (!isSchema(schema)) return name
  if (isSchema(schema.items)) {
    const each = namesOf(schema.items, ' (may be left out)').join(', ')
    return each === '' ? `${name} [list]` : `${name} [{${each}}]`
  }
  return name
}

function namesOf({ properties, required }: JsonSchema, optionally: string): readonly string[] {
  const known = isSchema(properties) ? Object.entries(properties) : []
  const needed = Array.isArray(required) ? required.map(String) : []
  const own = (name: string) => named(name, known.find(([other]) => other === name)?.[1])
  const optional = known.map(([name]) => name).filter((name) => !needed.includes(name))
  return [...needed.map(own), ...optional.map((name) => `${own(name)}${optionally}`)]
}

/** What a tool takes, in a line: `path, edits [{find, replace}], root (may be left out)`. */
export const takenBy = ({ inputSchema }: Pick<ToolDefinition, 'inputSchema'>): string =>
  namesOf(inputSchema, ' (may be left out)').join(', ') || 'no input'
