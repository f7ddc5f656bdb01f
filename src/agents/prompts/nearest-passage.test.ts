// What is shown to a model whose quote is not in its artifact.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromUtf8, utf8 } from '../../ledger/bytes.ts'
import { nearestPassage } from './nearest-passage.ts'

const LICENCE = `alpha

The MIT License (MIT)
Copyright (c) 2026 The “alpha” authors — all of them

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software, to deal in the Software without restriction.
`

function nearest(text: string, quote: string): string | null {
  const bytes = utf8(text)
  const range = nearestPassage(bytes, quote)
  return range && fromUtf8(bytes.subarray(...range))
}

describe('the passage nearest to a quote', () => {
  it.each([
    ['other case and blanks', 'the mit\n license (mit)', 'The MIT License (MIT)'],
    [
      'other quotes and dashes',
      'The "alpha" authors - all of them',
      'Copyright (c) 2026 The “alpha” authors — all of them',
    ],
    [
      'a word left out',
      'Permission is granted, free of charge, to any person',
      'Permission is hereby granted, free of charge, to any person obtaining a copy',
    ],
    [
      'something cut out',
      'Permission is hereby granted … to any person obtaining',
      'Permission is hereby granted, free of charge, to any person obtaining a copy',
    ],
    ['very short', 'mit', 'The MIT License (MIT)'],
    ['capitals from the first letter to the last', 'ALPHA', 'alpha'],
    [
      'more blanks than there are',
      'to   deal \n\t in',
      'of this software, to deal in the Software without restriction.',
    ],
  ])('AGT-CLAIM-1 is found for one with %s', (_, quote, passage) => {
    expect(nearest(LICENCE, quote)).toBe(passage)
  })

  it.each([
    ['the first of several that are equally near', 'one cat sat\ntwo cat sat', 'cat sat', 'one cat sat'],
    [
      'the nearer one, though it comes later',
      `permission is refused\n${'-\n'.repeat(40)}permission is granted`,
      'permission is granted!',
      'permission is granted',
    ],
    ['letters A and Z in the other case', 'so AZURE ZEBRA stays', 'azure zebra', 'so AZURE ZEBRA stays'],
    [
      'blanks at the start of the artifact left aside',
      '   \n\n  the licence',
      'the licence',
      '  the licence',
    ],
    [
      'lines over several lines of the quote',
      'a\nfirst line\nsecond line\nb',
      'first line second line',
      'first line\nsecond line',
    ],
    [
      'no half of a character on the left',
      `${'\u{1F600}'.repeat(101)}a licence`,
      'a licence',
      `${'\u{1F600}'.repeat(100)}a licence`,
    ],
    [
      'no half of a character on the right',
      `the licence ${'\u{1F600}'.repeat(120)}`,
      'the licence',
      `the licence ${'\u{1F600}'.repeat(100)}`,
    ],
    [
      'at most so much around it',
      `${'x'.repeat(300)} the licence ${'y'.repeat(300)}`,
      'the licence',
      `${'x'.repeat(199)} the licence ${'y'.repeat(199)}`,
    ],
  ])('AGT-CLAIM-1 is %s', (_, text, quote, passage) => {
    expect(nearest(text, quote)).toBe(passage)
  })

  it('AGT-CLAIM-1 treats typographic variants as the same', () => {
    const text = 'it’s ‘so’, “says” «she» – a well—known −1'
    expect(nearest(text, `it's 'so', "says" "she" - a well-known -1`)).toBe(text)
  })

  it('AGT-CLAIM-1 does not exist if nothing resembles the quote, if the artifact is not text, or if the quote is empty', () => {
    expect(nearest(LICENCE, 'GNU General Public Licence, version 3')).toBeNull()
    expect(nearestPassage(new Uint8Array([0xff, 0xfe, 0x00, 0x41]), 'MIT License')).toBeNull()
    expect(nearest('', 'MIT License')).toBeNull()
    expect(nearest(LICENCE, '  ')).toBeNull()
  })

  it('AGT-CLAIM-1 is text of the artifact for any artifact and quote, the same every time', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 })
    fc.assert(
      fc.property(text, text, fc.nat(400), fc.nat(100), (body, other, at, length) => {
        for (const quote of [other, body.slice(at, at + length)]) {
          const bytes = utf8(body.toWellFormed())
          const range = nearestPassage(bytes, quote)
          if (range === null) continue
          expect(0 <= range[0] && range[0] < range[1] && range[1] <= bytes.length).toBe(true)
          expect(fromUtf8(bytes.subarray(...range))).not.toBeNull()
          expect(nearestPassage(bytes, quote)).toEqual(range)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('AGT-CLAIM-1 reads each character of an artifact a limited number of times, for any artifact and quote', () => {
    const size = 4 * 1024 * 1024
    const hostile: readonly (readonly [string, string])[] = [
      ['a'.repeat(size), `${'a'.repeat(3_999)}b`],
      ['ab'.repeat(size / 2), 'ba'.repeat(2_000)],
      ['the licence '.repeat(size / 12), 'the licences '.repeat(300)],
      [' '.repeat(size), `x${' '.repeat(3_998)}x`],
    ]
    for (const [text, quote] of hostile) nearestPassage(utf8(text), quote)
  }, 60_000)
})
