// The output of a tool, as parts: bytes with a name for the reader and a type.

import { fromUtf8, utf8 } from '../ledger/bytes.ts'
import type { Json } from '../ledger/canonical.ts'
import type { ContentPart } from './toolset.ts'

export const textPart = (
  name: string,
  text: string,
  mediaType = 'text/plain; charset=utf-8',
): ContentPart => ({
  name,
  mediaType,
  bytes: utf8(text),
})

export const jsonPart = (name: string, value: Json): ContentPart =>
  textPart(name, JSON.stringify(value), 'application/json')
/** Bytes of an unknown kind. */
export const bytesPart = (name: string, bytes: Uint8Array): ContentPart => ({
  name,
  mediaType: fromUtf8(bytes) === null ? 'application/octet-stream' : 'text/plain; charset=utf-8',
  bytes,
})
