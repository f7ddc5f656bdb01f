// A reply exactly as it was received, before anything is read from it. It is kept as JSON that escapes what
// has no UTF-8 (lone surrogates), so that anyone who reads it again later gets the same characters.

import { fromUtf8, utf8 } from './bytes.ts'
import type { Artifact } from './event.ts'

export interface RawReply {
  readonly text: string
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly reasoning_content?: string
  readonly finish_reason?: string
  readonly refusal?: string
  /** The stream ended before it was finished. */
  readonly cut?: boolean
}

/** The name of the artifact that contains it. */
export const RAW = 'raw.json'

/** Only its own members. */
export const rawOf = (reply: RawReply): RawReply => ({
  text: reply.text,
  ...(reply.tool_calls && reply.tool_calls.length > 0
    ? { tool_calls: reply.tool_calls.map((call) => ({ name: call.name, arguments: call.arguments })) }
    : {}),
  ...(reply.reasoning_content ? { reasoning_content: reply.reasoning_content } : {}),
  ...(reply.finish_reason ? { finish_reason: reply.finish_reason } : {}),
  ...(reply.refusal ? { refusal: reply.refusal } : {}),
  ...(reply.cut ? { cut: true } : {}),
})

export const writeRaw = (reply: RawReply): Uint8Array => utf8(JSON.stringify(rawOf(reply)))

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'

function isRaw(value: unknown): value is RawReply {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { text, tool_calls, reasoning_content, finish_reason, refusal, cut } = value as {
    readonly [name: string]: unknown
  }
  const isCall = (call: unknown): boolean => {
    const { name, arguments: argumentText } = (call ?? {}) as { readonly [name: string]: unknown }
    return typeof name === 'string' && typeof argumentText === 'string'
  }
  return (
    typeof text === 'string' &&
    (tool_calls === undefined || (Array.isArray(tool_calls) && tool_calls.every(isCall))) &&
    [reasoning_content, finish_reason, refusal].every(isText) &&
    (cut === undefined || cut === true)
  )
}

/** Null when the bytes are not what `writeRaw` writes. */
export function readRaw(bytes: Uint8Array): RawReply | null {
  const text = fromUtf8(bytes)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRaw(value) && JSON.stringify(rawOf(value)) === text ? rawOf(value) : null
  } catch {
    return null
  }
}

// What a trace records of a model call, in the payload of its event: the transport, the model as it names
// itself, usage and cost, and every attempt. Request and reply are beside it as artifacts.

/** What a payload says about a model call: who answered, how, at what cost, and where request and reply are kept. */
export interface AskingFields<Way extends string = string> {
  /** `request.json` and `reply.json`. */
  readonly artifacts: readonly Artifact[]
  readonly transport: Way
  readonly model: string | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost: { readonly usd: number; readonly from: string } | null
  readonly latency_ms: number
  readonly attempts: readonly {
    readonly transport: Way
    readonly error_type: string | null
    readonly cause: string | null
    readonly error_message: string | null
    readonly latency_ms: number
    readonly waited_ms: number
  }[]
}
