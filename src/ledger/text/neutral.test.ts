import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  forHtml,
  forJson,
  forMarkdown,
  forPage,
  forPath,
  forPicture,
  forQuote,
  forTerminal,
} from './neutral.ts'

const UNITS = [
  'a',
  ' ',
  'é',
  '<',
  '>',
  '&',
  '"',
  "'",
  '`',
  '*',
  '@',
  '\\',
  '\n',
  '\r',
  '\t',
  '\u001b',
  '\u202e',
  '\u200b',
  '\u2028',
  '\u034f',
  '\u3164',
  '\ue000',
  '\ud800',
  '𝒳',
]
const anything = fc.string({ unit: fc.constantFrom(...UNITS) })

describe('text by others', () => {
  it('steers no terminal', () => {
    expect(forTerminal('\u001b[31mred\u202e\u200b')).toBe('\\x1b[31mred\\u202e\\u200b')
    expect(forTerminal(`a${'\u0301'.repeat(6)}`)).toBe(`a${'\u0301'.repeat(4)}\\u0301\\u0301`)
    fc.assert(
      fc.property(anything, (text) => {
        expect(forTerminal(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u3164]|\u034f/u)
      }),
    )
  })

  it('means the same in JSON', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const json = forJson(JSON.stringify(text))
        expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u)
        expect(JSON.parse(json)).toBe(text)
      }),
    )
  })

  it('ends no element of a page or a picture', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(forHtml(text)).not.toMatch(/[<>"'`]|&(?!\w+;|#\d+;)/)
        expect(forPicture(text)).not.toMatch(/[<>"'\p{Cc}\u202e]|&(?!\w+;|#\d+;)/u)
      }),
    )
  })

  it('makes no markup, link or mention in Markdown', () => {
    expect(forMarkdown('# see @ann at https://x and *this*')).toBe(
      '\\# see `@ann` at `https://x` and \\*this\\*',
    )
  })

  it('is shown on the page by its code points, with newline and tab as they are', () => {
    expect(forPage('a\r\n\tb\u202ec')).toEqual(['a\n\tb', { escape: 'U+202E' }, 'c'])
  })
})

describe('paths and lines of files', () => {
  it('show what is unseen in a path as an escape, also beyond the first plane, and keep private signs', () => {
    expect(forPath('a\u202eb\n\u{e0041}/\ue000.ts')).toBe('a\\u202eb\\u000a\\udb40\\udc41/\ue000.ts')
  })

  it('put one blank for a run of it in a quote', () => {
    expect(forQuote('a\u0000\u200b\tb\u{e0041}c')).toBe('a b c')
  })
})
