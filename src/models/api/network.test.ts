// Calls of APIs through a real CONNECT proxy on loopback, to a TLS server whose certificate only an authority of our own
// vouches for.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createProxy, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTls } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { chatWire } from '../../../test/fakes/openai-compatible.ts'
import { perform } from '../../../test/fakes/scripted-server.ts'
import { apiModel } from './api.ts'
import { networkFetch } from './network.ts'

let folder = ''
let tls: Server
let proxy: Server
const tunnels: string[] = []
const sockets = new Set<Socket>()

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const listening = (server: Server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))

/** An authority of our own, and a certificate of it for a name that no resolver knows. */
function certify(): void {
  const run = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  run(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Own authority',
  )
  run(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
    '-subj',
    '/CN=models.test',
  )
  writeFileSync(join(folder, 'ext'), 'subjectAltName=DNS:models.test,IP:127.0.0.1')
  run(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'server.pem',
    '-days',
    '2',
    '-extfile',
    'ext',
  )
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'witan-network-'))
  certify()
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(join(folder, name)))
  tls = createTls({ key, cert }, async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const seen = {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    }
    const act = { act: 'answer', text: 'Yes.', usage: { inputTokens: 1, outputTokens: 1 } } as const
    await perform(chatWire, act, seen, response)
  })
  proxy = createProxy()
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    tunnels.push(request.url ?? '')
    const target = connect(portOf(tls), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  await Promise.all([listening(tls), listening(proxy)])
})
beforeEach(() => void tunnels.splice(0))
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of [tls, proxy]) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true })
})

const asked = (env: Record<string, string>, ca: string | null, url: string) => {
  const way = networkFetch({ env, ca })
  const mind = apiModel({
    kind: 'openai-compatible',
    name: 'it',
    model: 'm',
    baseUrl: url,
    apiKey: async () => PLANTED_SECRET,
    ...(way && { fetch: way }),
  })
  return mind.ask({
    system: '',
    parts: [{ name: 'question', text: 'Adopt?', quotes: null, template: null }],
    schema: null,
    limits: { timeoutMs: 20_000, maxOutputTokens: null, maxReplyBytes: 10_000 },
    signal: new AbortController().signal,
  })
}

describe('VOX-7 the network of API calls', () => {
  const proxyUrl = () => `http://127.0.0.1:${portOf(proxy)}`
  const ca = () => join(folder, 'ca.pem')

  it('goes through HTTPS_PROXY, and trusts an authority of one’s own', async () => {
    const outcome = await asked({ HTTPS_PROXY: proxyUrl() }, ca(), 'https://models.test:4430/v1')
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ ok: true, text: 'Yes.' })
    expect(tunnels).toEqual(['models.test:4430'])
  })

  it('trusts that authority only for the providers in the settings', async () => {
    const outcome = await asked({ HTTPS_PROXY: proxyUrl() }, null, 'https://models.test:4430/v1')
    expect(outcome).toMatchObject({ ok: false, type: 'network', cause: 'unavailable' })
    expect(outcome.ok ? '' : outcome.message).toMatch(/certificate|issuer/i)
    expect(outcome.ok ? '' : outcome.message).toContain('ca: in the settings')
  })

  it('reaches the hosts of NO_PROXY, and this machine, without the proxy', async () => {
    const env = { HTTPS_PROXY: proxyUrl(), HTTP_PROXY: proxyUrl() }
    expect(await asked(env, ca(), `https://127.0.0.1:${portOf(tls)}/v1`)).toMatchObject({ ok: true })
    expect(tunnels).toEqual([])
    // Without the proxy, no one knows the name.
    expect(await asked({ ...env, NO_PROXY: '.test' }, ca(), 'https://models.test:4430/v1')).toMatchObject({
      ok: false,
    })
    expect(tunnels).toEqual([])
  })

  it('says which file of certificates it cannot read', async () => {
    const outcome = await asked({}, join(folder, 'absent.pem'), 'https://models.test:4430/v1')
    expect(outcome).toMatchObject({
      ok: false,
      message: expect.stringContaining('absent.pem cannot be read'),
    })
  })

  it('is Node’s own if nothing is set', () => {
    expect(networkFetch({ env: { NO_PROXY: 'x' }, ca: null })).toBeUndefined()
  })
})
