// Chat completions as the many servers that are "OpenAI-compatible" stream them, each with its own departures.
import { PLANTED_SECRET } from '../contracts/scenarios.ts'
import { refuseChat, refuseGrammar } from './limits/openai.ts'
import { event, type Seen, type VendorWire } from './scripted-server.ts'

const ERRORS = {
  auth: [401, 'invalid_api_key'],
  forbidden: [403, 'forbidden'],
  billing: [402, null],
  rate_limit: [429, 'rate_limit_exceeded'],
  model_not_found: [404, 'model_not_found'],
  context_too_long: [400, 'context_length_exceeded'],
  server: [500, null],
} as const

const STOP = { end: 'stop', length: 'length', refusal: 'content_filter' }

const chunk = (request: Seen, choices: readonly unknown[], more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_780_000_000,
  model: (request.body as { model: string }).model,
  choices,
  ...more,
})

export const chatWire: VendorWire = {
  refuses: ({ body }) => refuseChat(body),
  path: /^\/v1\/chat\/completions$/,
  keyIn: (headers) => (headers.authorization === `Bearer ${PLANTED_SECRET}` ? undefined : 'No key.'),
  begin: (request) => [
    event(chunk(request, [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])),
  ],
  delta: (content, request) => event(chunk(request, [{ index: 0, delta: { content }, finish_reason: null }])),
  end: ({ usage, stop }, request) => {
    const count = {
      prompt_tokens: usage?.inputTokens,
      completion_tokens: usage?.outputTokens,
      total_tokens: 18,
    }
    return [
      event(chunk(request, [{ index: 0, delta: {}, finish_reason: STOP[stop] }])),
      ...(usage === null ? [] : [event(chunk(request, [], { usage: count }))]),
      event('[DONE]'),
    ]
  },
  error: (kind, message) => {
    const [status, code] = ERRORS[kind]
    return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } }
  },
}

const keyless = (): undefined => undefined

/** Ollama: no key, its own words for an unknown model, errors without codes, usage beside the last choice. */
export const ollamaWire: VendorWire = {
  ...chatWire,
  keyIn: keyless,
  begin: () => [],
  delta: (content, request) =>
    event(
      chunk(request, [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }], {
        system_fingerprint: 'fp_ollama',
      }),
    ),
  error: (kind, message) => ({
    status: ERRORS[kind][0],
    body: { error: { message, type: 'api_error', param: null, code: null } },
  }),
}

/** LM Studio: usage only with the last choice, an error that is a bare string. */
export const lmStudioWire: VendorWire = {
  ...chatWire,
  keyIn: keyless,
  end: ({ usage, stop }, request) => {
    const count = {
      prompt_tokens: usage?.inputTokens,
      completion_tokens: usage?.outputTokens,
      total_tokens: 18,
    }
    const last = [{ index: 0, delta: {}, logprobs: null, finish_reason: STOP[stop] }]
    return [event(chunk(request, last, usage === null ? {} : { usage: count })), event('[DONE]')]
  },
  error: (kind, message) => ({ status: ERRORS[kind][0], body: { error: message } }),
}

/** llama.cpp: `content: null` to begin with, timings beside usage, numeric codes, its own type for a long prompt. */
export const llamaCppWire: VendorWire = {
  ...chatWire,
  refuses: ({ body }) => refuseGrammar(body),
  keyIn: keyless,
  begin: (request) => [
    event(chunk(request, [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }])),
  ],
  end: (answer, request) => {
    const [stop = '', usage = '', ...rest] = chatWire.end(answer, request)
    const timings = { prompt_n: 11, predicted_n: 7, predicted_per_second: 42.5 }
    return [stop, usage.replace('"usage"', `"timings":${JSON.stringify(timings)},"usage"`), ...rest]
  },
  error: (kind, message) => {
    const type = kind === 'context_too_long' ? 'exceed_context_size_error' : 'server_error'
    return { status: ERRORS[kind][0], body: { error: { code: ERRORS[kind][0], message, type } } }
  },
}

/** OpenRouter: comments while it waits, the vendor behind it in every chunk, a bill in dollars, errors with metadata. */
export const openRouterWire: VendorWire = {
  ...chatWire,
  begin: (request) => [
    ': OPENROUTER PROCESSING\n\n',
    ...chatWire.begin(request),
    ': OPENROUTER PROCESSING\n\n',
  ],
  end: (answer, request) =>
    chatWire
      .end(answer, request)
      .map((one) => one.replace('"total_tokens":18', '"total_tokens":18,"cost":0.00123')),
  error: (kind, message) => ({
    status: ERRORS[kind][0],
    body: {
      error: { code: ERRORS[kind][0], message: 'Provider returned error', metadata: { raw: message } },
    },
  }),
}
