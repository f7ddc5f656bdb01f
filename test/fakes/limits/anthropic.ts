// What Anthropic documents about schemas, tools and parameters, with the words of its errors.
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
// https://platform.claude.com/docs/en/api/messages
import { isObjectType, isSchema, listOf, namesOf, type Place, placesIn, type Schema } from './schema-walk.ts'

/** "Not supported": bounds of numbers and texts, of lists beyond minItems 0 and 1; recursion; other composition. */
const UNSUPPORTED: Readonly<Record<string, readonly string[]>> = {
  integer: ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'],
  number: ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'],
  string: ['minLength', 'maxLength'],
  array: ['maxItems', 'uniqueItems', 'contains'],
  object: ['minProperties', 'maxProperties', 'patternProperties', 'propertyNames'],
}

function placeFault({ schema }: Place): string | null {
  const type = String(schema.type)
  const found = (UNSUPPORTED[type] ?? []).find((keyword) => keyword in schema)
  if (found !== undefined) return `For '${type}' type, property '${found}' is not supported`
  if (type === 'array' && ![undefined, 0, 1].includes(schema.minItems as number)) {
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
  }
  // "additionalProperties must be set to false for objects"; so one without members could only be empty.
  if (isObjectType(schema) && schema.additionalProperties !== false) {
    return "For 'object' type, 'additionalProperties' must be explicitly set to false"
  }
  if (isObjectType(schema) && namesOf(schema).length === 0) return 'Arbitrary objects are not supported'
  return null
}

/** "Optional parameters: 24", "parameters with union types: 16", in all schemas of a request. */
function countFault(schema: Schema): string | null {
  const places = placesIn(schema)
  const optional = places.flatMap(({ schema: one }) =>
    namesOf(one).filter((name) => !listOf(one.required).includes(name)),
  ).length
  if (optional > 24) {
    return `Schemas contains too many optional parameters (${optional}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).`
  }
  const unions = places.filter(({ schema: one }) => 'anyOf' in one || Array.isArray(one.type)).length
  if (unions <= 16) return null
  return `Schemas contains too many parameters with union types (${unions} parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: 16).`
}

export function anthropicSchemaFault(schema: unknown): string | null {
  if (!isSchema(schema)) return 'Field required'
  if (schema.type !== 'object') return "Schema root must be of type 'object'"
  for (const place of placesIn(schema)) {
    const fault = placeFault(place)
    if (fault !== null) return fault
  }
  return countFault(schema)
}

/** The input of a tool is any JSON Schema with an object at its root and no union there; strict ones are compiled. */
function toolFault(tool: Tool): string | null {
  const { input_schema: schema } = tool
  if (!isSchema(schema)) return 'input_schema: Field required'
  if (schema.type !== 'object') return 'input_schema.type: Field required'
  if (['oneOf', 'allOf', 'anyOf'].some((keyword) => keyword in schema)) {
    return 'input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level'
  }
  const fault = tool.strict === true ? anthropicSchemaFault(schema) : null
  return fault === null ? null : `input_schema: ${fault}`
}

interface Tool {
  readonly input_schema?: unknown
  readonly strict?: boolean
}
interface Body {
  readonly model: string
  readonly max_tokens?: number
  readonly messages?: readonly unknown[]
  readonly temperature?: number
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number }
  readonly tools?: readonly Tool[]
  readonly tool_choice?: { readonly type: string }
  readonly output_config?: { readonly format?: { readonly type: string; readonly schema?: unknown } }
  readonly [name: string]: unknown
}

const KNOWN = new Set(
  'model max_tokens messages system temperature top_p top_k stream stop_sequences tools tool_choice output_config thinking metadata service_tier cache_control context_management container mcp_servers speed inference_geo betas'.split(
    ' ',
  ),
)
/** Newer models refuse to be made to call a tool, and sampling parameters. */
const NOT_FORCED = /opus-5-5|sonnet-5-5|fable-5-1/
const NO_SAMPLING = /opus-(?:4-7|4-8|5)|sonnet-5|haiku-5|fable-5/
/** "You can define up to 4 cache breakpoints." */
const MOST_BREAKPOINTS = 4

const countIn = (value: unknown, name: string): number => {
  if (typeof value !== 'object' || value === null) return 0
  const own = !Array.isArray(value) && name in value ? 1 : 0
  return Object.values(value).reduce<number>((sum, one) => sum + countIn(one, name), own)
}

function faultIn(body: Body): string | null {
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`
  if (typeof body.max_tokens !== 'number') return 'max_tokens: Field required'
  if ((body.messages ?? []).length === 0) return 'messages: at least one message is required'
  if (body.temperature !== undefined && NO_SAMPLING.test(body.model))
    return '`temperature` is deprecated for this model.'
  const budget = body.thinking?.budget_tokens
  if (budget !== undefined && (budget < 1_024 || budget >= body.max_tokens))
    return '`max_tokens` must be greater than `thinking.budget_tokens`, which must be at least 1024.'
  if (body.thinking !== undefined && body.temperature !== undefined && body.temperature !== 1)
    return '`temperature` may only be set to 1 when thinking is enabled.'
  const breakpoints = countIn(body, 'cache_control')
  if (breakpoints > MOST_BREAKPOINTS) {
    return `A maximum of ${MOST_BREAKPOINTS} blocks with cache_control may be provided. Found ${breakpoints}.`
  }
  if (NOT_FORCED.test(body.model) && ['tool', 'any'].includes(body.tool_choice?.type ?? '')) {
    return 'tool_choice: type "tool" and "any" are not supported for this model.'
  }
  for (const [i, tool] of (body.tools ?? []).entries()) {
    const fault = toolFault(tool)
    if (fault !== null) return `tools.${i}.custom.${fault}`
  }
  const format = body.output_config?.format
  const fault = format === undefined ? null : anthropicSchemaFault(format.schema)
  return fault === null ? null : `output_config.format.schema: ${fault}`
}

export function refuseMessages(body: unknown) {
  const message = faultIn(body as Body)
  if (message === null) return null
  const error = { type: 'invalid_request_error', message }
  return { status: 400, body: { type: 'error', error, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' } }
}
