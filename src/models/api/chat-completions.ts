// Chat Completions as spoken by the many servers that call themselves OpenAI-compatible. Parsed here rather
// than by the SDK, whose four streams in a row and validator cost more for each chunk than everything that a
// council does with it. Members of an unexpected shape are ignored; what is not JSON is an error at its
// place, and what came before it counts.

import { parsed } from './faults.ts'
import { eventsIn } from './server-sent-events.ts'
import type { CallOptions, Part, StreamingModel } from './speaker.ts'
import type { Send } from './wire.ts'

type Json = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectIn = (value: unknown): Json => (isObject(value) ? value : {})
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const countIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function messagesOf(prompt: CallOptions['prompt']): readonly object[] {
  return prompt.map(({ role, content }) => {
    if (typeof content === 'string') return { role, content }
    const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
    return { role, content: texts.join('') }
  })
}

function formatOf({ responseFormat, providerOptions }: CallOptions): object | undefined {
  if (responseFormat?.type !== 'json') return undefined
  const { schema } = responseFormat
  if (schema === undefined) return { type: 'json_object' }
  const strict = providerOptions?.openaiCompatible?.strictJsonSchema ?? true
  return { type: 'json_schema', json_schema: { schema, strict, name: 'response' } }
}

const bodyOf = (model: string, options: CallOptions): object => ({
  model,
  max_tokens: options.maxOutputTokens,
  response_format: formatOf(options),
  messages: messagesOf(options.prompt),
  stream: true,
  stream_options: { include_usage: true },
})

const FINISHES = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
  tool_calls: 'tool-calls',
} as const

const unifiedFinish = (raw: string): Extract<Part, { type: 'finish' }>['finishReason']['unified'] =>
  raw in FINISHES ? FINISHES[raw as keyof typeof FINISHES] : 'other'

/** Calls are told apart by their index, else by their id; one that has neither continues with the last. */
class ToolCalls {
  readonly #named = new Set<string>()
  /** Arguments that came before the name. */
  readonly #early = new Map<string, string>()
  #last = ''

  take(delta: Json): readonly Part[] {
    const { name, arguments: argumentText } = objectIn(delta.function)
    const id = String(countIn(delta.index) ?? (textIn(delta.id) || this.#last))
    this.#last = id
    const words = `${this.#early.get(id) ?? ''}${textIn(argumentText)}`
    const deltas: readonly Part[] = words === '' ? [] : [{ type: 'tool-input-delta', id, delta: words }]
    if (this.#named.has(id)) return deltas
    this.#early.set(id, words)
    if (textIn(name) === '') return []
    this.#early.delete(id)
    this.#named.add(id)
    return [{ type: 'tool-input-start', id, toolName: textIn(name) }, ...deltas]
  }
}

/** Some servers send content as parts, including the thinking. */
function* contentParts(content: unknown): Generator<Part> {
  for (const block of listIn(content)) {
    const { type, text, thinking } = objectIn(block)
    if (type === 'text' && textIn(text) !== '') yield { type: 'text-delta', id: 'text', delta: textIn(text) }
    const thought = listIn(thinking).map((each) => textIn(objectIn(each).text))
    if (type === 'thinking' && thought.length > 0)
      yield { type: 'reasoning-delta', id: 'reasoning', delta: thought.join('') }
  }
}

function usageFrom(usage: Json | null): Extract<Part, { type: 'finish' }>['usage'] {
  const total = usage === null ? undefined : (countIn(usage.prompt_tokens) ?? 0)
  const outputTotal = usage === null ? undefined : (countIn(usage.completion_tokens) ?? 0)
  const cacheRead = countIn(objectIn(usage?.prompt_tokens_details).cached_tokens)
  return {
    inputTokens: { total, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: outputTotal, text: undefined, reasoning: undefined },
  }
}

async function* readParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const calls = new ToolCalls()
  let usage: Json | null = null
  let finish = ''
  let isFirst = true
  for await (const data of eventsIn(body)) {
    if (data === '[DONE]') continue
    const rawValue = parsed(data)
    yield { type: 'raw', rawValue }
    const chunk = objectIn(rawValue)
    if (!Array.isArray(chunk.choices)) {
      yield { type: 'error', error: new Error(`no chunk of a chat completion: ${data.slice(0, 200)}`) }
      continue
    }
    if (isFirst && textIn(chunk.model) !== '')
      yield { type: 'response-metadata', modelId: textIn(chunk.model) }
    isFirst = false
    if (isObject(chunk.usage)) usage = chunk.usage
    const choice = objectIn(chunk.choices[0])
    finish = textIn(choice.finish_reason) || finish
    const delta = objectIn(choice.delta)
    const thought = textIn(delta.reasoning_content) || textIn(delta.reasoning)
    if (thought !== '') yield { type: 'reasoning-delta', id: 'reasoning', delta: thought }
    if (typeof delta.content !== 'string') yield* contentParts(delta.content)
    else if (delta.content !== '') yield { type: 'text-delta', id: 'text', delta: delta.content }
    for (const call of listIn(delta.tool_calls)) yield* calls.take(objectIn(call))
  }
  const finishReason =
    finish === ''
      ? { unified: 'error' as const, raw: undefined }
      : { unified: unifiedFinish(finish), raw: finish }
  yield { type: 'finish', finishReason, usage: usageFrom(usage) }
}

export const chatModel = (model: string, baseUrl: string, send: Send): StreamingModel => ({
  async doStream(options) {
    const { body } = await send(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(model, options)),
      signal: options.abortSignal ?? null,
    })
    return { stream: readParts(body ?? new ReadableStream()) }
  },
})
