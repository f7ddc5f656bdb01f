import { describe, expect, it } from 'vitest'
import { gistOf, isForeign } from './gist.ts'
import { sentencesOf } from './sentences.ts'

describe('the sentences of a message', () => {
  it('are slices in order, and a long message is heard at both ends', () => {
    expect(sentencesOf('One. "Two!" Three?\n\nfour …')).toEqual(['One.', '"Two!"', 'Three?', 'four …'])
    const many = Array.from({ length: 200 }, (_, i) => `Sentence ${i}.`)
    const heard = sentencesOf(many.join(' '))
    expect([heard.length, heard[0], heard.at(-1)]).toEqual([64, 'Sentence 0.', 'Sentence 199.'])
  })

  it('are bounded even where nothing ends', () => {
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

describe('the gist of a sentence', () => {
  it('is alike in several languages, and tells a wish from a refusal and a pool from a server', () => {
    expect(gistOf('Please do not restart the server.').join(' ')).toBe(
      '^ please do not again! the machine . $',
    )
    expect(gistOf("We shouldn't start over").join(' ')).toContain('we should not again!')
    for (const text of [
      'Ich will nicht neu anfangen.',
      'Je ne veux pas recommencer.',
      'No quiero empezar de nuevo.',
    ]) {
      expect(isForeign(text)).toBe(true)
      const gist = gistOf(text)
      expect([gist.includes('not'), gist.some((part) => part.startsWith('again'))]).toEqual([true, true])
    }
    expect(isForeign('I ask that we begin again.')).toBe(false)
  })
})
