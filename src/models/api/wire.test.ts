// What goes over the wire and what must not: keys, redirects, shapes, and the departures of compatible servers.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Act, PLANTED_SECRET, SHAPE } from '../../../test/contracts/scenarios.ts'
import { anthropicToolWire, anthropicWire } from '../../../test/fakes/anthropic.ts'
import { googleWire } from '../../../test/fakes/google.ts'
import { openaiWire } from '../../../test/fakes/openai.ts'
import { chatWire, openRouterWire } from '../../../test/fakes/openai-compatible.ts'
import { event, type FakeServer, play, serve, type VendorWire } from '../../../test/fakes/scripted-server.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { ApiKind } from '../default-models.ts'
import type { JsonSchema, Request } from '../model.ts'
import { apiModel } from './api.ts'

const FITS = '{"verdict":"adopt","confidence":0.75}'
const says = (text: string): Act => ({
  act: 'answer',
  text,
  usage: { inputTokens: 1_000_000, outputTokens: 7 },
})
const STREAM = { 'content-type': 'text/event-stream' }

const servers: FakeServer[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) await server.close().catch(() => undefined)
})

async function opened(server: Promise<FakeServer>): Promise<FakeServer> {
  const made = await server
  servers.push(made)
  return made
}
const playing = (wire: VendorWire, ...script: Act[]) => opened(play(wire, script))

const request = (schema: JsonSchema | null = null): Request => ({
  system: 'Be brief.',
  parts: [{ name: 'question', text: 'Adopt?', quotes: null, template: null }],
  schema,
  limits: { timeoutMs: 5_000, maxOutputTokens: 500, maxReplyBytes: 10_000 },
  signal: new AbortController().signal,
})

const mindAt = (kind: ApiKind, url: string, model = 'fake-1') =>
  apiModel({ kind, name: 'it', model, baseUrl: url, apiKey: async () => PLANTED_SECRET })

const bodyOf = (server: FakeServer, index = 0) => server.requests[index]?.body as Record<string, never>

describe('the key', () => {
  const wires: [ApiKind, VendorWire, string][] = [
    ['anthropic', anthropicWire, '/v1'],
    ['openai', openaiWire, '/v1'],
    ['google', googleWire, '/v1beta'],
    ['openai-compatible', chatWire, '/v1'],
  ]

  it.each(wires)('of %s goes in one header, never in a URL or body', async (kind, wire, base) => {
    const server = await playing(wire, says('Yes.'))
    expect(await mindAt(kind, server.url + base).ask(request())).toMatchObject({ ok: true })
    const [{ path, body, headers } = { path: '', body: null, headers: {} }] = server.requests
    expect(JSON.stringify([path, body])).not.toContain(PLANTED_SECRET)
    expect(Object.values(headers).filter((value) => String(value).includes(PLANTED_SECRET))).toHaveLength(1)
  })

  it.each(wires)('of %s is not taken along by a redirect', async (kind, wire, base) => {
    const thief = await playing(wire, says('Thank you.'))
    const server = await opened(
      serve(({ path }, response) => {
        response.writeHead(307, { location: thief.url + path }).end()
      }),
    )
    const outcome = await mindAt(kind, server.url + base).ask(request())
    expect(outcome).toMatchObject({ ok: false, type: 'parse_error', cause: null })
    expect(outcome).toMatchObject({ message: expect.stringContaining('redirects are not followed') })
    expect(thief.requests).toEqual([])
  })

  it.each(wires.slice(0, 3))(
    'of %s goes where the configuration says, not the environment',
    async (kind, wire, base) => {
      const thief = await playing(wire, says('Thank you.'))
      const server = await playing(wire, says('Yes.'))
      for (const name of ['ANTHROPIC', 'OPENAI', 'GOOGLE_GENERATIVE_AI', 'GOOGLE_GEMINI']) {
        vi.stubEnv(`${name}_BASE_URL`, thief.url + base)
        vi.stubEnv(`${name}_API_KEY`, 'another-key-0123456789')
      }
      expect(await mindAt(kind, server.url + base).ask(request())).toMatchObject({ ok: true, text: 'Yes.' })
      expect(thief.requests).toEqual([])
    },
  )

  it('that cannot be fetched is a failure that says why, and sends nothing', async () => {
    const server = await playing(anthropicWire, says('Yes.'))
    const fetching = [
      new WitanError('CONFIG_INVALID', 'the key command ended with 3', 'Mend it.'),
      new Error('odd'),
    ]
    for (const error of fetching) {
      const apiKey = () => Promise.reject(error)
      const mind = apiModel({
        kind: 'anthropic',
        name: 'it',
        model: 'x',
        baseUrl: `${server.url}/v1`,
        apiKey,
      })
      expect(await mind.ask(request())).toMatchObject({
        ok: false,
        type: 'auth',
        cause: 'unavailable',
        message: expect.stringContaining(error.message),
      })
      expect(await mind.available(request().signal)).toMatchObject({ ready: false })
    }
    expect(server.requests).toEqual([])
  })
})

