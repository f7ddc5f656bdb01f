// Models that refuse a schema, a system role or a parameter are asked again without it: once, as an attempt of its own
// on record, and never again with it in that run.
import { afterEach, describe, expect, it } from 'vitest'
import { PLANTED_SECRET, SHAPE } from '../../../test/contracts/scenarios.ts'
import { anthropicWire } from '../../../test/fakes/anthropic.ts'
import { googleWire } from '../../../test/fakes/google.ts'
import { openaiWire } from '../../../test/fakes/openai.ts'
import { chatWire } from '../../../test/fakes/openai-compatible.ts'
import {
  type FakeServer,
  perform,
  serve,
  type VendorWire,
  wordsIn,
} from '../../../test/fakes/scripted-server.ts'
import type { ApiKind } from '../default-models.ts'
import { createSeat } from '../seat/seat.ts'
import { apiModel } from './api.ts'
import { refusedIn } from './refused-parameters.ts'

const FITS = '{"verdict":"adopt","confidence":0.75}'
const SYSTEM = 'You sit on a council.'

let server: FakeServer
afterEach(() => server.close())

type Body = Record<string, unknown>
type Refusing = (body: Body) => { readonly status: number; readonly body: unknown } | null

async function refusing(wire: VendorWire, refuses: Refusing): Promise<FakeServer> {
  server = await serve((request, response) => {
    const usage = { inputTokens: 10, outputTokens: 5 }
    const strict = { ...wire, refuses: () => refuses(request.body as Body) }
    return perform(strict, { act: 'answer', text: FITS, usage }, request, response)
  })
  return server
}

function seatAt(kind: ApiKind, base: string, refused = new Set<string>()) {
  const mind = apiModel({
    kind,
    name: 'it',
    model: 'fake-1',
    baseUrl: `${server.url}${base}`,
    apiKey: async () => PLANTED_SECRET,
    refused,
  })
  return createSeat({ provider: 'it', model: 'fake-1', roles: ['participant'], minds: [mind] })
}

const asking = () => ({
  round: 'R1',
  system: SYSTEM,
  parts: [{ name: 'question', text: 'Adopt?', quotes: null, template: null }],
  schema: SHAPE,
  limits: { maxOutputTokens: 500, maxReplyBytes: 10_000 },
  signal: new AbortController().signal,
})

const openai = (status: number, message: string, param: string | null, code: string | null = null) => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param, code } },
})
const unsupported = (name: string, instead = '') =>
  openai(
    400,
    `Unsupported parameter: '${name}' is not supported with this model.${instead}`,
    name,
    'unsupported_parameter',
  )
const google = (message: string) => ({
  status: 400,
  body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
})
const systemIn = (body: Body): boolean =>
  (body.messages as { role: string }[]).some(({ role }) => role === 'system')

