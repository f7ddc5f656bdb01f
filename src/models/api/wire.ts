// The only access to the network for an API. A redirect is never followed, since it would send the key
// elsewhere; an error and a reply that is not a stream are read up to a limit and interpreted here, no matter
// what an SDK does with them; and no single line of a stream may grow without limit in memory. The key is
// added here: the SDK never has it.

import { errorIn, type Fault, faultOf, parsed, retryAfter, wordsThrough } from './faults.ts'

// Some servers answer with one JSON body although a stream was requested. The content is the same, so it is
// passed on as the stream that it should have been: one chunk with everything in the message, and the end.

type Members = { readonly [name: string]: unknown }

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

/** Null when the body is not a chat completion. */
function streamOfBody(body: unknown): string | null {
  if (!isMembers(body) || !Array.isArray(body.choices)) return null
  const [choice] = body.choices as readonly unknown[]
  if (!isMembers(choice) || !isMembers(choice.message)) return null
  const { message, finish_reason } = choice
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : []
  const delta = {
    ...message,
    ...(calls.length > 0 ? { tool_calls: calls.map((call: object, index) => ({ index, ...call })) } : {}),
  }
  const { choices: _, object: __, ...rest } = body
  const base = { ...rest, object: 'chat.completion.chunk' }
  return [
    event({ ...base, usage: null, choices: [{ index: 0, delta, finish_reason: null }] }),
    event({ ...base, choices: [{ index: 0, delta: {}, finish_reason: finish_reason ?? null }] }),
    'data: [DONE]\n\n',
  ].join('')
}

/** The part of `fetch` that our own parser needs: a body that can be read chunk by chunk. */
export type Send = (
  url: string,
  init: RequestInit,
) => Promise<{ readonly body: AsyncIterable<Uint8Array> | null }>

export interface Wire {
  readonly fetch: typeof fetch
  /** The same without another stream around the stream, which costs as much as the request. */
  readonly send: Send
  /** The first error. */
  readonly fault: Fault | null
  /** The last bytes that came, as text. */
  readonly tail: string
  /** The member names of the sent body. */
  readonly members: readonly string[]
}

const ERROR_BYTES = 64 << 10
const EXCERPT = 300
const TAIL = 64
const NEWLINE = 10

class WireError extends Error {}

async function readAtMost(body: Response['body'], most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= most) break
  }
  return Buffer.concat(chunks).subarray(0, most).toString('utf8')
}

/** The base address as it may be shown: a URL can contain a password. */
const shown = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** Why this response is no stream, or the response that is one. */
async function streamIn(response: Response, url: string, most: number): Promise<Fault | Response> {
  const strange = (message: string): Fault => ({
    type: 'parse_error',
    cause: null,
    message,
    retryAfterMs: null,
  })
  const { status, headers, body } = response
  if (status >= 300 && status < 400) {
    await body?.cancel()
    const target = headers.get('location') ?? 'nowhere'
    const message = `${shown(url)} redirects to ${target} (HTTP ${status}); redirects are not followed`
    return strange(message)
  }
  if (!response.ok)
    return faultOf(status, await readAtMost(body, ERROR_BYTES), retryAfter(headers, Date.now()))
  const kind = headers.get('content-type') ?? 'text/event-stream'
  // `text/event-stream`, or `application/vnd.amazon.eventstream`.
  if (/event-?stream/.test(kind)) return response
  const text = await readAtMost(body, most)
  const json = parsed(text)
  if (errorIn(json) !== null) return faultOf(null, text)
  const stream = streamOfBody(json)
  if (stream !== null)
    return new Response(stream, { status, headers: { 'content-type': 'text/event-stream' } })
  const excerpt = text.slice(0, EXCERPT)
  return strange(`${shown(url)} answered with ${kind} instead of a stream: ${excerpt}`)
}

/** An untrusted certificate: nothing was sent, and asking again would not help. */
const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_CERT_)/

function connectionFault(error: unknown): Fault {
  const message = wordsThrough(error)
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!UNTRUSTED.test(String(Reflect.get(cause, 'code')))) continue
    const advice = 'trust its authority with ca: in the settings, or with NODE_EXTRA_CA_CERTS'
    return { type: 'network', cause: 'unavailable', message: `${message}; ${advice}`, retryAfterMs: null }
  }
  return { type: 'network', cause: null, message, retryAfterMs: null }
}

