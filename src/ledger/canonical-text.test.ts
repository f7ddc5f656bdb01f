import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize, isCanonicalText, MAX_DEPTH } from './canonical.ts'

/** By definition: the text that is written for the value it says. */
function writtenAgain(text: string): boolean {
  try {
    return canonicalize(JSON.parse(text)) === text
  } catch {
    return false
  }
}

/** What makes the difference between one spelling and another. */
const PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '/', ' ', '\n', '\t', '\u0000', '\u007f', '\u2028', 'é', '😀'],
  ...['\\u0000', '\\u0008', '\\u000b', '\\u000B', '\\u001f', '\\u0020', '\\u00e9', '\\ud83d', '\\ude00'],
  ...['\\b', '\\f', '\\n', '\\/', '\\"', '\\\\', '\\x', 'true', 'false', 'null', 'nul', 'NaN', 'Infinity'],
  ...['0', '-0', '-', '1', '1.0', '.5', '1e21', '1E21', '1e+21', '1e400', '100000000000000000000', '5e-324'],
  ...['"":1', '"a":1', '"b":[]', '"a":{}', '"__proto__":0', '"\\n":1', '"\ufb33":1', '"😀":1'],
] as const

const assembled = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((pieces) => pieces.join(''))
const inObject = fc.array(fc.constantFrom(...PIECES.slice(-8)), { maxLength: 4 }).map((all) => `{${all}}`)
const changed = fc
  .tuple(fc.json(), fc.nat(), fc.nat(2), fc.constantFrom(...PIECES))
  .map(([json, place, removed, piece]) => {
    const text = canonicalize(JSON.parse(json))
    const at = place % (text.length + 1)
    return text.slice(0, at) + piece + text.slice(at + removed)
  })

describe('recognising canonical text', () => {
  it('LED-4 takes a text if and only if writing its value again gives the same text', () => {
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof(assembled, inObject, changed, fc.json()), (text) => {
        fc.pre(text.isWellFormed())
        const canonical = writtenAgain(text)
        if (canonical) accepted++
        expect(isCanonicalText(text), JSON.stringify(text)).toBe(canonical)
      }),
      { numRuns: 20_000 },
    )
    expect(accepted).toBeGreaterThan(1000)
  })

  it.each(PIECES)('LED-4 decides as writing it again would, alone and quoted: %j', (piece) => {
    for (const text of [
      piece,
      `"${piece}"`,
      `[${piece}]`,
      `{${piece}}`,
      `{"${piece}":${piece}}`,
      `${piece},`,
    ])
      expect([text, isCanonicalText(text)]).toEqual([text, writtenAgain(text)])
  })

  it('LED-4 takes every finite double as it is written, and no other spelling of it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        for (const text of [`${number}`, number.toExponential(), number.toPrecision(17), number.toFixed(3)])
          expect([text, isCanonicalText(text)]).toEqual([text, writtenAgain(text)])
      }),
    )
  })

  it('reads as deep as writing does, and long texts without exhausting memory or stack', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    expect([isCanonicalText(nested(MAX_DEPTH)), isCanonicalText(nested(MAX_DEPTH + 1))]).toEqual([
      true,
      false,
    ])
    expect([writtenAgain(nested(MAX_DEPTH)), writtenAgain(nested(MAX_DEPTH + 1))]).toEqual([true, false])
    expect(isCanonicalText('['.repeat(1 << 20))).toBe(false)
    expect(isCanonicalText(`"${'\\n'.repeat(1 << 19)}"`)).toBe(true)
    expect(isCanonicalText(`"${'\\n'.repeat(1 << 19)}`)).toBe(false)
    expect(isCanonicalText(`[${'0,'.repeat(1 << 19)}0]`)).toBe(true)
  })
})
