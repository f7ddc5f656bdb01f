// What OpenAI and Azure document about schemas and parameters, with the words of their errors.
// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
// https://learn.microsoft.com/azure/ai-foundry/openai/how-to/structured-outputs#json-schema-support-and-limitations
import {
  isObjectType,
  isSchema,
  levelsIn,
  listOf,
  namesOf,
  type Place,
  placesIn,
  type Schema,
} from './schema-walk.ts'

/** "All fields must be required", "additionalProperties: false must always be set". */
function objectFault({ schema, path }: Place): string | null {
  if (!isObjectType(schema)) return null
  const at = context(path)
  if (schema.additionalProperties !== false) {
    return `${at}, 'additionalProperties' is required to be supplied and to be false.`
  }
  const missing = namesOf(schema).find((name) => !listOf(schema.required).includes(name))
  const extra = listOf(schema.required).find((name) => !namesOf(schema).includes(String(name)))
  if (extra !== undefined)
    return `${at}, 'required' is required to be supplied and to be an array including every key in properties. Extra required key '${String(extra)}' supplied.`
  if (missing === undefined) return null
  return `${at}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
}

const context = (path: Place['path']): string => {
  const steps = path.map((step) => (typeof step === 'number' ? `'${step}'` : `'${step}'`))
  return `In context=(${steps.join(', ')}${steps.length === 1 ? ',' : ''})`
}

/** "Some type-specific keywords are not yet supported" (Azure: none of these), composition is not at all. */
const UNSUPPORTED = [
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'multipleOf'],
  ...['patternProperties', 'unevaluatedProperties', 'propertyNames', 'minProperties', 'maxProperties'],
  ...['unevaluatedItems', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems'],
  ...['allOf', 'oneOf', 'not', 'dependentRequired', 'dependentSchemas', 'if', 'then', 'else', 'default'],
]

function keywordFault({ schema, path }: Place): string | null {
  const found = UNSUPPORTED.find((keyword) => keyword in schema)
  if (found !== undefined) return `${context(path)}, '${found}' is not permitted.`
  const typed = ['type', 'anyOf', '$ref', 'enum', 'const'].some((keyword) => keyword in schema)
  return typed ? null : `${context(path)}, schema must have a 'type' key.`
}

/** Azure documents the narrower limits: 100 properties, 5 levels. OpenAI documents 5,000 and 10. */
function sizeFault(schema: Schema): string | null {
  const places = placesIn(schema)
  const properties = places.flatMap((place) => namesOf(place.schema)).length
  if (properties > 100)
    return `Expected at most 100 object properties in total within a schema, but received ${properties}.`
  const levels = levelsIn(schema)
  if (levels > 5) return `${levels} levels of nesting exceeds limit of 5.`
  const values = places.flatMap((place) => listOf(place.schema.enum)).length
  if (values <= 500) return null
  return `Expected at most 500 enum values in total within a single schema when using structured outputs, but received ${values}. Consider reducing the number of enums, or use 'strict: false' to opt out of structured outputs.`
}

/** "Root objects must not be anyOf and must be an object", strict or not. */
function rootFault(schema: Schema): string | null {
  if (schema.type === 'object' && !('anyOf' in schema)) return null
  const got = schema.type === undefined || 'anyOf' in schema ? 'None' : String(schema.type)
  return `schema must be a JSON Schema of 'type: "object"', got 'type: "${got}"'.`
}

export function openaiSchemaFault(name: string, schema: unknown, strict: boolean): string | null {
  if (!isSchema(schema)) return `Missing required parameter: 'schema'.`
  const strictly = (): string | null => {
    for (const place of placesIn(schema)) {
      const fault = objectFault(place) ?? keywordFault(place)
      if (fault !== null) return fault
    }
    return sizeFault(schema)
  }
  const fault = rootFault(schema) ?? (strict ? strictly() : null)
  return fault === null ? null : `Invalid schema for response_format '${name}': ${fault}`
}

interface ResponsesBody {
  readonly text?: {
    readonly format?: {
      readonly type: string
      readonly name: string
      readonly schema?: unknown
      readonly strict?: boolean
    }
  }
}
interface ChatBody {
  readonly response_format?: {
    readonly type: string
    readonly json_schema?: { readonly name: string; readonly schema?: unknown; readonly strict?: boolean }
  }
}

const invalid = (message: string, param: string, code: string | null = null) => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
})

/** Top-level parameters of the Responses API; any other is "Unknown parameter". */
const RESPONSES = new Set(
  'model input instructions text max_output_tokens stream stream_options store temperature top_p tools tool_choice reasoning metadata include user previous_response_id truncation service_tier prompt_cache_key parallel_tool_calls safety_identifier top_logprobs background conversation prompt max_tool_calls'.split(
    ' ',
  ),
)

export function refuseResponses(body: unknown) {
  const { text } = body as ResponsesBody
  const unknown = Object.keys(body as object).find((name) => !RESPONSES.has(name))
  if (unknown !== undefined) return invalid(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
  const format = text?.format
  if (format?.type !== 'json_schema') return null
  const fault = openaiSchemaFault(format.name, format.schema, format.strict === true)
  return fault === null ? null : invalid(fault, 'text.format.schema', 'invalid_json_schema')
}

export function refuseChat(body: unknown) {
  const shape = (body as ChatBody).response_format?.json_schema
  if (shape === undefined) return null
  const fault = openaiSchemaFault(shape.name, shape.schema, shape.strict === true)
  return fault === null ? null : invalid(fault, 'response_format')
}

/** llama.cpp compiles a schema to a grammar, in which nothing may be repeated 2,000 times. */
export function refuseGrammar(body: unknown) {
  const schema = (body as ChatBody).response_format?.json_schema?.schema
  const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems']
  const isLong =
    isSchema(schema) &&
    placesIn(schema).some((place) => bounds.some((name) => Number(place.schema[name]) >= 1_998))
  if (!isLong) return null
  const message = 'Failed to initialize samplers: failed to parse grammar'
  return { status: 400, body: { error: { code: 400, message, type: 'invalid_request_error' } } }
}
