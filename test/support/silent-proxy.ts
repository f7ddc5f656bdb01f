// What is between a browser and the console where there is a tunnel: it passes everything on, under whichever name the
// browser asked for, and can fall silent, as a line does that is dead without anyone having hung up.

import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SilentProxy {
  /** For the context of a browser; loopback names go through it too. */
  readonly settings: { readonly server: string; readonly bypass: string }
  /** From now on nothing arrives; what is under way never ends. */
  fallSilent(): void
  /** What is asked from now on arrives. What fell silent stays so. */
  speak(): void
  close(): Promise<void>
}

export async function openSilentProxy(): Promise<SilentProxy> {
  let isSilent = false
  let era = 0
  const pass = (asked: IncomingMessage, answer: ServerResponse): void => {
    if (isSilent) return
    const begun = era
    const { port, pathname, search } = new URL(asked.url ?? '')
    const { method = 'GET', headers } = asked
    const on = request({ host: '127.0.0.1', port, method, path: pathname + search, headers, agent: false })
    on.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      answer.flushHeaders()
      response.on('data', (chunk) => begun === era && answer.write(chunk))
      response.on('end', () => begun === era && answer.end())
      response.on('error', () => undefined)
    })
    on.on('error', () => begun === era && answer.destroy())
    answer.on('close', () => on.destroy())
    asked.pipe(on)
  }
  const server = createServer(pass)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    settings: { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' },
    fallSilent() {
      isSilent = true
      era++
    },
    speak() {
      isSilent = false
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
