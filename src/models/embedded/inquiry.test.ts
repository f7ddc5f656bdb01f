// What the panel says to a question: what it leaves open, and lines of the context that share a rare term with it.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { examine } from './embedded-model.ts'
import { gapsIn, isRare, passages, readsAsEnglish } from './question.ts'
import { NOTHING_BEARS } from './report.ts'
import { termsOf } from './terms.ts'

const gaps = (question: string) =>
  gapsIn(question).map(({ id }) => id.replace('WITAN-ASK-', '').toLowerCase())

describe('the gaps of a question', () => {
  it.each([
    [
      'Should we use Rust?',
      ['alternatives', 'constraints', 'criterion', 'reversibility', 'scale', 'deadline'],
    ],
    ['Postgres or SQLite?', ['constraints', 'criterion', 'reversibility', 'scale', 'deadline']],
    [
      'Kafka vs. a table, for 2,000 events per second, by Friday, without new servers?',
      ['criterion', 'reversibility'],
    ],
    [
      'We must choose between REST and gRPC within a budget; latency matters most; it can be undone; 50 services; two weeks.',
      [],
    ],
  ])('%s', (question, expected) => {
    expect(gaps(question)).toEqual(expected)
  })

  it('is decided by whole words', () => {
    expect(gaps('Is the door for authors?')).toContain('alternatives')
    expect(gaps('Is a mustache nice?')).toContain('constraints')
    expect(gaps('A STRICT DEADLINE')).not.toContain('deadline')
  })

  it('is marked where the question may not be English', () => {
    expect(readsAsEnglish('Soll die Datenbank gewechselt werden oder bleibt alles beim Alten?')).toBe(false)
    expect(readsAsEnglish('Should we move the database?')).toBe(true)
    const report = examine({ question: 'データベースを変えるべきですか', mode: 'ask', files: [] })
    expect(report.unseen).toEqual([
      'The word lists for gaps are English; this question may be in another language.',
    ])
  })
})

describe('terms', () => {
  it.each([
    ['What is the best way to use it?', []],
    ['Keys, key and KEY', ['key']],
    ['payload_hash', ['payload_hash', 'payload', 'hash']],
    ['parseDiff', ['parsediff', 'parse', 'diff']],
    ['Überweisung ÜBERWEISUNG', ['überweisung']],
    ['検証する', ['検証', '証す', 'する']],
    ['Ｗｉｄｅ', ['wide']],
    ['in 2024, 3 of a', []],
  ])('of %s', (text, expected) => {
    expect([...termsOf(text)]).toEqual(expected)
  })
})

describe('lines that bear on a question', () => {
  const README = [
    '# Ledger',
    'Events are signed with Ed25519 keys.',
    'The vault is SQLite or PostgreSQL.',
    'A checkpoint is a signed note.',
    ...Array.from({ length: 200 }, (_, i) => `The ledger keeps event number ${i}.`),
    'Redaction erases a payload and keeps its header.',
  ].join('\n')
  const files = [{ path: 'README.md', text: README }]
  const about = (question: string) =>
    passages(question, files).found.map(({ line, terms }) => [line, ...terms])

  it('share a rare term with it, and are quoted with their place', () => {
    expect(passages('How does redaction treat a payload?', files).found).toEqual([
      {
        path: 'README.md',
        line: 205,
        terms: ['payload', 'redaction'],
        quote: 'Redaction erases a payload and keeps its header.',
      },
    ])
    expect(about('Is PostgreSQL needed?')).toEqual([[3, 'postgresql']])
  })

  it('are none for a foreign question, or for one that shares only common words', () => {
    for (const question of [
      'What is the capital of France?',
      'Should the ledger keep every event?',
      '',
      'the of and',
    ]) {
      expect(about(question)).toEqual([])
      expect(examine({ question, mode: 'ask', files }).summary).toContain(NOTHING_BEARS)
    }
  })

  it('come best first: more shared terms, then rarer ones, then by place', () => {
    const text = [
      'apple',
      'banana apple',
      'apple',
      'cherry',
      ...Array.from({ length: 90 }, () => 'filler'),
    ].join('\n')
    const found = passages('apple banana cherry', [{ path: 'a', text }]).found
    expect(found.map(({ line }) => line)).toEqual([2, 4, 1])
  })

  it('show no secret', () => {
    const secret = `gh${'p_'}${'a1B2c3D4e5'.repeat(4)}`
    const quote = passages('deployment', [{ path: 'a', text: `deployment uses ${secret}` }]).found[0]?.quote
    expect(quote).toBe('deployment uses [44 characters hidden]')
  })

  it('are found by counting in the context itself', () => {
    expect([isRare(0, 10), isRare(3, 10), isRare(4, 10), isRare(20, 1_000), isRare(21, 1_000)]).toEqual([
      false,
      true,
      false,
      true,
      false,
    ])
  })

  it('are at most eight, four a file, each said once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom('kiwi', 'plum', 'pear', 'x'), { maxLength: 30 }), { maxLength: 6 }),
        (texts) => {
          const given = texts.map((words, i) => ({ path: `f${i}`, text: words.join('\n') }))
          const { found } = passages('kiwi plum pear', given)
          expect(found.length).toBeLessThanOrEqual(8)
          expect(new Set(found.map(({ quote }) => quote)).size).toBe(found.length)
          for (const { path } of given)
            expect(found.filter((each) => each.path === path).length).toBeLessThanOrEqual(4)
        },
      ),
    )
  })
})
