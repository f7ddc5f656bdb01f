// Hosts of the revisions before 2026-07-28 over HTTP. Whoever says hello is given a session, so that a call it cancels
// by another request is cancelled, and a person or a model can be asked over the line on which a call is open. There
// are only so many: the one that was longest silent makes room.

import { randomUUID } from 'node:crypto'
import {
  isInitializeRequest,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

const MOST = 64
const HEADER = 'mcp-session-id'

const GONE = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_001, message: 'There is no such session (any more). Say hello again: initialize.' },
}

export class HttpSessions {
  readonly #makeServer: () => McpServer
  readonly #mostBody: number
  /** By id; the one that was heard last is the last. */
  readonly #open = new Map<string, WebStandardStreamableHTTPServerTransport>()

  constructor(makeServer: () => McpServer, mostBody: number) {
    this.#makeServer = makeServer
    this.#mostBody = mostBody
  }

  /** Null for what belongs to no session: it is for whoever answers single requests. */
  async answer(request: Request): Promise<Response | null> {
    const id = request.headers.get(HEADER)
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: this.#mostBody }))) return null
    if (id !== null) return this.#heard(id)?.handleRequest(request) ?? Response.json(GONE, { status: 404 })
    return (await isHello(request)) ? this.#begin(request) : null
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

async function isHello(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false
  try {
    return isInitializeRequest(await request.clone().json())
  } catch {
    // Whoever answers single requests says what is wrong with it.
    return false
  }
}