describe('a schema', () => {
  it('is asked for in each vendor’s own way', async () => {
    const anthropic = await playing(anthropicWire, says(FITS))
    await mindAt('anthropic', `${anthropic.url}/v1`, 'claude-opus-5-5').ask(request(SHAPE))
    expect(JSON.stringify(bodyOf(anthropic))).toContain('"json_schema"')
    const openai = await playing(openaiWire, says(FITS))
    await mindAt('openai', `${openai.url}/v1`).ask(request(SHAPE))
    expect(bodyOf(openai)).toMatchObject({
      store: false,
      text: { format: { type: 'json_schema', strict: true } },
    })
    const google = await playing(googleWire, says(FITS))
    await mindAt('google', `${google.url}/v1beta`).ask(request(SHAPE))
    expect(bodyOf(google)).toMatchObject({ generationConfig: { responseMimeType: 'application/json' } })
    const chat = await playing(chatWire, says(FITS))
    await mindAt('openai-compatible', `${chat.url}/v1`).ask(request(SHAPE))
    expect(bodyOf(chat)).toMatchObject({ response_format: { type: 'json_schema' } })
  })

  it('comes as the input of a tool from models without structured outputs', async () => {
    const server = await playing(anthropicToolWire, says(FITS))
    const mind = mindAt('anthropic', `${server.url}/v1`, 'claude-sonnet-4-20250514')
    expect(await mind.ask(request(SHAPE))).toMatchObject({
      ok: true,
      text: FITS,
    })
    expect(bodyOf(server)).toMatchObject({ tools: [{ name: 'json' }], tool_choice: { type: 'any' } })
  })
})

describe('the reply', () => {
  const chat = async (...events: string[]) => {
    const server = await opened(
      serve((_, response) => {
        response.writeHead(200, STREAM).end(events.join(''))
      }),
    )
    return mindAt('openai-compatible', `${server.url}/v1`).ask(request())
  }
  const delta = (content: string) => event({ choices: [{ index: 0, delta: { content } }] })

  it('VOX-6 has the price of its model, or the bill of its vendor', async () => {
    const server = await playing(anthropicWire, says('Yes.'))
    const priced = await mindAt('anthropic', `${server.url}/v1`, 'claude-haiku-4-5').ask(request())
    expect(priced).toMatchObject({ model: 'claude-haiku-4-5', cost: { from: 'prices' } })
    const broker = await playing(openRouterWire, says('Yes.'))
    const billed = await mindAt('openai-compatible', `${broker.url}/v1`).ask(request())
    expect(billed).toMatchObject({ cost: { usd: 0.00123, from: 'vendor' } })
  })

  it('is complete if a server says [DONE] without a reason', async () => {
    expect(await chat(delta('Yes.'), event('[DONE]'))).toMatchObject({ ok: true, text: 'Yes.', model: null })
  })

  it('that breaks off with an error is that error', async () => {
    const error = { code: 502, message: 'Provider disconnected' }
    expect(await chat(delta('Ye'), event({ id: 'x', choices: [], error }))).toMatchObject({
      ok: false,
      type: 'network',
      cause: 'server',
      message: expect.stringContaining('Provider disconnected'),
    })
  })

  it('may be an error with status 200 and no stream', async () => {
    const server = await opened(
      serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"error":{"code":429,"message":"Slow down"}}')
      }),
    )
    const outcome = await mindAt('openai-compatible', `${server.url}/v1`).ask(request())
    expect(outcome).toMatchObject({ type: 'rate_limit', message: expect.stringContaining('Slow down') })
  })

  it('is given up if one line of it never ends, or an error fills the memory', async () => {
    for (const status of [200, 500]) {
      const server = await opened(
        serve((_, response) => {
          response.writeHead(status, status === 200 ? STREAM : {})
          response.write('data: ')
          const more = () => {
            while (!response.destroyed && response.write('x'.repeat(100_000)));
            if (!response.destroyed) response.once('drain', more)
          }
          more()
        }),
      )
      const outcome = await mindAt('openai-compatible', `${server.url}/v1`).ask(request())
      expect(outcome).toMatchObject(
        status === 200 ? { cause: 'reply_too_large' } : { type: 'network', cause: 'server' },
      )
      expect(await server.leftovers()).toEqual([])
    }
  })
})
