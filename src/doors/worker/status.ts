// What a service manager and a monitor ask a worker: is it alive, does it accept work, how much was done.
// Read-only, and only counts: nothing about any trace.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WitanError } from '../../ledger/errors.ts'

export interface Status {
  readonly isReady: () => boolean
  readonly figures: () => Promise<string>
}

export interface Listening {
  readonly url: string
  close(): Promise<void>
}

const PLACE = /^(?:(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):)?(\d{1,5})$/

function placeIn(text: string): { readonly host: string; readonly port: number } {
  const [, host = '127.0.0.1', port = ''] = PLACE.exec(text) ?? []
  if (port !== '' && Number(port) < 65_536) return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }
  throw new WitanError(
    'USAGE',
    `--listen '${text}' is no address`,
    'Give a port, or HOST:PORT, like 9464 or 0.0.0.0:9464.',
  )
}

function answer(response: ServerResponse, code: number, text: string, type = 'text/plain'): void {
  response.writeHead(code, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(text)
}

/** On the loopback unless another address is given. */
export async function serveStatus(address: string, { isReady, figures }: Status): Promise<Listening> {
  const { host, port } = placeIn(address)
  const server = createServer((request, response) => {
    if (request.method !== 'GET') return answer(response, 405, 'only GET\n')
    const [path] = (request.url ?? '').split('?')
    if (path === '/healthz') return answer(response, 200, 'alive\n')
    if (path === '/readyz')
      return answer(response, isReady() ? 200 : 503, isReady() ? 'ready\n' : 'not ready\n')
    if (path !== '/metrics') return answer(response, 404, 'there are /healthz, /readyz and /metrics\n')
    figures().then(
      (text) => answer(response, 200, text, 'text/plain; version=0.0.4'),
      () => answer(response, 503, 'no figures now\n'),
    )
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 5_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new WitanError(
          'USAGE',
          `cannot listen at ${address}: ${error.code ?? error.message}`,
          'Give another port with --listen.',
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
