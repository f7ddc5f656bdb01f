// What the HTTP door bears from those who are not its guests: odd methods, connections that say nothing, requests
// that never end, and more of them than there are places.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { hostHome } from '../../../test/support/mcp-host.ts'
import { type ServerTimeouts, type Site, serveHttp } from './http.ts'
import { createServer } from './serve.ts'

const SHORT: ServerTimeouts = { headersMs: 300, requestMs: 600, idleMs: 300, lookMs: 100, connections: 8 }
const HEAD = 'host: 127.0.0.1\r\nauthorization: Bearer secret\r\n'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function site(patience?: ServerTimeouts): Promise<Site> {
  const { kit, dispose } = await hostHome()
  opened.push(dispose)
  const limits = patience ? { patience } : {}
  const made = await serveHttp(() => createServer(kit, [], '0.0.0'), { port: 0, token: 'secret', ...limits })
  opened.push(() => made.close())
  return made
}

interface Line {
  readonly socket: Socket
  /** All that was answered, once the other side has closed. */
  readonly ended: Promise<string>
}

function lineTo({ url }: Site, said: string): Line {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  opened.push(() => socket.destroy())
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  // A server that has no place resets.
  socket.on('error', () => undefined)
  if (said !== '') socket.write(said)
  return { socket, ended: once(socket, 'close').then(() => answer) }
}

const statusOf = (answer: string): string => answer.split(' ')[1] ?? ''

describe('witan mcp over HTTP', () => {
  it('APP-4 refuses methods it does not know, and never fails on one', async () => {
    const at = await site()
    for (const method of ['TRACE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND', 'SEARCH', 'PURGE']) {
      const said = `${method} /mcp HTTP/1.1\r\n${HEAD}\r\n`
      const answer = await lineTo(at, said).ended
      expect([method, statusOf(answer)]).toEqual([method, '405'])
      expect(answer.toLowerCase()).toContain('\r\nallow: get, post, delete\r\n')
    }
    for (const odd of [
      `CONNECT x:1 HTTP/1.1\r\n${HEAD}\r\n`,
      'FROBNICATE /mcp HTTP/1.1\r\n\r\n',
      '\0\0\r\n\r\n',
    ])
      expect(['', '400', '405', '501']).toContain(statusOf(await lineTo(at, odd).ended))
  })

  it('APP-4 refuses requests without a token at once, with any content', async () => {
    const said = 'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\n{'
    expect(statusOf(await lineTo(await site(), said).ended)).toBe('401')
  })

  it('APP-4 closes connections on which no request arrives whole', async () => {
    const at = await site(SHORT)
    const silent = lineTo(at, '')
    const halfHead = lineTo(at, 'POST /mcp HTTP/1.1\r\nhost: 127')
    const halfBody = lineTo(at, `POST /mcp HTTP/1.1\r\n${HEAD}content-length: 100\r\n\r\n{`)
    const dripping = lineTo(at, 'POST /mcp HTTP/1.1\r\n')
    const drip = setInterval(() => dripping.socket.write('x: y\r\n'), 50)
    opened.push(() => clearInterval(drip))
    const ended = await Promise.all([silent, halfHead, halfBody, dripping].map((line) => line.ended))
    for (const answer of ended) expect(['', '408']).toContain(statusOf(answer))
    const kept = lineTo(at, `DELETE /mcp HTTP/1.1\r\n${HEAD}\r\n`)
    expect(statusOf(await kept.ended)).toMatch(/^4/)
  })

  it('APP-4 limits the number of connections, and accepts new ones when others end', async () => {
    const at = await site({ ...SHORT, headersMs: 120_000, requestMs: 120_000 })
    const lines = Array.from({ length: 120 }, () => lineTo(at, ''))
    let closed = 0
    for (const { ended } of lines) void ended.then(() => closed++)
    await expect.poll(() => closed, { timeout: 60_000 }).toBe(lines.length - SHORT.connections)
    for (const { socket } of lines) socket.destroy()
    await Promise.all(lines.map(({ ended }) => ended))
    const answered = async () => statusOf(await lineTo(at, `TRACE /mcp HTTP/1.1\r\n${HEAD}\r\n`).ended)
    await expect.poll(answered, { timeout: 60_000 }).toBe('405')
  })
})
