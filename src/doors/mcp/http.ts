// Witan over HTTP, for hosts that do not start it themselves. It listens on the loopback only, answers only
// with the right token, and refuses what a foreign web page could send: foreign Host and Origin headers.

import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { WitanError } from '../../ledger/errors.ts'

// Hosts of the revisions before 2026-07-28 over HTTP. Each host that initializes gets a session, so that a
// call it cancels by another request is cancelled, and a person or a model can be asked over the connection
// of an open call. Their number is limited: the one that was silent longest is closed.

const MOST = 64
const HEADER = 'mcp-session-id'

const GONE = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_001, message: 'There is no such session (any more). Say hello again: initialize.' },
}

class HttpSessions {
  readonly #makeServer: () => McpServer
  readonly #mostBody: number
  /** By id; the most recently used is the last. */
  readonly #open = new Map<string, WebStandardStreamableHTTPServerTransport>()

  constructor(makeServer: () => McpServer, mostBody: number) {
    this.#makeServer = makeServer
    this.#mostBody = mostBody
  }

  /** Null for a request without a session: the handler of single requests takes it. */
  async answer(request: Request): Promise<Response | null> {
    const id = request.headers.get(HEADER)
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: this.#mostBody }))) return null
    if (id !== null) return this.#heard(id)?.handleRequest(request) ?? Response.json(GONE, { status: 404 })
    return (await isInitialize(request)) ? this.#begin(request) : null
  }

  #heard(id: string): WebStandardStreamableHTTPServerTransport | null {
    const transport = this.#open.get(id)
    if (!transport) return null
    this.#open.delete(id)
    this.#open.set(id, transport)
    return transport
  }

  async #begin(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#mostBody,
      onsessioninitialized: (id) => void this.#open.set(id, transport),
      onsessionclosed: (id) => void this.#open.delete(id),
    })
    await this.#makeServer().connect(transport)
    const response = await transport.handleRequest(request)
    if (transport.sessionId === undefined) await transport.close()
    if (this.#open.size > MOST) await this.#drop([...this.#open.keys()].slice(0, -MOST))
    return response
  }

  async #drop(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const transport = this.#open.get(id)
      this.#open.delete(id)
      await transport?.close()
    }
  }

  close(): Promise<void> {
    return this.#drop([...this.#open.keys()])
  }
}

async function isInitialize(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false
  try {
    return isInitializeRequest(await request.clone().json())
  } catch {
    // The handler of single requests reports what is wrong with it.
    return false
  }
}

export interface Site {
  readonly url: string
  close(): Promise<void>
}

const MOST_BODY = 1_048_576
const METHODS = ['GET', 'POST', 'DELETE']

/** How long a connection may stay open without a complete request, and how many there are. */
export interface ServerTimeouts {
  readonly headersMs: number
  readonly requestMs: number
  readonly idleMs: number
  readonly lookMs: number
  readonly connections: number
}

/** An answer may take any time: none of these limits ends one. Sessions are fewer than half the connections. */
const PATIENCE: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 5_000,
  lookMs: 2_000,
  connections: 256,
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compared in constant time, so that a token cannot be guessed letter by letter. */
const hasToken = ({ headers }: IncomingMessage, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))

/** The rest of the request is not read. */
function reject(
  response: ServerResponse,
  status: number,
  message: string,
  more: Record<string, string> = {},
) {
  response
    .writeHead(status, { 'content-type': 'text/plain', connection: 'close', ...more })
    .end(`${message}\n`)
}

function listener(
  token: string,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const [validHost, validOrigin] = [localhostHostValidation(), localhostOriginValidation()]
  return (request, response) => {
    if (!validHost(request, response) || !validOrigin(request, response)) return
    if (!hasToken(request, token)) {
      const message = 'A token is needed: Authorization: Bearer …'
      return reject(response, 401, message, { 'www-authenticate': 'Bearer' })
    }
    if (request.url?.split('?')[0] !== '/mcp') return reject(response, 404, 'Only /mcp is here.')
    if (!METHODS.includes(request.method ?? '')) {
      return reject(response, 405, `Only ${METHODS.join(', ')} are answered here.`, {
        allow: METHODS.join(', '),
      })
    }
    handle(request, response).catch(() => response.destroy())
  }
}

function bounded(patience: ServerTimeouts, answer: ReturnType<typeof listener>): Server {
  const { headersMs, requestMs, idleMs, lookMs, connections } = patience
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: lookMs,
    },
    answer,
  )
  server.maxConnections = connections
  return server
}

export async function serveHttp(
  makeServer: () => McpServer,
  {
    port,
    token,
    patience = PATIENCE,
  }: { readonly port: number; readonly token: string; readonly patience?: ServerTimeouts },
): Promise<Site> {
  const handler = createMcpHandler(makeServer, { maxRequestBodySize: MOST_BODY })
  const sessions = new HttpSessions(makeServer, MOST_BODY)
  const handle = toNodeHandler({
    fetch: async (request, options) => (await sessions.answer(request)) ?? handler.fetch(request, options),
  })
  const server = bounded(
    patience,
    listener(token, async (request, response) => handle(request as Parameters<typeof handle>[0], response)),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    const what = code === 'EACCES' ? 'you may not listen there' : 'another program listens there'
    throw new WitanError(
      'USAGE',
      `port ${port}: ${what}`,
      'Name another with --port, or none for a free one.',
    )
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    async close() {
      await sessions.close()
      await handler.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
