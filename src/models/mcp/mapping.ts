// Which argument of a tool gets what, and where in its result the answer is: data, checked before anything is
// asked. No part of a request is lost: what no argument takes is put into the prompt.

import type { Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import { renderPrompt } from '../../ledger/prompt.ts'
import type { RawReply } from '../../ledger/raw-reply.ts'
import { excerpt, Fault, meaningOf } from '../../mcp-client/fault.ts'
import { type Ended, timeoutWords } from '../deadline.ts'
import { shapeInWords } from '../dialects/in-words.ts'
import type { Reply, Request, Usage } from '../model.ts'
import { NO_TUNING, type Tuning } from '../tuning.ts'

/** Text with placeholders, or any JSON with such texts inside. */
type Template = Json

/** Which argument gets what: `{ message: '{prompt}', model: '{model}' }`. */
export type Arguments = { readonly [argument: string]: Template }

/**
 * Places in a tool's result, as dotted paths from `text` (all text of the content), `json` (that text read as JSON),
 * `structured` (the structured content) or `meta`.
 */
export interface ReplyMapping {
  /** `text` unless given; what is not a string is used as JSON. */
  readonly text?: string
  readonly model?: string
  readonly stopReason?: string
  readonly inputTokens?: string
  readonly outputTokens?: string
  /** In US dollars. */
  readonly cost?: string
}

const NAMES = [
  ...(['prompt', 'system', 'model', 'schema', 'schema_json', 'max_output_tokens'] as const),
  ...(['temperature', 'thinking'] as const),
] as const
type Name = (typeof NAMES)[number]
type Values = Readonly<Record<Name, Json>>

const ROOTS = ['text', 'json', 'structured', 'meta']
const PLACEHOLDER = /\{([a-z_]+)\}/g
const isName = (name: string): name is Name => NAMES.some((known) => known === name)

function namesIn(template: Template): string[] {
  if (typeof template === 'string') return [...template.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '')
  return typeof template === 'object' && template !== null ? Object.values(template).flatMap(namesIn) : []
}

const invalid = (message: string, next: string) => new WitanError('CONFIG_INVALID', message, next)

/** Throws CONFIG_INVALID for a mapping that could not work. */
export function checkMapping(mapping: Arguments, reply: ReplyMapping): void {
  const used = namesIn(mapping)
  const allowed = NAMES.map((name) => `{${name}}`).join(', ')
  for (const name of used) {
    if (!isName(name)) throw invalid(`{${name}} is nothing that an argument can get`, `Use ${allowed}.`)
  }
  if (!used.includes('prompt')) {
    throw invalid('no argument of the tool gets the prompt', 'Give one of them the value "{prompt}".')
  }
  checkPaths(reply)
}

/** Throws CONFIG_INVALID for a path with an unknown beginning. */
export function checkPaths(reply: ReplyMapping): void {
  for (const [key, path] of Object.entries(reply)) {
    const [root = ''] = String(path).split('.')
    if (!ROOTS.includes(root)) {
      throw invalid(`the reply's ${key} cannot be at ${path}`, `Begin the path with ${ROOTS.join(', ')}.`)
    }
  }
}

/** Undefined for a lone placeholder without a value: the argument is left out. */
function fill(template: Template, values: Values): Json | undefined {
  if (typeof template === 'string') {
    const alone = /^\{([a-z_]+)\}$/.exec(template)?.[1]
    if (alone !== undefined && isName(alone)) return values[alone] ?? undefined
    // One pass over the template: a prompt that itself holds "{system}" stays as it is.
    return template.replaceAll(PLACEHOLDER, (whole, name: string) => {
      const value = isName(name) ? values[name] : whole
      return value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
    })
  }
  if (typeof template !== 'object' || template === null) return template
  if (Array.isArray(template)) return template.flatMap((one) => fill(one, values) ?? [])
  return fillMembers(template as Arguments, values)
}

function fillMembers(templates: Arguments, values: Values): { [name: string]: Json } {
  const filled = Object.entries(templates).flatMap(([name, template]) => {
    const value = fill(template, values)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(filled)
}

/** The arguments of the tool call. */
export function toolArguments(
  mapping: Arguments,
  request: Request,
  model: string | null,
  tuning: Tuning = NO_TUNING,
): { [argument: string]: Json } {
  const used = namesIn(mapping)
  const { schema } = request
  const takesShape = used.includes('schema') || used.includes('schema_json')
  const prompt = [
    used.includes('system') ? '' : request.system,
    renderPrompt(request.parts),
    schema === null || takesShape ? '' : shapeInWords(schema),
  ]
  return fillMembers(mapping, {
    prompt: prompt.filter((text) => text !== '').join('\n\n'),
    system: request.system === '' ? null : request.system,
    model,
    schema,
    schema_json: schema === null ? null : JSON.stringify(schema),
    max_output_tokens: request.limits.maxOutputTokens,
    temperature: tuning.temperature ?? null,
    thinking: tuning.thinking ?? null,
  })
}

/** Why a tool cannot be used; null where its arguments can carry the seat's settings. */
export function untunableTool(mapping: Arguments, tuning: Tuning): string | null {
  const used = namesIn(mapping)
  const lost = (['temperature', 'thinking'] as const).find(
    (name) => tuning[name] !== undefined && !used.includes(name),
  )
  return lost === undefined ? null : `no argument of the tool gets {${lost}}`
}

/** The required arguments of a tool that a mapping does not fill. */
export function unfilled(inputSchema: unknown, filled: Readonly<Record<string, Json>>): string[] {
  const required = typeof inputSchema === 'object' && inputSchema !== null && 'required' in inputSchema
  const names: unknown = required ? inputSchema.required : []
  return Array.isArray(names) ? names.map(String).filter((name) => !Object.hasOwn(filled, name)) : []
}

// The answer of a tool, read from the mapped place. The result is untrusted: only own members are read, and
// values of an unexpected type are ignored.

export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
  readonly _meta?: unknown
}

export type McpReply = RawReply & Pick<Reply, 'usage' | 'cost' | 'model'>

const CUT_OFF = /^(?:max[_ ]?(?:output[_ ]?)?tokens|length|model_length)$/i
const REFUSED = /^(?:refusal|content_filter|safety|blocked)$/i

const textOf = (result: ToolResult): string =>
  (result.content ?? [])
    .flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
    .join('\n')

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: then nothing is at any path below `json`.
    return undefined
  }
}

