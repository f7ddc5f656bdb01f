// A server over Streamable HTTP. Every exchange has its own socket that ends with it; a redirect is refused,
// since the headers contain a key for one address; no reply grows past the limit; an event stream that ends
// without the answer fails at once and does not wait for the timeout.

import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type {
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client'
import { excerpt, Fault, faultOfStatus } from './fault.ts'

export interface HttpServer {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

type Sdk = typeof import('@modelcontextprotocol/client')
type Sending = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>

/** How long the last request (the cancel, the end of a session) may take. */
const FAREWELL_MS = 500
/** At most this much of an error page is read. */
const MOST_BODY = 64 * 1024
const MOST_HEARD = 300
const CARRIED = /^(?:application\/json|text\/event-stream)\b/i

const errno = (error: Error): string => ('code' in error ? String(error.code) : '')

function cannotReach(url: URL, error: Error): Fault {
  const broken = ['ECONNRESET', 'EPIPE'].includes(errno(error))
  // Node tries every address of a name and then reports only the codes.
  const why = error.message || errno(error)
  return new Fault('network', broken ? null : 'unavailable', `no connection to ${url.host}: ${why}`)
}

async function readText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece)
    length += piece.length
    if (length > MOST_BODY) break
  }
  return Buffer.concat(pieces).toString('utf8')
}

export class HttpWire implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  /** Cancelling means ending the exchange, where the protocol's version defines it so. */
  readonly hasPerRequestStream = true
  fault: Fault | null = null
  /** How the latest reply began. */
  received = ''
  readonly #inner: StreamableHTTPClientTransport
  readonly #maxBody: number
  readonly #alive: () => void
  readonly #open = new Set<ClientRequest>()
  readonly #waiting = new Set<string | number>()
  #farewell: Promise<void> = Promise.resolve()
  #closing: Promise<void> | null = null
  #ended = false

  /** `alive` is called for every answer and every chunk of one. */
  constructor(sdk: Sdk, server: HttpServer, maxBody: number, alive: () => void) {
    this.#alive = alive
    this.#maxBody = maxBody
    this.#inner = new sdk.StreamableHTTPClientTransport(server.url, {
      requestInit: { headers: { ...server.headers } },
      fetch: (url, init) => this.#fetch(new URL(url), init),
      reconnectionOptions: {
        initialReconnectionDelay: 1,
        maxReconnectionDelay: 1,
        reconnectionDelayGrowFactor: 1,
        maxRetries: 0,
      },
      onInsufficientScope: 'throw',
    })
    this.#inner.onmessage = (message: JSONRPCMessage) => {
      if (!('method' in message) && message.id !== undefined) this.#waiting.delete(message.id)
      this.onmessage?.(message)
    }
    this.#inner.onerror = (error) => this.onerror?.(error)
    this.#inner.onclose = () => this.#end()
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version)
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : null
    if (id !== null) this.#waiting.add(id)
    const onRequestStreamEnd = () => {
      if (id !== null && this.#waiting.has(id)) this.#giveUp()
    }
    const { headers, requestSignal } = options
    const sending: Sending = { onRequestStreamEnd }
    if (headers !== undefined) sending.headers = headers
    if (requestSignal !== undefined) sending.requestSignal = requestSignal
    const sent = this.#inner.send(message, sending)
    if ('method' in message && message.method === 'notifications/cancelled') {
      this.#farewell = sent.catch(() => {})
    }
    await sent
  }

  #giveUp(): void {
    this.fault ??= new Fault('parse_error', null, 'the reply ended before the answer came')
    this.#end()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.onclose?.()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const farewell = this.#farewell.then(() => this.#inner.terminateSession())
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FAREWELL_MS)
    })
    await Promise.race([farewell.catch(() => {}), late])
    clearTimeout(timer)
    await this.#inner.close()
    const closed = [...this.#open].map((open) => new Promise((resolve) => open.once('close', resolve)))
    for (const open of this.#open) open.destroy()
    await Promise.all(closed)
  }

  #failed(fault: Fault): Fault {
    this.fault ??= fault
    return fault
  }

  async #fetch(url: URL, init: RequestInit = {}): Promise<Response> {
    // The stream of unrequested messages: nothing here listens to them.
    if (init.method === 'GET') return new Response(null, { status: 405 })
    const response = await this.#exchange(url, init)
    this.#alive()
    const status = response.statusCode ?? 0
    const { location, 'retry-after': wait, 'content-type': type = '' } = response.headers
    if (init.method === 'POST') {
      if (status >= 300 && status < 400) {
        response.destroy()
        const where = `the server at ${url.host} sends us on to ${location}; give its final address`
        throw this.#failed(new Fault('network', 'unavailable', where))
      }
      if ([401, 402, 403, 407, 413, 429].includes(status) || status >= 500) {
        throw this.#failed(faultOfStatus(status, await readText(response), wait ?? null, Date.now()))
      }
      if (status === 200 && type !== '' && !CARRIED.test(type)) {
        const words = `the server answered with ${type}: ${excerpt(await readText(response))}`
        throw this.#failed(new Fault('parse_error', null, words))
      }
    }
    const headers = Object.entries(response.headersDistinct).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, value]),
    )
    const empty = status === 204 || status === 304
    return new Response(empty ? null : this.#body(response), { status, headers })
  }

  #exchange(url: URL, init: RequestInit): Promise<IncomingMessage> {
    const make = url.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      const open = make(url, {
        method: init.method ?? 'POST',
        headers: Object.fromEntries(new Headers(init.headers)),
        agent: false,
        ...(init.signal ? { signal: init.signal } : {}),
      })
      this.#open.add(open)
      open.once('close', () => this.#open.delete(open))
      open.once('response', resolve)
      open.on('error', (error) => {
        if (!init.signal?.aborted) this.#failed(cannotReach(url, error))
        reject(error)
      })
      open.end(init.body ?? undefined)
    })
  }

  #body(response: IncomingMessage): ReadableStream<Uint8Array> {
    let length = 0
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      response.on('data', (bytes: Buffer) => {
        this.#alive()
        if (length === 0) this.received = bytes.toString('utf8', 0, MOST_HEARD)
        length += bytes.length
        if (length <= this.#maxBody) return controller.enqueue(bytes)
        const words = `the server's reply passes ${this.#maxBody} bytes`
        response.destroy(this.#failed(new Fault('parse_error', 'reply_too_large', words)))
      })
      response.once('end', () => controller.close())
      response.once('error', (error) => {
        this.fault ??= new Fault('network', null, `the connection broke in the middle: ${error.message}`)
        controller.error(error)
      })
    }
    return new ReadableStream({ start, cancel: () => void response.destroy() })
  }
}
