// What a tool answered, read where the mapping says it stands. The result comes from a stranger: members are looked up
// as own ones only, and what is not of the kind expected counts as not said.

import { excerpt, Fault, meaningOf } from '../../mcp-client/fault.ts'
import type { Reply, Usage } from '../model.ts'
import type { ReplyMapping } from './mapping.ts'

export interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
  readonly _meta?: unknown
}

export type Said = Pick<Reply, 'text' | 'usage' | 'cost' | 'model'>

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
    // Not JSON: then nothing stands at any path below `json`.
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
  const found = at(result, path)
  return typeof found === 'string' && found !== '' ? found : null
}

const numberAt = (result: ToolResult, path: string | undefined, whole: boolean): number | null => {
  const found = at(result, path)
  const sound = typeof found === 'number' && found >= 0 && Number.isFinite(found)
  return sound && (!whole || Number.isSafeInteger(found)) ? found : null
}

function usageOf(result: ToolResult, mapping: ReplyMapping): Usage {
  return {
    inputTokens: numberAt(result, mapping.inputTokens, true),
    outputTokens: numberAt(result, mapping.outputTokens, true),
  }
}

/** Throws a Fault for an error of the tool, a refusal, an answer cut off, and one that is not there. */
export function readReply(result: ToolResult, mapping: ReplyMapping, maxBytes: number, now: number): Said {
  const words = textOf(result)
  if (result.isError === true) {
    const said = words.trim() === '' ? 'the tool failed and did not say why' : words
    const { type, cause, message, retryAfterMs } = meaningOf(said, { type: 'network', cause: 'server' }, now)
    throw new Fault(type, cause, message, retryAfterMs)
  }
  const stop = stringAt(result, mapping.stopReason)
  if (stop !== null && REFUSED.test(stop)) {
    throw new Fault('parse_error', 'refused', `the model declined to answer (${stop}): ${excerpt(words)}`)
  }
  if (stop !== null && CUT_OFF.test(stop)) {
    throw new Fault('parse_error', null, `the answer was cut off (${stop}): ${excerpt(words)}`)
  }
  const path = mapping.text ?? 'text'
  const found = at(result, path)
  const text = typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found)
  if (text.trim() === '') {
    const instead = words.trim() === '' ? 'nothing' : excerpt(words)
    throw new Fault('parse_error', null, `the tool's reply holds no answer at ${path}; it says: ${instead}`)
  }
  if (Buffer.byteLength(text) > maxBytes) {
    throw new Fault('parse_error', 'reply_too_large', `the reply is longer than ${maxBytes} bytes`)
  }
  const usd = numberAt(result, mapping.cost, false)
  return {
    text,
    usage: usageOf(result, mapping),
    cost: usd === null ? null : { usd, from: 'vendor' },
    model: stringAt(result, mapping.model),
  }
}
