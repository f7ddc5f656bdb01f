// The output of a server's tool, as parts. It is untrusted: a block of an unknown kind is kept as its JSON,
// and a media type is only a claim.

import type { CallToolResult } from '@modelcontextprotocol/client'
import { canonicalize, type Json } from '../../ledger/canonical.ts'
import { textPart } from '../content-parts.ts'
import type { ContentPart } from '../toolset.ts'

type Block = CallToolResult['content'][number]

const decoded = (base64: string): Uint8Array => Buffer.from(base64, 'base64')
const jsonOf = (name: string, value: unknown): ContentPart =>
  textPart(name, canonicalize(JSON.parse(JSON.stringify(value)) as Json), 'application/json')
const claimed = (type: string | undefined, otherwise: string): string =>
  type !== undefined && /^[\w.+-]+\/[\w.+-]+(?:;\s*[\w=".-]+)*$/.test(type) ? type : otherwise

function partOf(block: Block): ContentPart {
  switch (block.type) {
    case 'text':
      return textPart('text', block.text)
    case 'image':
    case 'audio':
      return {
        name: block.type,
        mediaType: claimed(block.mimeType, 'application/octet-stream'),
        bytes: decoded(block.data),
      }
    case 'resource': {
      const { resource } = block
      if ('text' in resource)
        return textPart('resource', resource.text, claimed(resource.mimeType, 'text/plain'))
      const mediaType = claimed(resource.mimeType, 'application/octet-stream')
      return { name: 'resource', mediaType, bytes: decoded(resource.blob) }
    }
    default:
      return jsonOf('block', block)
  }
}

export function contentOf(result: CallToolResult): ContentPart[] {
  const parts = result.content.map(partOf)
  return result.structuredContent === undefined
    ? parts
    : [...parts, jsonOf('structured', result.structuredContent)]
}

/** A failing tool's text about its failure. */
export const wordsOf = (result: CallToolResult): string => {
  const text = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  return text.trim() === '' ? 'the tool failed and did not say why' : text
}
