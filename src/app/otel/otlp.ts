// Spans as an OTLP request: the few messages of its protobuf schema that traces need, and the same as JSON. A
// test compares the bytes with those of OpenTelemetry's own serializer; the package itself would add 25 MB.

import { concat, fromHex, utf8 } from '../../ledger/bytes.ts'
import type { Json } from '../../ledger/canonical.ts'
import type { Attribute, Span } from './spans.ts'

export type Attributes = Readonly<Record<string, Attribute>>

const KINDS = { internal: 1, client: 3 } as const
const ERROR = 2
/** Sampled, and the parent is known to be in this process. */
const FLAGS = 0x101
const SCOPE = 'witan'

// Protobuf: a field is its number and wire type, then its value. Counts of dropped items are written although
// they are zero, as OpenTelemetry does.

function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 0x80n) return Uint8Array.of(...bytes, Number(rest))
    bytes.push(Number(rest & 0x7fn) | 0x80)
  }
}

const tag = (field: number, wire: number): Uint8Array => varint(BigInt((field << 3) | wire))
const bytesField = (field: number, bytes: Uint8Array): Uint8Array =>
  concat(tag(field, 2), varint(BigInt(bytes.length)), bytes)
const textField = (field: number, text: string): Uint8Array => bytesField(field, utf8(text))
const intField = (field: number, value: number): Uint8Array => concat(tag(field, 0), varint(BigInt(value)))

function fixed(field: number, size: 4 | 8, write: (view: DataView) => void): Uint8Array {
  const view = new DataView(new ArrayBuffer(size))
  write(view)
  return concat(tag(field, size === 8 ? 1 : 5), new Uint8Array(view.buffer))
}

const nanoseconds = (ms: number): bigint => BigInt(Math.round(ms)) * 1_000_000n
const timeField = (field: number, ms: number): Uint8Array =>
  fixed(field, 8, (view) => view.setBigUint64(0, nanoseconds(ms), true))

function anyValue(value: Attribute): Uint8Array {
  if (typeof value === 'string') return textField(1, value)
  if (typeof value === 'boolean') return intField(2, value ? 1 : 0)
  if (Number.isSafeInteger(value)) return intField(3, value)
  return fixed(4, 8, (view) => view.setFloat64(0, value, true))
}

const keyValues = (field: number, attributes: Attributes): Uint8Array =>
  concat(
    ...Object.entries(attributes).map(([name, value]) =>
      bytesField(field, concat(textField(1, name), bytesField(2, anyValue(value)))),
    ),
  )

const idField = (field: number, hex: string): Uint8Array =>
  bytesField(field, fromHex(hex) ?? new Uint8Array())

const spanBytes = (span: Span): Uint8Array =>
  concat(
    idField(1, span.traceId),
    idField(2, span.spanId),
    span.parentId === null ? new Uint8Array() : idField(4, span.parentId),
    textField(5, span.name),
    intField(6, KINDS[span.kind]),
    timeField(7, span.start),
    timeField(8, span.end),
    keyValues(9, span.attributes),
    intField(10, 0),
    ...span.events.map(({ name, at, attributes }) =>
      bytesField(11, concat(timeField(1, at), textField(2, name), keyValues(3, attributes), intField(4, 0))),
    ),
    intField(12, 0),
    intField(14, 0),
    bytesField(
      15,
      span.error === null ? intField(3, 0) : concat(textField(2, span.error), intField(3, ERROR)),
    ),
    fixed(16, 4, (view) => view.setUint32(0, FLAGS, true)),
  )

/** An ExportTraceServiceRequest in protobuf, as collectors take it. */
export const otlpProtobuf = (spans: readonly Span[], resource: Attributes): Uint8Array =>
  bytesField(
    1,
    concat(
      bytesField(1, concat(keyValues(1, resource), intField(2, 0))),
      bytesField(
        2,
        concat(bytesField(1, textField(1, SCOPE)), ...spans.map((span) => bytesField(2, spanBytes(span)))),
      ),
    ),
  )

const jsonValue = (value: Attribute): Json => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
}

const jsonAttributes = (attributes: Attributes): Json =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: jsonValue(value) }))

const jsonTime = (ms: number): string => String(nanoseconds(ms))

/** The same in JSON, for a file. */
export const otlpJson = (spans: readonly Span[], resource: Attributes): Json => ({
  resourceSpans: [
    {
      resource: { attributes: jsonAttributes(resource) },
      scopeSpans: [
        {
          scope: { name: SCOPE },
          spans: spans.map((span) => ({
            traceId: span.traceId,
            spanId: span.spanId,
            ...(span.parentId !== null && { parentSpanId: span.parentId }),
            name: span.name,
            kind: KINDS[span.kind],
            startTimeUnixNano: jsonTime(span.start),
            endTimeUnixNano: jsonTime(span.end),
            attributes: jsonAttributes(span.attributes),
            events: span.events.map(({ name, at, attributes }) => ({
              timeUnixNano: jsonTime(at),
              name,
              attributes: jsonAttributes(attributes),
            })),
            status: span.error === null ? {} : { code: ERROR, message: span.error },
            flags: FLAGS,
          })),
        },
      ],
    },
  ],
})
