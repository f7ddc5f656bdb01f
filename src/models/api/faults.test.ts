// Error bodies as vendors send them, and what they mean.
import { describe, expect, it } from 'vitest'
import { TOO_LONG } from '../../../test/fakes/limits/context.ts'
import { faultOf, retryAfter, wordsThrough } from './faults.ts'

const openai = (status: number, message: string, code: string | null, type = 'invalid_request_error') =>
  [status, { error: { message, type, param: null, code } }] as const
const anthropic = (status: number, type: string, message: string) =>
  [status, { type: 'error', error: { type, message }, request_id: 'req_01' }] as const
const google = (status: number, word: string, message: string, details: readonly object[] = []) =>
  [status, [{ error: { code: status, message, status: word, details } }]] as const

const quota =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs.'
const info = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason })
const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12.5s' }

const cases: [string, readonly [number, unknown], string, string | null][] = [
  [
    'Anthropic, no credit',
    anthropic(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
    'auth',
    'billing',
  ],
  [
    'Anthropic, billing',
    anthropic(402, 'billing_error', 'There is an issue with your billing.'),
    'auth',
    'billing',
  ],
  ['Anthropic, key', anthropic(401, 'authentication_error', 'invalid x-api-key'), 'auth', null],
  ['Anthropic, overloaded', anthropic(529, 'overloaded_error', 'Overloaded'), 'network', 'server'],
  ['Anthropic, model', anthropic(404, 'not_found_error', 'model: claude-9'), 'auth', 'model_not_found'],
  [
    'Anthropic, too long',
    anthropic(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    'parse_error',
    'context_too_long',
  ],
  [
    'Anthropic, too large',
    anthropic(413, 'request_too_large', 'Request exceeds the maximum size'),
    'parse_error',
    'context_too_long',
  ],
  [
    'Anthropic, too long with the answer',
    anthropic(400, 'invalid_request_error', TOO_LONG['anthropic, with the answer'](190_000, 200_000)),
    'parse_error',
    'context_too_long',
  ],
  [
    'Anthropic, bad request',
    anthropic(400, 'invalid_request_error', 'messages: at least one message is required'),
    'parse_error',
    null,
  ],
  ['OpenAI, quota', openai(429, quota, 'insufficient_quota', 'insufficient_quota'), 'auth', 'billing'],
  [
    'OpenAI, hard limit',
    openai(400, 'Billing hard limit has been reached', 'billing_hard_limit_reached'),
    'auth',
    'billing',
  ],
  [
    'OpenAI, rate',
    openai(429, 'Rate limit reached for gpt-6 in organization org-x', 'rate_limit_exceeded', 'tokens'),
    'rate_limit',
    null,
  ],
  ['OpenAI, key', openai(401, 'Incorrect API key provided', 'invalid_api_key'), 'auth', null],
  [
    'OpenAI, region',
    openai(403, 'Country, region, or territory not supported', 'unsupported_country_region_territory'),
    'auth',
    null,
  ],
  [
    'OpenAI, model',
    openai(404, 'The model `x` does not exist or you do not have access to it.', 'model_not_found'),
    'auth',
    'model_not_found',
  ],
  [
    'OpenAI, too long',
    openai(400, "This model's maximum context length is 8192 tokens.", 'context_length_exceeded'),
    'parse_error',
    'context_too_long',
  ],
  ['OpenAI, over its window', openai(400, TOO_LONG.openai(), null), 'parse_error', 'context_too_long'],
  [
    'OpenAI, policy',
    openai(400, 'Your prompt was flagged as potentially violating our usage policy.', 'invalid_prompt'),
    'parse_error',
    'refused',
  ],
  ['OpenAI, down', openai(503, 'The server is overloaded', null, 'server_error'), 'network', 'server'],
  [
    'Google, key',
    google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
      info('API_KEY_INVALID'),
    ]),
    'auth',
    null,
  ],
  ['Google, quota that passes', google(429, 'RESOURCE_EXHAUSTED', quota, [retry]), 'rate_limit', null],
  ['Google, quota that does not', google(429, 'RESOURCE_EXHAUSTED', quota), 'auth', 'billing'],
  [
    'Google, model',
    google(
      404,
      'NOT_FOUND',
      'models/x is not found for API version v1beta, or is not supported for generateContent.',
    ),
    'auth',
    'model_not_found',
  ],
  [
    'Google, too long',
    google(
      400,
      'INVALID_ARGUMENT',
      'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
    ),
    'parse_error',
    'context_too_long',
  ],
  [
    'Google, busy',
    google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
    'network',
    'server',
  ],
  [
    'OpenRouter, no credit',
    [402, { error: { code: 402, message: 'Insufficient credits' } }],
    'auth',
    'billing',
  ],
  [
    'OpenRouter, model',
    [400, { error: { code: 400, message: 'x/y is not a valid model ID' } }],
    'auth',
    'model_not_found',
  ],
  [
    'OpenRouter, moderation',
    [403, { error: { code: 403, message: 'Input flagged', metadata: { reasons: ['x'] } } }],
    'parse_error',
    'refused',
  ],
  [
    'Ollama, model',
    [404, { error: { message: 'model "x" not found, try pulling it first', type: 'api_error' } }],
    'auth',
    'model_not_found',
  ],
  [
    'Ollama, too long',
    [400, { error: { message: TOO_LONG.ollama(), type: 'api_error', param: null, code: null } }],
    'parse_error',
    'context_too_long',
  ],
  [
    'xAI, too long',
    [
      400,
      {
        code: 'invalid-argument',
        error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      },
    ],
    'parse_error',
    'context_too_long',
  ],
  [
    'Bedrock, too long',
    [400, { message: 'Input is too long for requested model.' }],
    'parse_error',
    'context_too_long',
  ],
  [
    'Moonshot, too long',
    openai(400, 'Invalid request: Your request exceeded model token limit: 131072', null),
    'parse_error',
    'context_too_long',
  ],
  [
    'llama.cpp, too long',
    [
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
        },
      },
    ],
    'parse_error',
    'context_too_long',
  ],
  [
    'llama.cpp, loading',
    [503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }],
    'network',
    'server',
  ],
  [
    'LM Studio, nothing loaded',
    [400, { error: 'No models loaded. Please load a model.' }],
    'auth',
    'model_not_found',
  ],
  ['another program', [404, '404 page not found'], 'parse_error', null],
  [
    'a deployment that Azure does not have',
    [
      404,
      {
        error: {
          code: 'DeploymentNotFound',
          message:
            'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
        },
      },
    ],
    'auth',
    'model_not_found',
  ],
]

