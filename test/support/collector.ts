// A small OTLP collector on the loopback: it takes what is posted as protobuf, by the field numbers of the public schema, and
// keeps the spans it read.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReadSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string
  readonly name: string
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly events: readonly string[]
  readonly status: number
}

type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>

/** The fields of a message, by number. Throws on what is no protobuf. */
function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const wire = tag & 7
    let value: Buffer | bigint
    if (wire === 0) value = varint()
    else {
      const size = wire === 2 ? Number(varint()) : wire === 1 ? 8 : wire === 5 ? 4 : -1
      if (size < 0 || at + size > bytes.length) throw new Error(`no protobuf at byte ${at}`)
      value = bytes.subarray(at, at + size)
      at += size
    }
    const field = tag >> 3
    fields.set(field, [...(fields.get(field) ?? []), value])
  }
  return fields
}

const bytesAt = (fields: Fields, field: number): Buffer[] => (fields.get(field) ?? []) as Buffer[]
const textAt = (fields: Fields, field: number): string => bytesAt(fields, field)[0]?.toString('utf8') ?? ''
const inside = (fields: Fields, field: number): Fields[] => bytesAt(fields, field).map(fieldsOf)

function attributeValue(any: Fields | undefined): string | number | boolean {
  if (any?.has(2)) return any.get(2)?.[0] === 1n
  if (any?.has(3)) return Number(any.get(3)?.[0])
  if (any?.has(4)) return bytesAt(any, 4)[0]?.readDoubleLE() ?? Number.NaN
  return any ? textAt(any, 1) : ''
}

const attributesAt = (fields: Fields, field: number) =>
  Object.fromEntries(
    inside(fields, field).map((pair) => [textAt(pair, 1), attributeValue(inside(pair, 2)[0])]),
  )

const readSpan = (span: Fields): ReadSpan => ({
  traceId: bytesAt(span, 1)[0]?.toString('hex') ?? '',
  spanId: bytesAt(span, 2)[0]?.toString('hex') ?? '',
  parentId: bytesAt(span, 4)[0]?.toString('hex') ?? '',
  name: textAt(span, 5),
  start: bytesAt(span, 7)[0]?.readBigUInt64LE() ?? 0n,
  end: bytesAt(span, 8)[0]?.readBigUInt64LE() ?? 0n,
  attributes: attributesAt(span, 9),
  events: inside(span, 11).map((event) => textAt(event, 2)),
  status: Number(inside(span, 15)[0]?.get(3)?.[0] ?? 0n),
})

interface ReceivedRequest {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly resource: Readonly<Record<string, string | number | boolean>>
  readonly spans: readonly ReadSpan[]
}

export interface TestCollector {
  readonly url: string
  readonly taken: ReceivedRequest[]
  close(): void
}

export async function startCollector(status = 200): Promise<TestCollector> {
  const taken: ReceivedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const isSpans =
      incoming.url === '/v1/traces' && incoming.headers['content-type'] === 'application/x-protobuf'
    if (!isSpans) return response.writeHead(415).end()
    const [resourceSpans] = inside(fieldsOf(body), 1)
    const scopes = resourceSpans ? inside(resourceSpans, 2) : []
    const [resource] = resourceSpans ? inside(resourceSpans, 1) : []
    const spans = scopes.flatMap((scope) => inside(scope, 2)).map(readSpan)
    taken.push({
      body,
      headers: incoming.headers,
      resource: resource ? attributesAt(resource, 1) : {},
      spans,
    })
    return response.writeHead(status).end()
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    taken,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
