// A real MCP server over Streamable HTTP on the loopback, playing a script; it also does what no sound server does
// with HTTP itself. `older` serves the version before 2026 with sessions.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Act } from '../../contracts/scenarios.ts'
import { type ErrorAct, resultOf, STATUS, TOOL, waitOf } from './acts.ts'

export interface FakeSite {
  readonly url: string
  readonly calls: Readonly<Record<string, unknown>>[]
  /** Every request line, with the key it carried. */
  readonly requests: string[]
  cancelled: number
  /** Sessions begun and not ended. */
  readonly sessions: Set<string>
  /** Connections that are still open, given a moment to go. */
  open(): Promise<number>
  dispose(): Promise<void>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly arguments?: Record<string, unknown> }
}

/** Answers in place of MCP; true when it did. */
export type Instead = (request: IncomingMessage, response: ServerResponse, message: Message) => boolean

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function refuse(response: ServerResponse, act: ErrorAct): void {
  const wait = waitOf(act)
  response.writeHead(STATUS[act.kind], {
    'content-type': 'application/json',
    ...(wait === null ? {} : { 'retry-after': wait }),
  })
  response.end(
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: act.message, data: {} } }),
  )
}

/** Acts below MCP, on the reply to a call; true when it was one. */
function misbehave(response: ServerResponse, act: Act): boolean {
  if (act.act === 'error') refuse(response, act)
  else if (act.act === 'garbage') response.writeHead(200, { 'content-type': 'text/html' }).end(act.text)
  else if (act.act === 'stall' || act.act === 'truncated' || act.act === 'reset') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"content":"${act.text}`, () => {
      if (act.act === 'truncated') response.end()
      if (act.act === 'reset') response.socket?.resetAndDestroy()
    })
  } else if (act.act === 'flood') {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      if (!response.destroyed) response.write('"no end of it ".'.repeat(5_000), more)
    }
    response.on('error', () => {})
    more()
  } else return false
  return true
}

export async function fakeSite(
  script: readonly Act[],
  { older = false, instead = () => false }: { readonly older?: boolean; readonly instead?: Instead } = {},
): Promise<FakeSite> {
  const sockets = new Set<Socket>()
  const calls: Record<string, unknown>[] = []
  const requests: string[] = []
  const sessions = new Set<string>()
  const actOf = (turn: number): Act => script[Math.min(turn, script.length - 1)] ?? { act: 'silence' }

  const make = (): McpServer => {
    const server = new McpServer({ name: 'fake-site', version: '4.5.6' })
    const inputSchema = z.looseObject({ prompt: z.string() })
    server.registerTool(TOOL, { inputSchema }, (_given, context) => {
      context.mcpReq.signal.addEventListener('abort', () => {
        site.cancelled += 1
      })
      const result = resultOf(actOf(calls.length - 1))
      return result ?? new Promise<never>(() => {})
    })
    return server
  }
  const current = toNodeHandler(createMcpHandler(make))
  const transports = new Map<string, NodeStreamableHTTPServerTransport>()

  async function serveOlder(
    request: IncomingMessage,
    response: ServerResponse,
    message: Message,
  ): Promise<void> {
    const known = transports.get(String(request.headers['mcp-session-id']))
    if (known !== undefined) return known.handleRequest(request, response, message)
    if (message.method !== 'initialize') return void response.writeHead(400).end('Bad Request: no session')
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        transports.set(id, transport)
        sessions.add(id)
      },
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await make().connect(transport)
    return transport.handleRequest(request, response, message)
  }

  const http = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.headers.authorization ?? '-'}`)
    const body = await bodyOf(request)
    const message: Message = body === '' ? {} : JSON.parse(body)
    if (instead(request, response, message)) return
    if (message.method === 'tools/call') {
      calls.push(message.params?.arguments ?? {})
      if (misbehave(response, actOf(calls.length - 1))) return
    }
    if (older) await serveOlder(request, response, message)
    else await current(request as Parameters<typeof current>[0], response, body === '' ? undefined : message)
  })
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  const site: FakeSite = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    calls,
    requests,
    cancelled: 0,
    sessions,
    async open() {
      for (let tries = 0; tries < 20 && sockets.size > 0; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      return sockets.size
    },
    async dispose() {
      http.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return site
}