describe('the kind of an error', () => {
  it.each(cases)('VOX-5 %s', (_, [status, body], type, cause) => {
    const fault = faultOf(status, typeof body === 'string' ? body : JSON.stringify(body))
    expect(fault).toMatchObject({ type, cause })
  })

  it('keeps the words and the status', () => {
    const [status, body] = anthropic(529, 'overloaded_error', 'Overloaded')
    expect(faultOf(status, JSON.stringify(body)).message).toBe('Overloaded (HTTP 529)')
    expect(faultOf(502, '').message).toBe('HTTP 502 without a word')
    expect(faultOf(500, '<h1>x</h1>'.repeat(1_000)).message.length).toBeLessThan(2_100)
  })

  it('reads an error in the middle of a stream, by its code or its words', () => {
    const meant = (body: unknown) => faultOf(null, JSON.stringify(body))
    expect(
      meant({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ).toMatchObject({
      type: 'network',
      cause: 'server',
      message: 'Overloaded',
    })
    expect(meant({ error: { code: 429, message: 'Slow down' } }).type).toBe('rate_limit')
    expect(
      meant({
        type: 'response.failed',
        response: { error: { code: 'rate_limit_exceeded', message: 'Slow' } },
      }),
    ).toMatchObject({ type: 'rate_limit', message: 'Slow' })
    const error = {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message: TOO_LONG.openai(),
    }
    for (const body of [
      { type: 'error', error },
      { type: 'response.failed', response: { error } },
    ]) {
      expect(meant(body)).toMatchObject({ cause: 'context_too_long', message: TOO_LONG.openai() })
    }
  })

  it('uses the message of the vendor behind a broker', () => {
    const error = { code: 502, message: 'Provider returned error', metadata: { raw: 'upstream is gone' } }
    expect(faultOf(502, JSON.stringify({ error })).message).toContain('upstream is gone')
  })
})

describe('how long a vendor asks to wait', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  const wait = (headers: Record<string, string>) => retryAfter(new Headers(headers), now)

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Sun, 15 Nov 2026 12:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5' }, null],
    [{}, null],
  ])('VOX-4 %j', (headers, expected) => {
    expect(wait(headers)).toBe(expected)
  })

  it('VOX-4 is also read from the body, where Google says it', () => {
    const [status, body] = google(429, 'RESOURCE_EXHAUSTED', 'Quota', [retry])
    expect(faultOf(status, JSON.stringify(body)).retryAfterMs).toBe(12_500)
  })
})

it('names the cause of an error, once', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:1')
  expect(wordsThrough(new TypeError('fetch failed', { cause: refused }))).toBe(
    'fetch failed: connect ECONNREFUSED 127.0.0.1:1',
  )
  expect(wordsThrough(new AggregateError([refused, refused]))).toContain('ECONNREFUSED')
  expect(wordsThrough('just words')).toBe('just words')
})
