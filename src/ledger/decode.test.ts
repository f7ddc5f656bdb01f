import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concat, utf8 } from './bytes.ts'
import { decode, encodeLike } from './decode.ts'

const wide = (text: string, isLittle: boolean): Uint8Array => {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [i, unit] of [...text].entries()) view.setUint16(i * 2, unit.charCodeAt(0), isLittle)
  return bytes
}
const LITTLE = Uint8Array.of(0xff, 0xfe)
const BIG = Uint8Array.of(0xfe, 0xff)

describe('bytes', () => {
  it('are read as UTF-8, without their mark', () => {
    expect(decode(utf8('grün'))).toEqual({ text: 'grün', encoding: 'utf-8' })
    expect(decode(concat(Uint8Array.of(0xef, 0xbb, 0xbf), utf8('x')))?.text).toBe('x')
    expect(decode(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8' })
  })

  it('are read as UTF-16 by their mark, or by where their zeros stand', () => {
    expect(decode(concat(LITTLE, wide('ab', true)))).toEqual({ text: 'ab', encoding: 'utf-16le' })
    expect(decode(concat(BIG, wide('ab', false)))).toEqual({ text: 'ab', encoding: 'utf-16be' })
    expect(decode(wide('some words', true))).toEqual({ text: 'some words', encoding: 'utf-16le' })
    expect(decode(wide('some words', false))).toEqual({ text: 'some words', encoding: 'utf-16be' })
    expect(decode(wide('abc', true))).toBeNull()
    expect(decode(concat(wide('some words', true), Uint8Array.of(65)))).toBeNull()
    expect(decode(wide('some\u0001words', true))).toBeNull()
  })

  it('are read as Latin-1 if they hold no control character, and are otherwise not text', () => {
    expect(decode(Uint8Array.of(0x67, 0xfc, 0x6e))).toEqual({ text: 'gün', encoding: 'latin-1' })
    expect(decode(Uint8Array.of(0x67, 0xfc, 0x01))).toBeNull()
    expect(decode(Uint8Array.of(0x67, 0x00, 0x68))).toBeNull()
    const late = concat(utf8('x'.repeat(9_000)), Uint8Array.of(0))
    expect(decode(late)).toBeNull()
  })

  it('are written again as they were read, with the mark if they had one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.constantFrom(LITTLE, BIG), (text, mark) => {
        const encoding = mark === LITTLE ? 'utf-16le' : 'utf-16be'
        const written = encodeLike(text, encoding, concat(mark, wide('old', mark === LITTLE)))
        expect(written).toEqual(concat(mark, wide(text, mark === LITTLE)))
        expect(encodeLike(text, encoding, wide('old', mark === LITTLE))).toEqual(wide(text, mark === LITTLE))
      }),
    )
    expect(encodeLike('ä', 'utf-8', utf8('x'))).toEqual(utf8('ä'))
    expect(encodeLike('ä', 'utf-8', Uint8Array.of(0xef, 0xbb, 0xbf, 65))).toEqual(utf8('\ufeffä'))
  })
})
