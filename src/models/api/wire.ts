// The only way to the network for an API. A redirect is never followed, for it would take the key elsewhere; an error
// and a reply that is no stream are read up to a bound and given their meaning here, whatever an SDK makes of them;
// and no single line of a stream may grow without end in memory. The key is put on here: the SDK above never has it.

import { errorIn, type Fault, faultOf, parsed, retryAfter, wordsThrough } from './faults.ts'

export interface Wire {
  readonly fetch: typeof fetch
  /** The first thing that went wrong. */
  readonly fault: Fault | null
  /** The last bytes that came, as text. */
  readonly tail: string
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

/** The base address as it may be shown: a URL can carry a password. */
const shown = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

async function refusal(response: Response, url: string): Promise<Fault | null> {
  const fault = (type: Fault['type'], cause: Fault['cause'], message: string): Fault => ({
    type,
    cause,
    message,
    retryAfterMs: null,
  })
  const { status, headers, body } = response
  if (status >= 300 && status < 400) {
    await body?.cancel()
    const target = headers.get('location') ?? 'nowhere'
    const message = `${shown(url)} redirects to ${target} (HTTP ${status}); redirects are not followed`
    return fault('network', 'unavailable', message)
  }
  if (!response.ok)
    return faultOf(status, await readAtMost(body, ERROR_BYTES), retryAfter(headers, Date.now()))
  const kind = headers.get('content-type') ?? 'text/event-stream'
  if (kind.includes('event-stream')) return null
  const text = await readAtMost(body, ERROR_BYTES)
  if (errorIn(parsed(text)) !== null) return faultOf(null, text)
  const excerpt = text.slice(0, EXCERPT)
  return fault('parse_error', null, `${shown(url)} answered with ${kind} instead of a stream: ${excerpt}`)
}

/** Any scheme but this one is the vendor's own header. */
const AUTHORIZATION = 'authorization'

function withKey(given: RequestInit['headers'], name: string, key: string | null): Headers {
  const headers = new Headers(given)
  if (key === null) headers.delete(name)
  else headers.set(name, name === AUTHORIZATION ? `Bearer ${key}` : key)
  return headers
}

interface Post {
  readonly fetch: typeof fetch
  readonly keyHeader: string
  readonly key: string | null
  readonly maxLineBytes: number
}

export function openWire({ fetch: inner, keyHeader, key, maxLineBytes }: Post): Wire {
  let first: Fault | null = null
  let last: Uint8Array = new Uint8Array()
  const fail = (fault: Fault): WireError => {
    first ??= fault
    return new WireError(fault.message)
  }
  const broken = (error: unknown) =>
    fail({ type: 'network', cause: null, message: wordsThrough(error), retryAfterMs: null })

  function guarded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    let line = 0
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          const end = value.lastIndexOf(NEWLINE)
          line = end === -1 ? line + value.length : value.length - end - 1
          last = value
          if (line <= maxLineBytes) return controller.enqueue(value)
          const message = `one line of the reply is longer than ${maxLineBytes} bytes`
          controller.error(
            fail({ type: 'parse_error', cause: 'reply_too_large', message, retryAfterMs: null }),
          )
          await reader.cancel()
        } catch (error) {
          controller.error(broken(error))
        }
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }

  const wired: typeof fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input)
    let response: Response
    let refused: Fault | null
    try {
      const headers = withKey(init?.headers, keyHeader, key)
      response = await inner(input, { ...init, headers, redirect: 'manual' })
      refused = await refusal(response, url)
    } catch (error) {
      throw broken(error)
    }
    if (refused !== null) throw fail(refused)
    const { status, headers, body } = response
    return new Response(body === null ? null : guarded(body), { status, headers })
  }
  return {
    fetch: wired,
    get fault() {
      return first
    },
    get tail() {
      return Buffer.from(last.subarray(-TAIL)).toString('utf8')
    },
  }
}
