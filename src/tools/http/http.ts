// Requests over HTTP to granted hosts. Each redirect is a new decision, and a body is never sent on to
// another host; an answer of 400 and above is a failure whose content is kept.

import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { JsonSchema } from '../../ledger/schema.ts'
import { type Context, Fault, fixedToolset, type Input, type Tool, type ToolOutput } from '../call-tool.ts'
import { type Clean, cleanKnown } from '../clean-output.ts'
import { jsonPart } from '../content-parts.ts'
import type { ContentPart, Toolset } from '../toolset.ts'
import {
  checkGrant,
  type Destination,
  grantFor,
  type HostGrant,
  type Resolve,
  resolveDestination,
} from './hosts.ts'

// One request and its reply, sent to an address that was decided before: no name is resolved here, no
// redirect is followed, no connection is kept. The body is read up to the limit.

export interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The body was longer than the limit. */
  readonly cut: boolean
}

function pinnedTo({ address, family }: Destination): LookupFunction {
  return (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

async function readBody(response: IncomingMessage, most: number): Promise<{ body: Buffer; cut: boolean }> {
  const pieces: Buffer[] = []
  let remaining = most
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece.subarray(0, remaining))
    if (piece.length > remaining) {
      response.destroy()
      return { body: Buffer.concat(pieces), cut: true }
    }
    remaining -= piece.length
  }
  return { body: Buffer.concat(pieces), cut: false }
}

const words = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code
}

function open(
  to: Destination,
  { method, headers, body }: Sent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const make = to.url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = make(to.url, {
      method,
      headers: { ...headers, connection: 'close', 'accept-encoding': 'identity' },
      agent: false,
      lookup: pinnedTo(to),
      signal,
    })
    request.once('response', resolve)
    request.once('error', reject)
    request.end(body ?? undefined)
  })
}

async function exchange(to: Destination, sent: Sent, most: number, signal: AbortSignal): Promise<Received> {
  let response: IncomingMessage
  try {
    response = await open(to, sent, signal)
  } catch (error) {
    if (error instanceof TypeError) throw new Fault('invalid_input', words(error))
    throw new Fault('unavailable', `no answer from ${to.url.host}: ${words(error)}`)
  }
  const closed = new Promise((resolve) => response.socket.once('close', resolve))
  try {
    const { body, cut } = await readBody(response, most)
    const headers = Object.entries(response.headersDistinct).map(
      ([name, values]) => [name, (values ?? []).join(', ')] as const,
    )
    return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers), body, cut }
  } catch (error) {
    throw new Fault('crashed', `${to.url.host} broke off in the middle: ${words(error)}`)
  } finally {
    response.destroy()
    if (!response.socket.closed) {
      response.socket.destroy()
      await closed
    }
  }
}

/** Which hosts may be reached. */
export interface HttpOptions {
  readonly hosts: readonly HostGrant[]
  readonly clean: Clean
  readonly resolve?: Resolve
}

const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]
const OURS =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|proxy-.*)$/i
const TOLD = ['content-type', 'content-length', 'last-modified', 'etag', 'location', 'date', 'retry-after']

/** Every address of a name, in the order of the system. */
const systemResolve: Resolve = async (name) => {
  const addresses = await lookup(name, { all: true, verbatim: true }).catch((error: Error) => {
    throw new Fault('unavailable', `the name ${name} is not known: ${error.message}`)
  })
  return addresses.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }))
}

function shapeOf(method: Method): JsonSchema {
  const body = method === 'get' || method === 'head' ? {} : { body: { type: 'string' } }
  return {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, maxLength: 8192 },
      headers: { type: 'object' },
      ...body,
    },
    required: ['url'],
    additionalProperties: false,
  }
}

function urlOf(text: string, base?: URL): URL {
  if (URL.canParse(text, base?.href)) return new URL(text, base)
  throw new Fault(base === undefined ? 'invalid_input' : 'error', `${JSON.stringify(text)} is no address`)
}

function headersOf(input: Input): Record<string, string> {
  const entries = Object.entries((input.headers ?? {}) as Input)
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw new Fault('invalid_input', `the header ${name} is no text`)
    if (OURS.test(name)) throw new Fault('invalid_input', `the header ${name} is not for the caller to set`)
  }
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

