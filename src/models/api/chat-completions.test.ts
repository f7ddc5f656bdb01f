// Our reader of Chat Completions beside the one of the SDK: the same request goes out, and the same is heard of every stream
// that the SDK can read.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { describe, expect, it } from 'vitest'
import { readStream } from './call.ts'
import { chatModel } from './chat-completions.ts'
import type { CallOptions, StreamingModel } from './speaker.ts'

const BASE = 'http://127.0.0.1:1/v1'

const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_780_000_000,
  model: 'fake-1',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const usage = (more: object = {}) => ({
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, ...more },
})
const call = (more: object) => chunk({ tool_calls: [more] })
const DONE = '[DONE]'
const END = chunk({}, { finish_reason: 'stop' })

const STREAMS: Readonly<Record<string, readonly unknown[]>> = {
  'a text': [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Zw' }),
    chunk({ content: 'ölf' }),
    END,
    usage(),
    DONE,
  ],
  'content that begins as null': [
    chunk({ role: 'assistant', content: null }),
    chunk({ content: 'Yes.' }),
    END,
    DONE,
  ],
  'usage with cached tokens': [
    chunk({ content: 'Yes.' }),
    END,
    usage({ prompt_tokens_details: { cached_tokens: 5 } }),
    DONE,
  ],
  'usage beside the last choice': [
    chunk({ content: 'Yes.' }),
    { ...END, usage: { prompt_tokens: 3, completion_tokens: 2 } },
    DONE,
  ],
  'thinking as reasoning_content': [
    chunk({ reasoning_content: 'Hm. ' }),
    chunk({ reasoning_content: 'Well.' }),
    chunk({ content: 'Yes.' }),
    END,
    DONE,
  ],
  'thinking as reasoning': [chunk({ reasoning: 'Hm.' }), chunk({ content: 'Yes.' }), END, DONE],
  'content in parts': [
    chunk({
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
        { type: 'text', text: 'Yes.' },
      ],
    }),
    END,
    DONE,
  ],
  'a call in pieces': [
    call({ index: 0, id: 'c1', function: { name: 'json', arguments: '' } }),
    call({ index: 0, function: { arguments: '{"a"' } }),
    call({ index: 0, function: { arguments: ':1}' } }),
    chunk({}, { finish_reason: 'tool_calls' }),
    DONE,
  ],
  'two calls at once': [
    call({ index: 0, id: 'c1', function: { name: 'one', arguments: '{}' } }),
    call({ index: 1, id: 'c2', function: { name: 'two', arguments: '{"b":' } }),
    call({ index: 1, function: { arguments: '2}' } }),
    chunk({}, { finish_reason: 'tool_calls' }),
    DONE,
  ],
  'a call without an index': [
    call({ id: 'c1', function: { name: 'json', arguments: '{"a":1}' } }),
    chunk({}, { finish_reason: 'tool_calls' }),
    DONE,
  ],
  'arguments before their name': [
    call({ index: 0, id: 'c1', function: { arguments: '{"a"' } }),
    call({ index: 0, function: { name: 'json', arguments: ':1}' } }),
    chunk({}, { finish_reason: 'tool_calls' }),
    DONE,
  ],
  'a limit': [chunk({ content: 'Ye' }), chunk({}, { finish_reason: 'length' }), DONE],
  'a filter': [chunk({}, { finish_reason: 'content_filter' }), DONE],
  'a reason of its own': [chunk({ content: 'Yes.' }), chunk({}, { finish_reason: 'eos' }), DONE],
  'a refusal': [chunk({ refusal: 'I will not.' }), END, DONE],
  'no end': [chunk({ content: 'Ye' })],
  'nothing but the end': [DONE],
  'an error in the middle': [
    chunk({ content: 'Ye' }),
    { error: { message: 'Provider disconnected', code: 502 } },
  ],
  'a bill': [chunk({ content: 'Yes.' }), END, usage({ cost: 0.00123 }), DONE],
}

const OPTIONS: CallOptions = {
  prompt: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Adopt?' }] },
  ],
  maxOutputTokens: 500,
  responseFormat: { type: 'json', schema: { type: 'object', properties: { a: { type: 'number' } } } },
  providerOptions: { openai: { store: false }, openaiCompatible: { strictJsonSchema: false } },
  includeRawChunks: true,
}

/** What is heard, and what was sent. */
async function heardBy(
  make: (send: typeof fetch) => StreamingModel,
  events: readonly unknown[],
  options: CallOptions,
) {
  const sent: { url: string; body: unknown; type: string | null }[] = []
  const text = events
    .map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`)
    .join('')
  const send: typeof fetch = async (url, init) => {
    const type = new Headers(init?.headers).get('content-type')
    sent.push({ url: String(url), body: JSON.parse(String(init?.body)), type })
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  }
  const { stream } = await make(send).doStream(options)
  const said: string[] = []
  const asked = {
    limits: { timeoutMs: 1_000, maxOutputTokens: null, maxReplyBytes: 10_000 },
    hear: (words: string) => said.push(words),
  }
  const heard = await readStream('openai-compatible', stream, asked, { tail: text.slice(-64) }, () => ({
    type: 'network',
    cause: null,
    message: 'torn',
    retryAfterMs: null,
  }))
  return { heard, sent, said: said.join('') }
}

const ours = (send: typeof fetch): StreamingModel => chatModel('fake-1', BASE, send)
const theirs = (send: typeof fetch): StreamingModel =>
  createOpenAICompatible({
    name: 'compatible',
    includeUsage: true,
    supportsStructuredOutputs: true,
    baseURL: BASE,
    fetch: send,
  })('fake-1')

describe('Chat Completions, read by us and by the SDK', () => {
  it.each(Object.entries(STREAMS))('VOX-7 reads the same from %s', async (_, events) => {
    const [own, sdk] = [await heardBy(ours, events, OPTIONS), await heardBy(theirs, events, OPTIONS)]
    expect(own.heard).toEqual(sdk.heard)
    expect(own.said).toBe(sdk.said)
  })

  it('VOX-7 sends the same', async () => {
    const { responseFormat: _, ...plain } = OPTIONS
    for (const options of [OPTIONS, plain, { ...OPTIONS, responseFormat: { type: 'json' as const } }]) {
      const [own, sdk] = [await heardBy(ours, [DONE], options), await heardBy(theirs, [DONE], options)]
      expect(own.sent).toEqual(sdk.sent)
    }
  })

  it('VOX-7 keeps the text before a chunk that is not JSON, and quotes that chunk if there was no text', async () => {
    const { heard } = await heardBy(ours, [chunk({ content: 'Yes.' }), '{"choices":', DONE], OPTIONS)
    expect([heard.raw.text, heard.fault]).toEqual(['Yes.', null])
    const nothing = await heardBy(ours, ['<html>'], OPTIONS)
    expect(nothing.heard.fault?.message).toContain('<html>')
  })
})