const cases: [string, ApiKind, VendorWire, string, Refusing, (body: Body) => void][] = [
  [
    'response_format',
    'openai-compatible',
    chatWire,
    '/v1',
    (body) =>
      'response_format' in body
        ? openai(400, 'response_format is not supported by this model', 'response_format')
        : null,
    (body) => expect(wordsIn(body)).toContain('It must fit this JSON schema'),
  ],
  [
    'response_format as an extra member',
    'openai-compatible',
    chatWire,
    '/v1',
    (body) => {
      const detail = [{ type: 'extra_forbidden', loc: ['body', 'response_format'] }]
      return 'response_format' in body
        ? { status: 422, body: { object: 'error', message: { detail } } }
        : null
    },
    (body) => expect(wordsIn(body)).toContain('It must fit this JSON schema'),
  ],
  [
    'a schema that its grammar cannot hold',
    'anthropic',
    anthropicWire,
    '/v1',
    (body) => {
      const message = 'output_config.format.schema: Invalid schema: The compiled grammar is too large'
      const error = { type: 'invalid_request_error', message }
      return 'tools' in body || 'output_config' in body
        ? { status: 400, body: { type: 'error', error } }
        : null
    },
    (body) => expect(wordsIn(body)).toContain('It must fit this JSON schema'),
  ],
  [
    'a schema with too many states',
    'google',
    googleWire,
    '/v1beta',
    (body) =>
      (body.generationConfig as Body).responseSchema === undefined
        ? null
        : google('The specified schema produces a constraint that has too many states for serving.'),
    (body) => expect(wordsIn(body)).toContain('It must fit this JSON schema'),
  ],
  [
    'a system role',
    'openai-compatible',
    chatWire,
    '/v1',
    (body) =>
      systemIn(body)
        ? { status: 400, body: { object: 'error', message: 'System role not supported', code: 400 } }
        : null,
    (body) => expect(wordsIn((body.messages as unknown[])[0])).toContain(SYSTEM),
  ],
  [
    'a system role, as a failure of the template',
    'openai-compatible',
    chatWire,
    '/v1',
    (body) => (systemIn(body) ? openai(500, 'Jinja Exception: System role not supported', null) : null),
    (body) => expect(wordsIn((body.messages as unknown[])[0])).toContain(SYSTEM),
  ],
  [
    'a developer instruction',
    'google',
    googleWire,
    '/v1beta',
    (body) =>
      'systemInstruction' in body ? google('Developer instruction is not enabled for models/gemma-3') : null,
    (body) => expect(wordsIn(body.contents)).toContain(SYSTEM),
  ],
  [
    'max_tokens',
    'openai-compatible',
    chatWire,
    '/v1',
    (body) =>
      'max_tokens' in body ? unsupported('max_tokens', " Use 'max_completion_tokens' instead.") : null,
    (body) => expect(body.max_completion_tokens).toBe(500),
  ],
  [
    'max_output_tokens',
    'openai',
    openaiWire,
    '/v1',
    (body) => ('max_output_tokens' in body ? unsupported('max_output_tokens') : null),
    (body) => expect(body).toHaveProperty('text'),
  ],
  [
    'stream_options',
    'openai-compatible',
    chatWire,
    '/v1',
    (body) => ('stream_options' in body ? openai(400, "Unknown parameter: 'stream_options'.", null) : null),
    (body) => expect(body).toHaveProperty('response_format'),
  ],
]

describe('VOX-17 a parameter that a model refuses', () => {
  it.each(cases)(
    '%s: is left out, once and for the run',
    async (_, kind, wire, base, refuses, expectSecond) => {
      const at = await refusing(wire, refuses)
      const memory = new Set<string>()
      const first = await seatAt(kind, base, memory).ask(asking())
      expect(first.outcome, JSON.stringify(first.outcome)).toMatchObject({ ok: true })
      // Each request on the wire is an attempt on record, with the vendor's words.
      expect(at.requests).toHaveLength(2)
      expect(first.attempts).toHaveLength(2)
      expect(first.attempts[0]?.failure?.message).toMatch(/; asked again without \w+$/)
      expect(first.attempts[1]).toMatchObject({ failure: null, waitedMs: 0 })
      expectSecond(at.requests[1]?.body as Body)
      // Another seat of the same model, in the same run.
      const second = await seatAt(kind, base, memory).ask(asking())
      expect(second.attempts).toHaveLength(1)
      expect(at.requests).toHaveLength(3)
    },
  )

  it('is left out one by one if there are several, until none is left', async () => {
    const at = await refusing(chatWire, () =>
      openai(400, "Unknown parameter: 'max_tokens', 'stream_options', response_format", null),
    )
    const { outcome, attempts } = await seatAt('openai-compatible', '/v1').ask(asking())
    expect(outcome).toMatchObject({ ok: false, type: 'parse_error' })
    expect(attempts).toHaveLength(at.requests.length)
    expect(at.requests.length).toBeLessThanOrEqual(6)
  })

  it('is not assumed from an error about something else', () => {
    const sent = { schema: true, system: true, members: ['model', 'messages', 'max_tokens', 'stream'] }
    for (const words of [
      'The model `x` does not exist',
      'Rate limit reached for requests',
      'messages: at least one message is required',
      'Invalid value for model: must be a string',
    ]) {
      expect(refusedIn(words, sent), words).toBeNull()
    }
    expect(refusedIn("Unsupported value: 'max_tokens'", sent)).toBe('max_tokens')
    expect(refusedIn('System role not supported', { ...sent, system: false })).toBeNull()
  })
})
