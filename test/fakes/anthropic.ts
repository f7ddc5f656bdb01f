// Anthropic's Messages API, as it streams: named events, usage at both ends, a forced tool where a shape is asked for
// of models without structured outputs.
import { PLANTED_SECRET } from '../contracts/scenarios.ts'
import { refuseMessages } from './limits/anthropic.ts'
import { event, type Seen, type VendorWire } from './scripted-server.ts'

const ERRORS = {
  auth: [401, 'authentication_error'],
  forbidden: [403, 'permission_error'],
  billing: [400, 'invalid_request_error'],
  rate_limit: [429, 'rate_limit_error'],
  model_not_found: [404, 'not_found_error'],
  context_too_long: [400, 'invalid_request_error'],
  server: [529, 'overloaded_error'],
} as const

const STOP = { end: 'end_turn', length: 'max_tokens', refusal: 'refusal' }

export const named = (data: { readonly type: string; readonly [name: string]: unknown }): string =>
  event(data, data.type)
/** How every message begins. */
export const messageStart = (model: string, inputTokens: number): string =>
  named({
    type: 'message_start',
    message: {
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: inputTokens,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 1,
      },
    },
  })

const body = ({ body }: Seen) => body as { model: string; tools?: readonly { name: string }[] }
export const anthropicWire: VendorWire = {
  refuses: ({ body }) => refuseMessages(body),
  path: /^\/v1\/messages(\?.*)?$/,
  keyIn: (headers) => (headers['x-api-key'] === PLANTED_SECRET ? undefined : 'x-api-key header is required'),
  begin: (request) => [
    messageStart(body(request).model, 11),
    named({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    }),
    named({ type: 'ping' }),
  ],
  delta: (text) => named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  end: ({ usage, stop }) => [
    named({ type: 'content_block_stop', index: 0 }),
    named({
      type: 'message_delta',
      delta: { stop_reason: STOP[stop], stop_sequence: null },
      usage: { output_tokens: usage?.outputTokens ?? 1 },
    }),
    named({ type: 'message_stop' }),
  ],
  error: (kind, message) => {
    const [status, type] = ERRORS[kind]
    return { status, body: { type: 'error', error: { type, message }, request_id: 'req_01' } }
  },
}

/** What a model without structured outputs sends: the object as the input of the tool it was made to call. */
export const anthropicToolWire: VendorWire = {
  ...anthropicWire,
  begin: (request) => [
    anthropicWire.begin(request)[0] ?? '',
    named({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_01', name: 'json', input: {} },
    }),
  ],
  delta: (text) =>
    named({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text } }),
  end: (answer, request) =>
    anthropicWire.end(answer, request).map((one) => one.replace('end_turn', 'tool_use')),
}
