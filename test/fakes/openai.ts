// OpenAI's Responses API, as it streams: numbered, named events, the whole text repeated at the end, usage in the
// last event alone.
import { PLANTED_SECRET } from '../contracts/scenarios.ts'
import { refuseResponses } from './limits/openai.ts'
import { type Answer, event, type Seen, type VendorWire } from './scripted-server.ts'

const ERRORS = {
  auth: [401, 'invalid_request_error', 'invalid_api_key'],
  forbidden: [403, 'invalid_request_error', null],
  billing: [429, 'insufficient_quota', 'insufficient_quota'],
  rate_limit: [429, 'tokens', 'rate_limit_exceeded'],
  model_not_found: [404, 'invalid_request_error', 'model_not_found'],
  context_too_long: [400, 'invalid_request_error', 'context_length_exceeded'],
  server: [500, 'server_error', null],
} as const

const named = (data: { readonly type: string; readonly [name: string]: unknown }): string =>
  event(data, data.type)
const ids = { item_id: 'msg_01', output_index: 0, content_index: 0 }

const response = ({ body }: Seen, more: object) => ({
  id: 'resp_01',
  object: 'response',
  created_at: 1_780_000_000,
  model: (body as { model: string }).model,
  output: [],
  error: null,
  incomplete_details: null,
  ...more,
})

const countOf = (answer: Answer) =>
  answer.usage === null
    ? null
    : {
        input_tokens: answer.usage.inputTokens,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: answer.usage.outputTokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 18,
      }

const done = (text: string): string[] => {
  const part = { type: 'output_text', text, annotations: [] }
  const item = { id: 'msg_01', type: 'message', status: 'completed', role: 'assistant', content: [part] }
  return [
    named({ type: 'response.output_text.done', ...ids, text }),
    named({ type: 'response.content_part.done', ...ids, part }),
    named({ type: 'response.output_item.done', output_index: 0, item }),
  ]
}

const refusal = 'I cannot help with that.'

export const openaiWire: VendorWire = {
  refuses: ({ body }) => refuseResponses(body),
  path: /^\/v1\/responses$/,
  keyIn: (headers) =>
    headers.authorization === `Bearer ${PLANTED_SECRET}` ? undefined : "You didn't provide an API key.",
  begin: (request) => [
    named({ type: 'response.created', response: response(request, { status: 'in_progress' }) }),
    named({ type: 'response.in_progress', response: response(request, { status: 'in_progress' }) }),
    named({
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'msg_01', type: 'message', status: 'in_progress', role: 'assistant', content: [] },
    }),
    named({
      type: 'response.content_part.added',
      ...ids,
      part: { type: 'output_text', text: '', annotations: [] },
    }),
  ],
  delta: (delta) => named({ type: 'response.output_text.delta', ...ids, delta }),
  end: (answer, request) => {
    const usage = countOf(answer)
    if (answer.stop === 'length') {
      const incomplete_details = { reason: 'max_output_tokens' }
      const whole = response(request, { status: 'incomplete', incomplete_details, usage })
      return [...done(answer.text), named({ type: 'response.incomplete', response: whole })]
    }
    const whole = response(request, { status: 'completed', usage })
    const said =
      answer.stop === 'refusal'
        ? [
            named({ type: 'response.refusal.delta', ...ids, delta: refusal }),
            named({ type: 'response.refusal.done', ...ids, refusal }),
          ]
        : done(answer.text)
    return [...said, named({ type: 'response.completed', response: whole })]
  },
  error: (kind, message) => {
    const [status, type, code] = ERRORS[kind]
    return { status, body: { error: { message, type, param: null, code } } }
  },
}
