// What a tool gives back is read as councils are read: the same encodings, the same rules, and no way out as binary.

import { describe, expect, it } from 'vitest'
import { PLANTED } from '../../test/fakes/planted.ts'
import { utf8 } from '../ledger/bytes.ts'
import { encodeLike } from '../ledger/decode.ts'
import { withoutKnownSecrets } from '../ledger/secrets/remove.ts'
import { type Clean, cleanBytes } from './clean-output.ts'

const clean: Clean = (text) => {
  const cleaned = withoutKnownSecrets(text)
  return { text: cleaned.text, removed: cleaned.removed.length }
}
const NONE = new Uint8Array()
const wide = (text: string, order: 'utf-16le' | 'utf-16be') => encodeLike(text, order, NONE)
const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').replaceAll('\0', '')

describe('the output of tools', () => {
  it.each(PLANTED)('COU-C-2 holds no value of kind %s, in any byte order', async (_, value) => {
    const text = `a line\nvalue ${value}\nand after\n`
    const forms = {
      'UTF-8': utf8(text),
      'Latin-1': Buffer.from(`gr\u00fcn ${text}`, 'latin1'),
      'UTF-16': wide(text, 'utf-16le'),
      'UTF-16 with its mark': wide(`\ufeff${text}`, 'utf-16le'),
      'UTF-16, the other order': wide(text, 'utf-16be'),
      'UTF-16, the other order, with its mark': wide(`\ufeff${text}`, 'utf-16be'),
      'UTF-16 after UTF-8': Buffer.concat([utf8('x'.repeat(9_001)), wide(text, 'utf-16le'), utf8('end')]),
      'UTF-16 in other bytes': Buffer.concat([Uint8Array.of(1, 200, 0, 7), wide(text, 'utf-16be')]),
      'other bytes': Buffer.concat([Uint8Array.of(0, 255, 7), utf8(text), Uint8Array.of(0, 0, 1)]),
    }
    for (const [form, bytes] of Object.entries(forms)) {
      const cleaned = await cleanBytes(bytes, clean)
      expect([form, asText(cleaned.bytes).includes(value.slice(-12))]).toEqual([form, false])
      expect(cleaned.removed).toBeGreaterThan(0)
      expect(asText(cleaned.bytes)).toContain('and after')
    }
  })

  it('stays the same to the byte if there is no secret', async () => {
    for (const bytes of [utf8('plain'), wide('\ufeffplain words', 'utf-16be'), Uint8Array.of(0, 1, 2, 255)]) {
      expect(await cleanBytes(bytes, clean)).toEqual({ bytes, removed: 0 })
    }
  })
})