function rootOf(result: ToolResult, root: string | undefined): unknown {
  if (root === 'text') return textOf(result)
  if (root === 'json') return jsonOf(textOf(result))
  return root === 'meta' ? result._meta : result.structuredContent
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

function at(result: ToolResult, path: string | undefined): unknown {
  if (path === undefined) return undefined
  const [root, ...names] = path.split('.')
  return names.reduce(memberOf, rootOf(result, root))
}

const stringAt = (result: ToolResult, path: string | undefined): string | null => {
  const value = at(result, path)
  return typeof value === 'string' && value !== '' ? value : null
}

const numberAt = (result: ToolResult, path: string | undefined, whole: boolean): number | null => {
  const value = at(result, path)
  const sound = typeof value === 'number' && value >= 0 && Number.isFinite(value)
  return sound && (!whole || Number.isSafeInteger(value)) ? value : null
}

function usageOf(result: ToolResult, mapping: ReplyMapping): Usage {
  return {
    inputTokens: numberAt(result, mapping.inputTokens, true),
    outputTokens: numberAt(result, mapping.outputTokens, true),
  }
}

function endingOf(stop: string | null): Pick<RawReply, 'finish_reason'> {
  if (stop === null) return {}
  if (REFUSED.test(stop)) return { finish_reason: 'content_filter' }
  return { finish_reason: CUT_OFF.test(stop) ? 'length' : stop }
}

/** Throws a Fault for an error of the tool, and where an expected answer is missing. */
export function readReply(
  result: ToolResult,
  mapping: ReplyMapping,
  maxBytes: number,
  now: number,
): McpReply {
  const words = textOf(result)
  if (result.isError === true) {
    const failureText = words.trim() === '' ? 'the tool failed and did not say why' : words
    const { type, cause, message, retryAfterMs } = meaningOf(
      failureText,
      { type: 'network', cause: 'server' },
      now,
    )
    throw new Fault(type, cause, message, retryAfterMs)
  }
  const path = mapping.text ?? 'text'
  const value = at(result, path)
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  if (text === '' && path !== 'text') {
    const instead = words.trim() === '' ? 'nothing' : excerpt(words)
    throw new Fault('parse_error', null, `the tool's reply holds no answer at ${path}; it says: ${instead}`)
  }
  if (Buffer.byteLength(text) > maxBytes) {
    throw new Fault('parse_error', 'reply_too_large', `the reply is longer than ${maxBytes} bytes`)
  }
  const usd = numberAt(result, mapping.cost, false)
  return {
    text,
    ...endingOf(stringAt(result, mapping.stopReason)),
    usage: usageOf(result, mapping),
    cost: usd === null ? null : { usd, from: 'vendor' },
    model: stringAt(result, mapping.model),
  }
}

// Why a call over MCP was stopped, as the Fault that its signal carries.

export const faultWhenEnded =
  (limitMs: number) =>
  (ended: Ended): Fault =>
    ended === 'aborted'
      ? new Fault('network', 'aborted', 'the asking was given up')
      : new Fault('timeout', null, timeoutWords(ended, limitMs))
