import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMatch, passageOf, readQuery, stringsIn, wordsIn } from './search.ts'

const finds = (query: string, text: string): boolean => isMatch(readQuery(query), wordsIn(text))

describe('searching recorded text', () => {
  it('APP-15 compares words without case, accents or punctuation', () => {
    expect(wordsIn('Zürich: the Café_au-lait, ﬁne 3.5')).toEqual(
      'zurich the cafe au lait fine 3 5'.split(' '),
    )
    expect(finds('zurich CAFE', 'Le café de Zürich')).toBe(true)
    expect(finds('zurich', 'Zürichsee')).toBe(false)
    expect(finds('zurich*', 'Zürichsee')).toBe(true)
  })

  it('APP-15 finds phrases side by side and the others anywhere', () => {
    expect(finds('"move to SQLite" why', 'why should we move to sqlite?')).toBe(true)
    expect(finds('"sqlite move"', 'move to sqlite')).toBe(false)
    expect(finds('src/app/run.ts', 'see src/app/run.ts:12')).toBe(true)
    expect(finds('"move to sq"*', 'move to sqlite')).toBe(true)
  })

  it('APP-15 searches scripts without blanks letter by letter', () => {
    expect(finds('数据库', '我们应该换数据库吗')).toBe(true)
    expect(finds('据数', '我们应该换数据库吗')).toBe(false)
  })

  it('APP-15 searches nothing if a query has no words, and reads an unclosed quotation', () => {
    expect(readQuery(' ** " ')).toEqual([])
    expect(readQuery('"open quote')).toEqual([
      { words: ['open'], isPrefix: false },
      { words: ['quote'], isPrefix: false },
    ])
  })

  it('APP-15 leaves out hashes and the names of members', () => {
    expect(wordsIn('a'.repeat(64))).toEqual([])
    expect(stringsIn({ question: 'why', list: ['one', { deep: 'two' }], n: 3 })).toEqual([
      'why',
      'one',
      'two',
    ])
  })

  it('APP-15 shows the passage around what was found, from the words as they were written', () => {
    const text = `${'earlier words '.repeat(20)}Then Zürich\nwas named.${' later words'.repeat(20)}`
    const passage = passageOf(text, readQuery('zurich'), 80) ?? ''
    expect(passage).toMatch(/^….*Zürich was named\. later.*…$/)
    expect(passage.length).toBeLessThan(90)
    expect(passageOf('nothing here', readQuery('zurich'), 80)).toBeNull()
    expect(passageOf('我们应该换数据库吗', readQuery('数据'), 80)).toBe('我们应该换数据库吗')
  })

  it('APP-15 shows a passage wherever a term is, and none for a lookalike', () => {
    const far = ' far and wide'.repeat(5)
    expect(passageOf(`éfoo, fooé,${far} then foo — bar`, readQuery('foo'), 80)).toMatch(
      /^….*wide then foo — bar$/,
    )
    expect(passageOf('fooé and éfoo', readQuery('foo'), 40)).toBeNull()
    const piece = fc.constantFrom(
      'foo',
      'Foo',
      'bar',
      'fôo',
      'fo\u0301o',
      'é',
      'İ',
      '数',
      ' ',
      '-',
      '—',
      '.',
      '\n',
      '7',
    )
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const queries = fc.constantFrom('foo', 'fo*', '"foo bar"', 'bar', '数', '7', '"foo 数"')
    fc.assert(
      fc.property(texts, queries, (text, query) => {
        expect(passageOf(text, readQuery(query), 80) !== null).toBe(finds(query, text))
      }),
      { numRuns: 2000 },
    )
  })
})
