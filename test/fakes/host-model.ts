// The model inside a host, on each vendor's wire: it is shown tools and what they gave back, and says which tool to
// call next or what to say. Requests that offer no tool of ours (titles, summaries) are answered with a word.

import type { ServerResponse } from 'node:http'
import { messageStart, named } from './anthropic.ts'
import type { Vendor } from './cli/stub.ts'
import { event, type FakeServer, type Seen, serve } from './scripted-server.ts'

/** What the model sees of the conversation: the tools of Witan by their own names, and results in their order. */
interface Sight {
  readonly tools: readonly string[]
  readonly results: readonly string[]
}

export type Turn =
  | { readonly tool: string; readonly args: Record<string, unknown> }
  | { readonly say: string }

export type HostModel = (sight: Sight) => Turn

interface Offered {
  /** As the host spells it. */
  readonly name: string
  readonly namespace?: string
}

interface Wire {
  readonly path: RegExp
  offered(body: never): readonly Offered[]
  results(body: never): readonly string[]
  say(text: string, model: string): readonly string[]
  call(tool: Offered, args: object, nth: number, model: string): readonly string[]
}

const OURS = /(?:council|trace|agents|exchange)_[a-z]+$/
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

type Block = { readonly type: string; readonly content?: unknown }
interface AnthropicBody {
  readonly tools?: readonly Offered[]
  readonly messages: readonly { readonly content: string | readonly Block[] }[]
}

const message = (
  model: string,
  block: object,
  deltas: readonly object[],
  stop: string,
): readonly string[] => [
  messageStart(model, 1),
  named({ type: 'content_block_start', index: 0, content_block: block }),
  ...deltas.map((delta) => named({ type: 'content_block_delta', index: 0, delta })),
  named({ type: 'content_block_stop', index: 0 }),
  named({
    type: 'message_delta',
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: 1 },
  }),
  named({ type: 'message_stop' }),
]

const claude: Wire = {
  path: /^\/v1\/messages(\?.*)?$/,
  offered: ({ tools = [] }: AnthropicBody) => tools,
  results: ({ messages }: AnthropicBody) =>
    messages
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => text(content)),
  say: (words, model) =>
    message(model, { type: 'text', text: '' }, [{ type: 'text_delta', text: words }], 'end_turn'),
  call: ({ name }, args, nth, model) =>
    message(
      model,
      { type: 'tool_use', id: `toolu_${nth}`, name, input: {} },
      [{ type: 'input_json_delta', partial_json: JSON.stringify(args) }],
      'tool_use',
    ),
}

type OpenTool = {
  readonly type: string
  readonly name?: string
  readonly tools?: readonly { name: string }[]
}
interface OpenaiBody {
  readonly tools?: readonly OpenTool[]
  readonly input: readonly { readonly type: string; readonly output?: unknown }[]
}

const response = (model: string, item: object): readonly string[] => {
  const whole = {
    id: 'resp_01',
    object: 'response',
    created_at: 1_780_000_000,
    model,
    output: [],
    error: null,
  }
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  }
  return [
    named({ type: 'response.created', response: { ...whole, status: 'in_progress' } }),
    named({ type: 'response.output_item.added', output_index: 0, item }),
    named({ type: 'response.output_item.done', output_index: 0, item }),
    named({ type: 'response.completed', response: { ...whole, status: 'completed', usage } }),
  ]
}

const codex: Wire = {
  path: /^\/v1\/responses$/,
  offered: ({ tools = [] }: OpenaiBody) =>
    tools.flatMap(({ type, name = '', tools: inner = [] }) =>
      type === 'namespace' ? inner.map((tool) => ({ name: tool.name, namespace: name })) : [{ name }],
    ),
  results: ({ input }: OpenaiBody) =>
    input.filter(({ type }) => type.endsWith('call_output')).map(({ output }) => text(output)),
  say: (words, model) =>
    response(model, {
      id: 'msg_01',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: words, annotations: [] }],
    }),
  call: ({ name, namespace }, args, nth, model) =>
    response(model, {
      id: `fc_${nth}`,
      type: 'function_call',
      status: 'completed',
      call_id: `call_${nth}`,
      name,
      ...(namespace !== undefined && { namespace }),
      arguments: JSON.stringify(args),
    }),
}

interface GoogleBody {
  readonly tools?: readonly { readonly functionDeclarations?: readonly Offered[] }[]
  readonly contents: readonly {
    readonly parts?: readonly { readonly functionResponse?: { readonly response: unknown } }[]
  }[]
}

const candidate = (part: object): readonly string[] => [
  event({
    candidates: [{ content: { parts: [part], role: 'model' }, index: 0, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'fake-1-001',
    responseId: 'r-01',
  }),
]

const gemini: Wire = {
  path: /:streamGenerateContent\?alt=sse$/,
  offered: ({ tools = [] }: GoogleBody) =>
    tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
  results: ({ contents }: GoogleBody) =>
    contents
      .flatMap(({ parts = [] }) => parts)
      .flatMap(({ functionResponse }) => (functionResponse ? [text(functionResponse.response)] : [])),
  say: (words) => candidate({ text: words }),
  call: ({ name }, args) => candidate({ functionCall: { name, args } }),
}

const WIRES: Readonly<Record<Vendor, Wire>> = { claude, codex, gemini }

export interface HostServer extends FakeServer {
  /** What the model saw at each of its turns. */
  readonly sights: readonly Sight[]
}

/** `shown`: which of the host's tools the model sees; those of Witan unless told. */
export async function playHost(vendor: Vendor, model: HostModel, shown = OURS): Promise<HostServer> {
  const wire = WIRES[vendor]
  const sights: Sight[] = []
  const answer = ({ body }: Seen): readonly string[] => {
    const named = (body as { model?: string }).model ?? ''
    const offered = wire.offered(body as never).filter(({ name }) => shown.test(name))
    const own = ({ name }: Offered): string => shown.exec(name)?.[0] ?? ''
    if (offered.length === 0) return wire.say('Nothing', named)
    const sight = { tools: offered.map(own), results: wire.results(body as never) }
    const nth = sights.push(sight)
    const turn = model(sight)
    if ('say' in turn) return wire.say(turn.say, named)
    const tool = offered.find((one) => own(one) === turn.tool) ?? { name: turn.tool }
    return wire.call(tool, turn.args, nth, named)
  }
  const server = await serve((request: Seen, reply: ServerResponse) => {
    if (request.method !== 'POST' || !wire.path.test(request.path)) {
      reply.writeHead(200, { 'content-type': 'application/json' })
      reply.end(JSON.stringify({ data: [], totalTokens: 1, input_tokens: 1 }))
      return
    }
    reply.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    reply.end(answer(request).join(''))
  })
  return { ...server, sights }
}
