import { describe, expect, it } from 'vitest'
import { sentencesOf } from './sentences.ts'

describe('the sentences of a message', () => {
  it('are slices in order, and a long message is read at both ends', () => {
    expect(sentencesOf('One. "Two!" Three?\n\nfour …')).toEqual(['One.', '"Two!"', 'Three?', 'four …'])
    const many = Array.from({ length: 200 }, (_, i) => `Sentence ${i}.`)
    const heard = sentencesOf(many.join(' '))
    expect([heard.length, heard[0], heard.at(-1)]).toEqual([64, 'Sentence 0.', 'Sentence 199.'])
  })

  it('are limited even if no sentence ends', () => {
    for (const text of [
      'word '.repeat(250_000),
      'x'.repeat(1_000_000),
      `${'a. '.repeat(400_000)} Start over.`,
    ]) {
      const heard = sentencesOf(text)
      expect(heard.length).toBeLessThanOrEqual(64)
      expect(Math.max(...heard.map(({ length }) => length))).toBeLessThanOrEqual(600)
    }
  })
})
