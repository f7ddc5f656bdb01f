// What Google documents about schemas of the Gemini API, with the words of its errors: names that the message type does
// not have are refused by the parser, values by the service.
// https://ai.google.dev/api/caching#Schema
// https://ai.google.dev/gemini-api/docs/structured-output
import { isSchema, listOf, namesOf, type Schema } from './schema-walk.ts'

const FIELDS = new Set(
  'type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum'.split(
    ' ',
  ),
)
const TYPES = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'])

/** The parser's complaints. The path is written as the parser writes it. */
function parserFaults(schema: Schema, at: string): readonly string[] {
  const unknown = Object.keys(schema)
    .filter((name) => !FIELDS.has(name))
    .map((name) => `Invalid JSON payload received. Unknown name "${name}" at '${at}': Cannot find field.`)
  const { type } = schema
  const mistyped = Array.isArray(type)
    ? [
        `Invalid JSON payload received. Unknown name "type" at '${at}': Proto field is not repeating, cannot start list.`,
      ]
    : []
  const values = listOf(schema.enum).some((value) => typeof value !== 'string')
    ? [
        `Invalid value at '${at}.enum[0]' (TYPE_STRING), ${String(listOf(schema.enum).find((one) => typeof one !== 'string'))}`,
      ]
    : []
  const known = typeof type !== 'string' || TYPES.has(type.toUpperCase())
  const named = known
    ? []
    : [
        `Invalid value at '${at}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${String(type)}"`,
      ]
  const members = isSchema(schema.properties) ? Object.values(schema.properties) : []
  return [
    ...unknown,
    ...mistyped,
    ...values,
    ...named,
    ...members.flatMap((member, i) =>
      isSchema(member) ? parserFaults(member, `${at}.properties[${i}].value`) : [],
    ),
    ...(isSchema(schema.items) ? parserFaults(schema.items, `${at}.items`) : []),
    ...listOf(schema.anyOf).flatMap((one, i) =>
      isSchema(one) ? parserFaults(one, `${at}.any_of[${i}]`) : [],
    ),
  ]
}

/** The service's complaints about what the parser let through. */
function serviceFaults(schema: Schema, at: string): readonly string[] {
  const type = String(schema.type ?? '').toUpperCase()
  const faults: string[] = []
  if (type === '' && schema.anyOf === undefined) faults.push(`${at}: missing field type.`)
  if (type === 'OBJECT' && namesOf(schema).length === 0)
    faults.push(`${at}.properties: should be non-empty for OBJECT type`)
  if (type === 'ARRAY' && !isSchema(schema.items)) faults.push(`${at}.items: missing field.`)
  if (schema.enum !== undefined && type !== 'STRING') faults.push(`${at}.enum: only allowed for STRING type`)
  for (const [i, value] of listOf(schema.enum).entries())
    if (value === '') faults.push(`${at}.enum[${i}]: cannot be empty`)
  for (const list of ['required', 'propertyOrdering']) {
    for (const [i, name] of listOf(schema[list]).entries()) {
      const field = list === 'required' ? 'required' : 'property_ordering'
      if (!namesOf(schema).includes(String(name)))
        faults.push(`${at}.${field}[${i}]: property is not defined`)
    }
  }
  const members = isSchema(schema.properties) ? Object.entries(schema.properties) : []
  return [
    ...faults,
    ...members.flatMap(([name, member]) =>
      isSchema(member) ? serviceFaults(member, `${at}.properties["${name}"]`) : [],
    ),
    ...(isSchema(schema.items) ? serviceFaults(schema.items, `${at}.items`) : []),
    ...listOf(schema.anyOf).flatMap((one, i) =>
      isSchema(one) ? serviceFaults(one, `${at}.any_of[${i}]`) : [],
    ),
  ]
}

/** "A schema that is too complex is refused": long bounds multiply the states that a constraint has. */
function isTooComplex(schema: Schema): boolean {
  const long = ['maxLength', 'minLength', 'maxItems', 'minItems'].some(
    (keyword) => Number(schema[keyword] ?? 0) > 10,
  )
  const members = isSchema(schema.properties) ? Object.values(schema.properties) : []
  const inner = [...members, schema.items, ...listOf(schema.anyOf)].filter(isSchema)
  return long || inner.some(isTooComplex)
}

const TOO_COMPLEX =
  'The specified schema produces a constraint that has too many states for serving.  Typical causes of this error are schemas with lots of text (for example, very long property or enum names), schemas with long array length limits (especially when nested), or schemas using complex value matchers (for example, integers or numbers with minimum/maximum bounds or strings with complex formats like date-time)'

export function googleSchemaFault(schema: unknown): string | null {
  if (!isSchema(schema)) return null
  const unparsed = parserFaults(schema, 'generation_config.response_schema')
  if (unparsed.length > 0) return unparsed.join('\n')
  const refused = serviceFaults(schema, 'GenerateContentRequest.generation_config.response_schema')
  if (refused.length > 0) return refused.map((fault) => `* ${fault}\n`).join('')
  return isTooComplex(schema) ? TOO_COMPLEX : null
}

interface Body {
  readonly generationConfig?: { readonly responseSchema?: unknown; readonly responseMimeType?: string }
  readonly systemInstruction?: unknown
}

export function refuseGenerate(body: unknown, model: string) {
  const { generationConfig = {}, systemInstruction } = body as Body
  const invalid = (message: string) => ({
    status: 400,
    body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
  })
  if (systemInstruction !== undefined && model.startsWith('gemma')) {
    return invalid(`Developer instruction is not enabled for models/${model}`)
  }
  if (generationConfig.responseMimeType === 'application/json' && model.startsWith('gemma')) {
    return invalid(`JSON mode is not enabled for models/${model}`)
  }
  if (
    generationConfig.responseSchema !== undefined &&
    generationConfig.responseMimeType !== 'application/json'
  ) {
    return invalid("Function calling with a response mime type: 'text/plain' is unsupported")
  }
  const fault = googleSchemaFault(generationConfig.responseSchema)
  return fault === null ? null : invalid(fault)
}
