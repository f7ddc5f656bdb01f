// Sends a reply of the corpus over the wire of an OpenAI-compatible server, with everything that its record says the wire
// carried: calls, reasoning, how it ended, one plain body, or an error in place of all that.

import type { ServerResponse } from 'node:http'
import type { CarelessReply } from '../replies/corpus.ts'
import { event, type Seen } from './scripted-server.ts'

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }

const chunk = (request: Seen, delta: object, finish: string | null = null, more: object = {}) =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_780_000_000,
    model: (request.body as { model: string }).model,
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  })

const USAGE = { usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 } }

export type Careless = Pick<CarelessReply, 'raw' | 'wire'>

export function sendCareless({ raw, wire = {} }: Careless, request: Seen, response: ServerResponse): void {
  const [error] = wire.answers ?? []
  if (error !== undefined) {
    const wait = error.retry_after === undefined ? {} : { 'retry-after': String(error.retry_after) }
    response.writeHead(error.status, { 'content-type': 'application/json', ...wait })
    response.end(error.body)
    return
  }
  if (wire.plain_body !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(wire.plain_body)
    return
  }
  const { reasoning_content, tool_calls = [], refusal, finish_reason, cut } = wire
  const calls = tool_calls.map(({ name, arguments: given }, index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: given },
  }))
  response.writeHead(200, STREAM)
  response.end(
    [
      chunk(request, { role: 'assistant', content: null }),
      ...(reasoning_content === undefined ? [] : [chunk(request, { reasoning_content })]),
      ...(raw === '' ? [] : [chunk(request, { content: raw })]),
      ...(calls.length === 0 ? [] : [chunk(request, { tool_calls: calls })]),
      ...(refusal === undefined ? [] : [chunk(request, { refusal })]),
      ...(cut ? [] : [chunk(request, {}, finish_reason ?? null, USAGE), event('[DONE]')]),
    ].join(''),
  )
}
