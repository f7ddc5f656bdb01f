// The tools for HTTP against a server on loopback, which is granted as a private host: the contract, redirects, limits.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  callNow,
  cleanPlanted,
  describeToolsetContract,
  PLANTED_SECRET,
  textOf,
} from '../../../test/contracts/toolsets.ts'
import type { HostGrant } from './hosts.ts'
import { httpTools, nextRequest } from './http.ts'

interface Site {
  readonly port: number
  readonly seen: string[]
  open(): Promise<readonly string[]>
  dispose(): Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

const site = async (answer: Answer): Promise<Site> => {
  const sockets = new Set<Socket>()
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    const { authorization = '-' } = request.headers
    seen.push(`${request.method} ${request.url} ${authorization} ${body}`.trim())
    answer(request, response, body)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async open() {
      for (let tries = 0; tries < 20 && sockets.size > 0; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      return [...sockets].map(() => 'a connection')
    },
    async dispose() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const answers: Answer = ({ url = '/' }, response, body) => {
  const to = /^\/to\/(\d+)\/(.*)$/.exec(url)
  if (to !== null)
    return void response.writeHead(Number(to[1]), { location: decodeURIComponent(to[2] ?? '') }).end()
  if (url === '/secret') return void response.end(`token ${PLANTED_SECRET}`)
  if (url === '/flood') {
    const more = () => {
      if (!response.destroyed) response.write('no end of it '.repeat(1_000), more)
    }
    return more()
  }
  if (url === '/silence') return
  if (url === '/broken') return void response.write('half', () => response.socket?.resetAndDestroy())
  if (url === '/gone') return void response.writeHead(404).end('nobody here')
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`welcome ${body}`)
}

const grant = ({ port }: Site, more: Partial<HostGrant> = {}): HostGrant => ({
  host: '127.0.0.1',
  port,
  private: true,
  ...more,
})
const at = ({ port }: Site, path: string) => `http://127.0.0.1:${port}${path}`

describeToolsetContract('http', async () => {
  const one = await site(answers)
  const get = (path: string) => ({ tool: 'http.get', input: { url: at(one, path) } })
  return {
    toolset: httpTools({ hosts: [grant(one)], clean: cleanPlanted }),
    good: { ...get('/'), says: 'welcome' },
    bad: { tool: 'http.get', input: { address: 'x' }, names: 'url' },
    secret: get('/secret'),
    large: get('/flood'),
    endless: get('/silence'),
    leftovers: one.open,
    dispose: one.dispose,
  }
})

describe('the toolset for HTTP', () => {
  const opened: Site[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) {
      expect(await one.open()).toEqual([])
      await one.dispose()
    }
  })
  const open = async () => {
    const one = await site(answers)
    opened.push(one)
    return one
  }
  const call = (
    hosts: readonly HostGrant[],
    tool: string,
    input: Record<string, string | Record<string, string>>,
  ) => callNow(httpTools({ hosts, clean: cleanPlanted }), { tool: `http.${tool}`, input })

  it('sends a body, and returns status and type beside the reply', async () => {
    const one = await open()
    const outcome = await call([grant(one)], 'post', { url: at(one, '/x'), body: 'hello' })
    expect(outcome.content).toMatchObject([{ name: 'response' }, { name: 'body', mediaType: 'text/plain' }])
    expect(textOf(outcome)).toContain('"status":200')
    expect(one.seen).toEqual(['POST /x - hello'])
  })

  it('keeps the text of a failure, and says if the other side broke off', async () => {
    const one = await open()
    const gone = await call([grant(one)], 'get', { url: at(one, '/gone') })
    expect(gone).toMatchObject({ ok: false, type: 'error', message: 'HTTP 404' })
    expect(textOf(gone)).toContain('nobody here')
    expect(await call([grant(one)], 'get', { url: at(one, '/broken') })).toMatchObject({ type: 'crashed' })
    await one.dispose()
    expect(await call([grant(one)], 'get', { url: at(one, '/') })).toMatchObject({ type: 'unavailable' })
  })

  it('AGT-TOOL-6 does not follow a redirect to what was not granted', async () => {
    const [one, other] = [await open(), await open()]
    for (const target of [
      at(other, '/'),
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'ftp://127.0.0.1/',
    ]) {
      const url = at(one, `/to/302/${encodeURIComponent(target)}`)
      expect(await call([grant(one)], 'get', { url }), target).toMatchObject({ ok: false, type: 'denied' })
    }
    // Granted as public hosts, they are still at a private address.
    const url = at(one, `/to/302/${encodeURIComponent(at(other, '/'))}`)
    const hosts = [grant(one), { host: '127.0.0.1', port: other.port }]
    expect(await call(hosts, 'get', { url })).toMatchObject({ ok: false, type: 'denied' })
    expect(other.seen).toEqual([])
  })

  it('follows a redirect to a granted host, without what was meant for the first', async () => {
    const [one, other] = [await open(), await open()]
    const hosts = [grant(one, { headers: { Authorization: `Bearer ${PLANTED_SECRET}` } }), grant(other)]
    const url = at(one, `/to/302/${encodeURIComponent(at(other, '/there'))}`)
    const outcome = await call(hosts, 'get', { url, headers: { Cookie: 'a=b' } })
    expect(textOf(outcome)).toContain(`"redirects":["${url}"]`)
    expect(one.seen[0]).toContain(PLANTED_SECRET)
    expect(other.seen).toEqual(['GET /there -'])
  })

  it('never carries a body on to another host', async () => {
    const [one, other] = [await open(), await open()]
    const hosts = [grant(one), grant(other)]
    const to = (status: number) => at(one, `/to/${status}/${encodeURIComponent(at(other, '/there'))}`)
    expect(await call(hosts, 'post', { url: to(307), body: 'mine' })).toMatchObject({ type: 'denied' })
    expect(other.seen).toEqual([])
    expect(await call(hosts, 'post', { url: to(303), body: 'mine' })).toMatchObject({ ok: true })
    expect(other.seen).toEqual(['GET /there -'])
  })

  it('ends a circle of redirects', async () => {
    const one = await open()
    const answer = await call([grant(one)], 'get', { url: at(one, '/to/302/..%2F302%2F..%2F..%2F') })
    expect(answer.ok).toBe(true)
    const circle = await site((_request, response) => void response.writeHead(302, { location: '/' }).end())
    opened.push(circle)
    const outcome = await call([grant(circle)], 'get', { url: at(circle, '/') })
    expect(outcome).toMatchObject({ type: 'error', message: 'more than 5 redirects' })
    expect(circle.seen).toHaveLength(6)
  })

  it('does not let a caller set headers of the connection, nor break a line', async () => {
    const one = await open()
    for (const headers of [
      { Host: 'other' },
      { 'Proxy-Authorization': 'x' },
      { 'X-A': 'b\r\nEvil: 1' },
      { 'a b': 'c' },
    ]) {
      const outcome = await call([grant(one)], 'get', {
        url: at(one, '/'),
        headers: { ...headers } as Record<string, string>,
      })
      expect(outcome).toMatchObject({ ok: false, type: 'invalid_input' })
    }
    expect(one.seen).toEqual([])
  })

  it('takes its own keys out of a reply that repeats them', async () => {
    const echo = await site((request, response) => void response.end(`you said ${request.headers['x-key']}`))
    opened.push(echo)
    const hosts = [grant(echo, { headers: { 'X-Key': 'an-operator-key' } })]
    const outcome = await call(hosts, 'get', { url: at(echo, '/') })
    expect(textOf(outcome)).toContain('you said [secret]')
    expect(outcome.secretsRemoved).toBe(1)
  })

  it('is not sent on from https to http', () => {
    const sent = { method: 'GET', headers: {}, body: null }
    expect(() => nextRequest(new URL('https://a.example/'), new URL('http://a.example/'), 302, sent)).toThrow(
      'without encryption',
    )
  })
})
