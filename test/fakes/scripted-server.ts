// A loopback server that plays the acts of a scenario on one vendor's wire, and knows what reached it and which
// replies are still open. Streams are cut into small pieces at any byte, as networks do.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Usage } from '../../src/models/model.ts'
import type { Act, ErrorKind } from '../contracts/scenarios.ts'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export interface Answer {
  readonly text: string
  readonly usage: Usage | null
  readonly stop: 'end' | 'length' | 'refusal'
}

/** How one vendor says things; events are whole, each with its blank line. */
export interface VendorWire {
  readonly path: RegExp
  /** Undefined when the request carries the key as the vendor wants it, else what the vendor says. */
  keyIn(headers: IncomingMessage['headers']): string | undefined
  begin(request: Seen): readonly string[]
  delta(text: string, request: Seen): string
  end(answer: Answer, request: Seen): readonly string[]
  error(kind: ErrorKind, message: string): { readonly status: number; readonly body: unknown }
  /** What the vendor documents that it does not take, with its own error; null for a request that it takes. */
  refuses?(request: Seen): { readonly status: number; readonly body: unknown } | null
}

export interface FakeServer {
  /** With no path. */
  readonly url: string
  readonly requests: readonly Seen[]
  leftovers(): Promise<readonly string[]>
  close(): Promise<void>
}

const PIECE = 19
const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** Every string of a request, unescaped. */
export const wordsIn = (value: unknown): string => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? Object.values(value).map(wordsIn).join('\n') : ''
}

function send(response: ServerResponse, events: readonly string[]): void {
  const bytes = Buffer.from(events.join(''))
  for (let at = 0; at < bytes.length; at += PIECE) response.write(bytes.subarray(at, at + PIECE))
}

const halves = (text: string): string[] => {
  const letters = [...text]
  const middle = Math.ceil(letters.length / 2)
  return [letters.slice(0, middle).join(''), letters.slice(middle).join('')].filter((half) => half !== '')
}

async function flood(response: ServerResponse, chunk: string): Promise<void> {
  while (!response.destroyed) {
    if (response.write(chunk)) await pause(0)
    else await Promise.race([new Promise((done) => response.once('drain', done)), pause(20)])
  }
}

function headersOf(act: Act & { act: 'error' }): Record<string, string> {
  const { retryAfter } = act
  if (retryAfter === undefined) return {}
  const date = new Date(Date.now() + retryAfter.ms).toUTCString()
  return { 'retry-after': retryAfter.as === 'date' ? date : String(retryAfter.ms / 1_000) }
}

export async function perform(
  wire: VendorWire,
  act: Act,
  request: Seen,
  response: ServerResponse,
): Promise<void> {
  const refused = wire.refuses?.(request) ?? null
  if (refused !== null && act.act !== 'error') {
    response.writeHead(refused.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(refused.body))
    return
  }
  const begin = (text: string) => {
    response.writeHead(200, STREAM)
    send(response, [...wire.begin(request), ...halves(text).map((half) => wire.delta(half, request))])
  }
  const end = (answer: Answer) => {
    begin(answer.text)
    send(response, wire.end(answer, request))
    response.end()
  }
  switch (act.act) {
    case 'answer':
      return end({ ...act, stop: 'end' })
    case 'cut_off':
      return end({ text: act.text, usage: null, stop: 'length' })
    case 'refusal':
      return end({ text: '', usage: null, stop: 'refusal' })
    case 'error': {
      const { status, body } = wire.error(act.kind, act.message)
      response.writeHead(status, { 'content-type': 'application/json', ...headersOf(act) })
      response.end(JSON.stringify(body))
      return
    }
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(act.text)
      return
    case 'truncated':
      begin(act.text)
      response.end()
      return
    case 'reset':
      begin(act.text)
      await pause(50)
      response.destroy()
      return
    case 'stall':
      return begin(act.text)
    case 'flood':
      begin('It is ')
      return flood(response, wire.delta('never over. '.repeat(500), request))
    case 'silence':
    case 'unreachable':
    case 'absent':
  }
}

async function read(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  const { method = '', url = '', headers } = request
  return { method, path: url, headers, body: text === '' ? null : JSON.parse(text) }
}

/** A server whose replies are made by `handle`; a test without a script uses this alone. */
export async function serve(
  handle: (request: Seen, response: ServerResponse, index: number) => Promise<void> | void,
): Promise<FakeServer> {
  const requests: Seen[] = []
  const open = new Set<ServerResponse>()
  const server = createServer(async (incoming, response) => {
    open.add(response)
    response.on('close', () => open.delete(response)).on('error', () => open.delete(response))
    const request = await read(incoming)
    const index = requests.push(request) - 1
    await handle(request, response, index)
  })
  // A connection that is closed while idle may be closed on a request, which was then made and never heard.
  server.keepAliveTimeout = 0
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async leftovers() {
      for (let tries = 0; tries < 100 && open.size > 0; tries++) await pause(10)
      return [...open].map(({ req }) => `an open reply to ${req.method} ${req.url}`)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The last act repeats. Requests other than the wire's own (a list of models) are answered and not counted as asked. */
export async function play(wire: VendorWire, script: readonly Act[]): Promise<FakeServer> {
  let asked = 0
  const server = await serve(async (request, response) => {
    if (!wire.path.test(request.path)) {
      const models = request.method === 'GET' && request.path.split('?')[0]?.endsWith('/models')
      response.writeHead(models ? 200 : 404, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(models ? { data: [{ id: 'fake-1' }] } : { error: { message: 'no such path' } }),
      )
      return
    }
    const act = script[Math.min(asked++, script.length - 1)] ?? { act: 'silence' }
    const keyless = wire.keyIn(request.headers)
    await perform(
      wire,
      keyless === undefined ? act : { act: 'error', kind: 'auth', message: keyless },
      request,
      response,
    )
  })
  if (script[0]?.act === 'unreachable') await server.close()
  return server
}
