// A temperature and a level of thinking reach each vendor's wire under the names that the vendor documents, or the model
// cannot be asked so; none is ever left out in silence.
import { afterEach, describe, expect, it } from 'vitest'
import { type Act, PLANTED_SECRET, SHAPE } from '../../../test/contracts/scenarios.ts'
import { anthropicWire } from '../../../test/fakes/anthropic.ts'
import { converse } from '../../../test/fakes/bedrock.ts'
import { googleWire } from '../../../test/fakes/google.ts'
import { openaiWire } from '../../../test/fakes/openai.ts'
import { chatWire } from '../../../test/fakes/openai-compatible.ts'
import { type FakeServer, play, serve, type VendorWire } from '../../../test/fakes/scripted-server.ts'
import type { ApiKind } from '../default-models.ts'
import type { Request } from '../model.ts'
import type { Tuning } from '../tuning.ts'
import { apiModel } from './api.ts'
import { untunable } from './tuned-body.ts'

const servers: FakeServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const ANSWER: Act = {
  act: 'answer',
  text: '{"verdict":"adopt","confidence":0.75}',
  usage: { inputTokens: 11, outputTokens: 7 },
}

const request: Request = {
  system: 'Be brief.',
  parts: [{ name: 'question', text: 'Adopt?', quotes: null, template: null }],
  schema: SHAPE,
  limits: { timeoutMs: 20_000, maxOutputTokens: 500, maxReplyBytes: 10_000 },
  signal: new AbortController().signal,
}

const bodyTo = async (
  server: FakeServer,
  [kind, base, model]: readonly [ApiKind, string, string],
  tuning: Tuning,
): Promise<Record<string, unknown>> => {
  servers.push(server)
  const apiKey = async () => PLANTED_SECRET
  const mind = apiModel({ kind, name: 'it', model, baseUrl: server.url + base, apiKey, tuning })
  expect(await mind.ask(request)).toMatchObject({ ok: true })
  expect(server.requests).toHaveLength(1)
  return server.requests[0]?.body as Record<string, unknown>
}

const WIRES: readonly [ApiKind, string, Tuning, object][] = [
  [
    'anthropic',
    'claude-opus-5-5',
    { thinking: 'low' },
    {
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low', format: { type: 'json_schema' } },
    },
  ],
  [
    'anthropic',
    'claude-haiku-4-5',
    { thinking: 'medium' },
    { thinking: { type: 'enabled', budget_tokens: 8_192 }, max_tokens: 8_692 },
  ],
  ['anthropic', 'claude-sonnet-4-6', { temperature: 0.2 }, { temperature: 0.2, max_tokens: 500 }],
  ['openai', 'gpt-6-sol', { thinking: 'high' }, { reasoning: { effort: 'high' } }],
  ['openai', 'gpt-4.1', { temperature: 0.7 }, { temperature: 0.7 }],
  [
    'google',
    'gemini-3.8-flash',
    { temperature: 1.5, thinking: 'medium' },
    {
      generationConfig: {
        temperature: 1.5,
        thinkingConfig: { thinkingLevel: 'medium' },
        responseMimeType: 'application/json',
        maxOutputTokens: 500,
      },
    },
  ],
  [
    'google',
    'gemini-2.5-pro',
    { thinking: 'low' },
    { generationConfig: { thinkingConfig: { thinkingBudget: 1_024 } } },
  ],
  [
    'openai-compatible',
    'llama3.1',
    { temperature: 0, thinking: 'low' },
    { temperature: 0, reasoning_effort: 'low' },
  ],
]

const AT: Readonly<Partial<Record<ApiKind, readonly [VendorWire, string]>>> = {
  anthropic: [anthropicWire, '/v1'],
  openai: [openaiWire, '/v1'],
  google: [googleWire, '/v1beta'],
  'openai-compatible': [chatWire, '/v1'],
}

async function bodyOver(kind: ApiKind, model: string, tuning: Tuning): Promise<Record<string, unknown>> {
  const [wire = chatWire, base = ''] = AT[kind] ?? []
  return bodyTo(await play(wire, [ANSWER]), [kind, base, model], tuning)
}

describe('VOX-1 the model settings of a seat', () => {
  it.each(WIRES)('are in the request over %s to %s: %o', async (kind, model, tuning, wanted) => {
    expect(await bodyOver(kind, model, tuning)).toMatchObject(wanted)
  })

  it('are in the request to Bedrock', async () => {
    const server = await serve((_, response) =>
      converse(response, 'Yes.', { inputTokens: 1, outputTokens: 1 }),
    )
    const body = await bodyTo(server, ['bedrock', '', 'mistral.large'], { temperature: 0.3 })
    expect(body).toMatchObject({ inferenceConfig: { temperature: 0.3, maxTokens: 500 } })
  })

  it.each(WIRES)('are in no request over %s to %s if nothing is set', async (kind, model) => {
    expect(JSON.stringify(await bodyOver(kind, model, {}))).not.toMatch(/temperature|effort|thinking/)
  })

  it.each([
    ['anthropic', 'claude-opus-5-5', { temperature: 0.2 }, /takes no temperature/],
    ['anthropic', 'claude-sonnet-4-6', { temperature: 1.2 }, /up to 1/],
    ['anthropic', 'claude-sonnet-4-6', { temperature: 0.2, thinking: 'low' }, /only where no thinking/],
    ['anthropic', 'claude-sonnet-4-20250514', { thinking: 'low' }, /takes no level of thinking/],
    ['openai', 'gpt-5.6-terra', { temperature: 0.2 }, /takes no temperature/],
    ['openai', 'o3', { temperature: 0.2 }, /takes no temperature/],
    ['openai', 'gpt-4.1', { thinking: 'low' }, /takes no level of thinking/],
    ['google', 'gemini-2.0-flash', { thinking: 'low' }, /takes no level of thinking/],
    ['bedrock', 'mistral.large', { thinking: 'low' }, /no field for a level of thinking/],
  ] as const)('are refused before %s is asked if %s does not take them', (kind, model, tuning, words) => {
    expect(untunable(kind, model, tuning)).toMatch(words)
  })

  it('fail with the vendor’s own message if only the vendor knows, and are not dropped for a second question', async () => {
    const server = await serve((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ error: { message: "Unsupported parameter: 'temperature' is not supported." } }),
      )
    })
    servers.push(server)
    const mind = apiModel({
      kind: 'openai-compatible',
      name: 'it',
      model: 'mine',
      baseUrl: `${server.url}/v1`,
      apiKey: async () => null,
      tuning: { temperature: 0.2 },
    })
    const outcome = await mind.ask(request)
    expect(outcome).toMatchObject({
      ok: false,
      type: 'parse_error',
      message: expect.stringMatching(/'temperature' is not supported.*the seat asks for temperature 0\.2/),
    })
    expect(outcome).not.toHaveProperty('adapted')
  })
})
