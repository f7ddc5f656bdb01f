// Witan over HTTP, for hosts that do not start it themselves. It listens on the loopback alone, answers only to those
// who hold the token, and refuses what a web page of someone else could send: foreign Host and Origin headers.

import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { WitanError } from '../../ledger/errors.ts'
import { errnoOf } from '../../vaults/disk.ts'
import { HttpSessions } from './http-sessions.ts'

export interface Site {
  readonly url: string
  close(): Promise<void>
}

const MOST_BODY = 1_048_576
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compared in constant time, so that a token cannot be guessed letter by letter. */
const carries = ({ headers }: IncomingMessage, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))

export async function serveHttp(
  makeServer: () => McpServer,
  { port, token }: { readonly port: number; readonly token: string },
): Promise<Site> {
  const handler = createMcpHandler(makeServer, { maxRequestBodySize: MOST_BODY })
  const sessions = new HttpSessions(makeServer, MOST_BODY)
  const handle = toNodeHandler({
    fetch: async (request, options) => (await sessions.answer(request)) ?? handler.fetch(request, options),
  })
  const [validHost, validOrigin] = [localhostHostValidation(), localhostOriginValidation()]
  const server: Server = createServer((request, response) => {
    if (!validHost(request, response) || !validOrigin(request, response)) return
    if (!carries(request, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer', 'content-type': 'text/plain' })
      response.end('A token is needed: Authorization: Bearer …\n')
      return
    }
    if (request.url?.split('?')[0] !== '/mcp') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Only /mcp is here.\n')
      return
    }
    Promise.resolve(handle(request as Parameters<typeof handle>[0], response)).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    const code = errnoOf(error)
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
