import { afterEach, describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { type FakeServer, serve } from '../../../test/fakes/scripted-server.ts'
import { collectGarbage } from '../../../test/support/garbage.ts'
import type { ApiKind } from '../default-models.ts'
import { apiModel } from './api.ts'
import { listModels } from './listing.ts'

const servers: FakeServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const signal = AbortSignal.timeout(20_000)

async function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
  const server = await serve((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  servers.push(server)
  return server
}

const list = (server: FakeServer, kind: ApiKind = 'openai') =>
  listModels({ kind, baseUrl: `${server.url}/v1/`, key: PLANTED_SECRET, signal })

describe('the list of models', () => {
  it.each([
    ['openai', { object: 'list', data: [{ id: 'a' }, { id: 'b' }] }, '/v1/models', 'authorization'],
    ['anthropic', { data: [{ type: 'model', id: 'a' }, { id: 'b' }] }, '/v1/models?limit=1000', 'x-api-key'],
    [
      'google',
      { models: [{ name: 'models/a' }, { name: 'models/b' }] },
      '/v1/models?pageSize=1000',
      'x-goog-api-key',
    ],
  ] as const)('of %s is read as the vendor writes it', async (kind, body, path, header) => {
    const server = await answering(200, body)
    expect(await list(server, kind)).toEqual(['a', 'b'])
    expect(server.requests[0]?.path).toBe(path)
    expect(server.requests[0]?.headers[header]).toContain(PLANTED_SECRET)
  })

  it.each([[{}], [[]], [null], ['x'], [{ data: 'x' }], [{ data: [null, 1, {}] }]])(
    'is empty when there is none in %j',
    async (body) => {
      expect(await list(await answering(200, body))).toEqual([])
    },
  )

  it('cannot be read from a server that refuses or redirects, and the message does not contain the key', async () => {
    const refusing = await answering(401, { error: { message: `No ${PLANTED_SECRET} here` } })
    await expect(list(refusing)).rejects.toThrow(/^No \[secret\] here \(HTTP 401\)$/)
    const thief = await answering(200, { data: [] })
    await expect(list(await answering(302, {}, { location: thief.url }))).rejects.toThrow('HTTP 302')
    expect(thief.requests).toEqual([])
  })

  it('is given up at its limit when it never ends, whenever garbage is collected', async () => {
    const endless = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    })
    servers.push(endless)
    const stopCollecting = collectGarbage()
    try {
      const listing = { kind: 'openai', baseUrl: endless.url, key: null, limitMs: 300 } as const
      const either = AbortSignal.any([new AbortController().signal, AbortSignal.timeout(20_000)])
      await expect(listModels({ ...listing, signal: either })).rejects.toThrow('no answer within 300 ms')
    } finally {
      stopCollecting()
    }
  })

  it('distinguishes a missing key from a missing server', async () => {
    const look = (baseUrl: string) =>
      apiModel({
        kind: 'openai-compatible',
        name: 'it',
        model: 'x',
        baseUrl,
        apiKey: async () => null,
      }).available(signal)
    const { url } = await answering(401, {})
    expect(await look(`${url}/v1`)).toMatchObject({ ready: false, next: 'Give it a key.' })
    expect(await look('http://127.0.0.1:9/v1')).toMatchObject({
      next: expect.stringContaining('127.0.0.1:9'),
    })
  })
})