/** The value that an SDK gets as its key, because without one it would take a key from the environment. */
export const NO_KEY = 'put on by the wire'

/** Any scheme other than this one is the vendor's own header. */
const AUTHORIZATION = 'authorization'

function withKey(original: RequestInit['headers'], name: string, key: string | null): Headers {
  const headers = new Headers(original)
  for (const [header, value] of [...headers]) if (value.includes(NO_KEY)) headers.delete(header)
  if (key === null) headers.delete(name)
  else headers.set(name, name === AUTHORIZATION ? `Bearer ${key}` : key)
  return headers
}

interface Post {
  readonly fetch: typeof fetch
  readonly keyHeader: string
  readonly key: string | null
  readonly maxLineBytes: number
  /** Changes the body of a request; null where it is sent as it is. */
  readonly rewrite?: ((body: object) => object) | null
  /** Called for every sign of life: the head of the response, and each chunk of its body. */
  readonly alive: () => void
}

const objectIn = (text: unknown): object => {
  const value = typeof text === 'string' ? parsed(text) : null
  return typeof value === 'object' && value !== null ? value : {}
}

export function openWire({ fetch: inner, keyHeader, key, maxLineBytes, rewrite = null, alive }: Post): Wire {
  let sent: RequestInit['body'] = null
  let first: Fault | null = null
  let last: Uint8Array = new Uint8Array()
  const fail = (fault: Fault): WireError => {
    first ??= fault
    return new WireError(fault.message)
  }
  const broken = (error: unknown) => fail(connectionFault(error))

  /** Passes chunks on, and explains a failure. */
  function checker(): (chunk: Uint8Array) => WireError | null {
    let line = 0
    return (chunk) => {
      const end = chunk.lastIndexOf(NEWLINE)
      line = end === -1 ? line + chunk.length : chunk.length - end - 1
      last = chunk
      if (line <= maxLineBytes) return null
      const message = `one line of the reply is longer than ${maxLineBytes} bytes`
      return fail({ type: 'parse_error', cause: 'reply_too_large', message, retryAfterMs: null })
    }
  }

  function guarded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    const check = checker()
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          alive()
          if (done) return controller.close()
          const fault = check(value)
          if (fault === null) return controller.enqueue(value)
          controller.error(fault)
          await reader.cancel()
        } catch (error) {
          controller.error(broken(error))
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }

  async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reader = body.getReader()
    const check = checker()
    let isOpen = true
    const read = async () => {
      try {
        return await reader.read()
      } catch (error) {
        isOpen = false
        throw broken(error)
      }
    }
    try {
      for (;;) {
        const { done, value } = await read()
        alive()
        isOpen = !done
        if (done) return
        const fault = check(value)
        if (fault !== null) throw fault
        yield value
      }
    } finally {
      if (isOpen) await reader.cancel()
    }
  }

  async function sentTo(
    input: Parameters<typeof fetch>[0],
    init: RequestInit | undefined,
  ): Promise<Response> {
    const url = String(input instanceof Request ? input.url : input)
    let stream: Fault | Response
    try {
      const headers = withKey(init?.headers, keyHeader, key)
      sent = rewrite === null ? init?.body : JSON.stringify(rewrite(objectIn(init?.body)))
      const response = await inner(input, { ...init, body: sent ?? null, headers, redirect: 'manual' })
      alive()
      stream = await streamIn(response, url, maxLineBytes)
    } catch (error) {
      throw broken(error)
    }
    if (!(stream instanceof Response)) throw fail(stream)
    return stream
  }

  const wired: typeof fetch = async (input, init) => {
    const { status, headers, body } = await sentTo(input, init)
    return new Response(body === null ? null : guarded(body), { status, headers })
  }
  const send: Send = async (url, init) => {
    const { body } = await sentTo(url, init)
    return { body: body && readChunks(body) }
  }
  return {
    fetch: wired,
    send,
    get fault() {
      return first
    },
    get tail() {
      return Buffer.from(last.subarray(-TAIL)).toString('utf8')
    },
    get members() {
      return Object.keys(objectIn(sent))
    },
  }
}