/** What is sent on. Throws a Fault where a redirect would carry content to a host that it was not meant for. */
export function nextRequest(from: URL, to: URL, status: number, sent: Sent): Sent {
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new Fault('denied', `${from.host} sends us on to an address without encryption`)
  }
  const same = from.host === to.host
  const plain = sent.method === 'GET' || sent.method === 'HEAD'
  const headers = Object.entries(sent.headers).filter(
    ([name]) => same || (name !== 'authorization' && name !== 'cookie'),
  )
  if (plain) return { ...sent, headers: Object.fromEntries(headers) }
  if (status === 307 || status === 308) {
    if (same) return sent
    throw new Fault(
      'denied',
      `${from.host} sends the request on to ${to.host}; what it carries was not meant for it`,
    )
  }
  const rest = headers.filter(([name]) => !name.startsWith('content-'))
  return { method: 'GET', headers: Object.fromEntries(rest), body: null }
}

function contentOf(received: Received, url: URL, ways: readonly string[], room: number): ContentPart[] {
  const headers = TOLD.flatMap((name) => {
    const value = received.headers[name]
    return value === undefined ? [] : [[name, value.slice(0, 500)] as const]
  })
  const facts = {
    status: received.status,
    url: url.href,
    redirects: ways,
    headers: Object.fromEntries(headers),
  }
  const responsePart = jsonPart('response', facts)
  const mediaType = received.headers['content-type'] ?? 'application/octet-stream'
  const bytes = received.body.subarray(0, Math.max(0, room - responsePart.bytes.length))
  const parts = responsePart.bytes.length > room ? [] : [responsePart]
  return bytes.length === 0 ? parts : [...parts, { name: 'body', mediaType, bytes }]
}

/** A tool that fetches from granted hosts and no others. */
export function httpTools({ hosts, clean, resolve = systemResolve }: HttpOptions): Toolset {
  for (const grant of hosts) checkGrant(grant)
  const headerValues = hosts.flatMap((grant) => Object.values(grant.headers ?? {}))
  const secrets = headerValues.flatMap((value) => [value, ...value.split(/\s+/)])

  async function follow(method: string, input: Input, context: Context): Promise<ToolOutput> {
    const { maxOutputBytes } = context.limits
    let url = urlOf(String(input.url))
    let sent: Sent = {
      method,
      headers: headersOf(input),
      body: input.body === undefined ? null : String(input.body),
    }
    const ways: string[] = []
    for (;;) {
      const to: Destination = await resolveDestination(url, hosts, resolve)
      context.signal.throwIfAborted()
      const own = Object.entries(to.grant.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
      const headers = { ...sent.headers, ...Object.fromEntries(own) }
      const received = await exchange(to, { ...sent, headers }, maxOutputBytes, context.signal)
      const { location } = received.headers
      if (location === undefined || !REDIRECTS.includes(received.status)) {
        return resultOf(received, url, ways, maxOutputBytes)
      }
      ways.push(url.href)
      if (ways.length > MOST_REDIRECTS) throw new Fault('error', `more than ${MOST_REDIRECTS} redirects`)
      const next = urlOf(location, url)
      sent = nextRequest(url, next, received.status, sent)
      url = next
    }
  }

  function resultOf(received: Received, url: URL, ways: readonly string[], room: number): ToolOutput {
    const content = contentOf(received, url, ways, room)
    const bodyBytes = content.find((part) => part.name === 'body')?.bytes.length ?? 0
    if (received.cut || bodyBytes < received.body.length) {
      throw new Fault('output_too_large', `the reply has more than ${room} bytes`, content)
    }
    if (received.status >= 400) throw new Fault('error', `HTTP ${received.status}`, content)
    return { content }
  }

  const tools = METHODS.map((method): Tool => {
    const upper = method.toUpperCase()
    const reads = method === 'get' || method === 'head'
    return {
      definition: {
        name: `http.${method}`,
        description: `Sends a ${upper} request to a granted host and gives back the reply.`,
        inputSchema: shapeOf(method),
        effects: reads ? ['network'] : ['network', 'write'],
        source: 'http',
      },
      reach: (input) => grantFor(urlOf(String(input.url)), hosts),
      run: (input, context) => follow(upper, input, context),
    }
  })
  return fixedToolset(tools, cleanKnown(secrets, clean))
}
