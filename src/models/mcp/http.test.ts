// Minds behind servers over Streamable HTTP, of this version of the protocol and of the one before: the contract, and
// what only HTTP can do wrong.
import { afterEach, describe, expect, it } from 'vitest'
import { describeModelContract } from '../../../test/contracts/models.ts'
import { PLANTED_SECRET, type Scenario } from '../../../test/contracts/scenarios.ts'
import { ARGUMENTS, REPLY, TOOL } from '../../../test/fakes/mcp/acts.ts'
import { type FakeSite, fakeSite, type Instead } from '../../../test/fakes/mcp/http.ts'
import type { Request } from '../model.ts'
import { type McpModelOptions, mcpModel } from './mcp.ts'

const ANSWER = { act: 'answer', text: 'Adopt it.', usage: null } as const

const over = (url: string, rest: Partial<McpModelOptions> = {}) =>
  mcpModel({
    provider: 'openai',
    model: 'fake-1',
    server: { url, headers: { authorization: `Bearer ${PLANTED_SECRET}` } },
    tool: TOOL,
    arguments: ARGUMENTS,
    reply: REPLY,
    ...rest,
  })

const request = (signal = new AbortController().signal): Request => ({
  system: 'Be brief.',
  parts: [{ name: 'question', text: 'Shall we?', quotes: null, template: null }],
  schema: null,
  limits: { timeoutMs: 20_000, maxOutputTokens: null, maxReplyBytes: 100_000 },
  signal,
})

const open = (older: boolean) => async (scenario: Scenario) => {
  const [first] = scenario.script
  const site = await fakeSite(scenario.script, { older })
  const gone = first?.act === 'unreachable' || first?.act === 'absent'
  if (gone) await site.dispose()
  return {
    mind: over(site.url),
    seen: () => site.calls.map((given) => Object.values(given).join('\n')),
    leftovers: async () => {
      const left = await site.open()
      return left === 0 ? [...site.sessions].map((id) => `session ${id}`) : [`${left} sockets`]
    },
    dispose: site.dispose,
  }
}

describeModelContract('MCP over HTTP', open(false), {}, 0.5)
describeModelContract('MCP over HTTP, older protocol', open(true), {}, 0.5)

describe('a server over HTTP', () => {
  let site: FakeSite | undefined
  afterEach(async () => {
    expect(await site?.open()).toBe(0)
    await site?.dispose()
  })
  const start = async (instead: Instead, older = false) => {
    site = await fakeSite([ANSWER], { instead, older })
    return site
  }
  const always =
    (status: number, headers: Record<string, string>, body: string): Instead =>
    (_request, response) => {
      response.writeHead(status, headers).end(body)
      return true
    }

  it('redirects to another address: not followed, and the key is not sent', async () => {
    const other = await fakeSite([ANSWER])
    const { url } = await start(always(307, { location: other.url }, ''))
    const outcome = await over(url).ask(request())
    expect(outcome).toMatchObject({ type: 'network', cause: 'unavailable' })
    expect(outcome).toMatchObject({ message: expect.stringContaining(other.url) })
    expect(other.requests).toEqual([])
    await other.dispose()
  })

  it('redirects within its own address: not followed either', async () => {
    const { url, requests } = await start(always(308, { location: '/mcp/' }, ''))
    expect(await over(url).ask(request())).toMatchObject({ type: 'network', cause: 'unavailable' })
    expect(requests).toHaveLength(1)
  })

  it.each([
    [401, 'auth', null],
    [403, 'auth', null],
    [404, 'network', 'unavailable'],
    [429, 'rate_limit', null],
    [500, 'network', 'server'],
    [503, 'network', 'server'],
  ] as const)('answers the first request with %i', async (status, type, cause) => {
    const { url } = await start(always(status, {}, `no, with ${PLANTED_SECRET}`))
    const message = `HTTP ${status}: no, with [secret]`
    expect(await over(url).ask(request())).toMatchObject({ ok: false, type, cause, message })
    expect(await over(url).available(new AbortController().signal)).toMatchObject({
      ready: false,
      detail: message,
    })
  })

  it('is another kind of site: its text reaches the user', async () => {
    const { url } = await start(always(200, { 'content-type': 'text/html' }, '<h1>Welcome</h1>'))
    const outcome = await over(url).ask(request())
    expect(outcome).toMatchObject({
      type: 'parse_error',
      message: expect.stringContaining('<h1>Welcome</h1>'),
    })
  })

  it('sends JSON that is not a message', async () => {
    const { url } = await start(always(200, { 'content-type': 'application/json' }, '{"hello":1}'))
    expect(await over(url).ask(request())).toMatchObject({ ok: false, type: 'parse_error' })
  })

  it('accepts the first request and never answers', async () => {
    const { url } = await start(() => true)
    const outcome = await over(url, { startMs: 500 }).ask(request())
    expect(outcome).toMatchObject({ type: 'timeout', cause: 'unavailable' })
  })

  it('takes three seconds for the first answer', async () => {
    let held = false
    const slow: Instead = ({ method }, response, message) => {
      if (held || method !== 'POST') return false
      held = true
      const error = { code: -32601, message: 'Method not found' }
      const reply = JSON.stringify({ jsonrpc: '2.0', id: message.id, error })
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(reply), 3_000)
      return true
    }
    const { url } = await start(slow, true)
    expect(await over(url).ask(request())).toMatchObject({ ok: true, text: 'Adopt it.' })
  })

  it.each([
    ['ftp://127.0.0.1/mcp', {}],
    ['not an address', {}],
    ['http://127.0.0.1/mcp', { authorization: `Bearer ${PLANTED_SECRET}\nx: y` }],
  ])('is refused if it cannot be an address: %s', (url, headers) => {
    const make = () => over(url, { server: { url, headers } })
    expect(make).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    expect(make).not.toThrow(PLANTED_SECRET)
  })

  it('is named without the key that its address holds', async () => {
    const { url } = await start(always(500, {}, ''))
    const found = await over(`${url}?key=${PLANTED_SECRET}`).available(new AbortController().signal)
    expect(found).toMatchObject({ ready: false, next: expect.stringContaining('?key=[secret]') })
  })

  it.each([false, true])('is told when the caller gives up (older: %s)', async (older) => {
    site = await fakeSite([{ act: 'silence' }], { older })
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 700)
    expect(await over(site.url).ask(request(abort.signal))).toMatchObject({ cause: 'aborted' })
    await expect.poll(() => site?.cancelled).toBe(1)
  })
})
