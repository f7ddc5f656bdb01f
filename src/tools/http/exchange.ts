// One request and its reply, sent to an address that was decided before: no name is looked up here, no redirect is
// followed, no connection is kept. The body is read to the limit and no further.

import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Fault } from '../call-tool.ts'
import type { Destination } from './hosts.ts'

export interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** There was more than the limit. */
  readonly cut: boolean
}

function pinnedTo({ address, family }: Destination): LookupFunction {
  return (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

async function bodyOf(response: IncomingMessage, most: number): Promise<{ body: Buffer; cut: boolean }> {
  const pieces: Buffer[] = []
  let left = most
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece.subarray(0, left))
    if (piece.length > left) {
      response.destroy()
      return { body: Buffer.concat(pieces), cut: true }
    }
    left -= piece.length
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

export async function exchange(
  to: Destination,
  sent: Sent,
  most: number,
  signal: AbortSignal,
): Promise<Received> {
  let response: IncomingMessage
  try {
    response = await open(to, sent, signal)
  } catch (error) {
    if (error instanceof TypeError) throw new Fault('invalid_input', words(error))
    throw new Fault('unavailable', `no answer from ${to.url.host}: ${words(error)}`)
  }
  const closed = new Promise((resolve) => response.socket.once('close', resolve))
  try {
    const { body, cut } = await bodyOf(response, most)
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
