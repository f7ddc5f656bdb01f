import { describe, expect, it } from 'vitest'
import { artifactMeant, labelMeant } from './references.ts'

describe('the label of an opinion', () => {
  it('is read from its name in any formatting, or from its number in the order shown', () => {
    for (const text of [
      'B',
      'b',
      '[B]',
      'Opinion B',
      'opinion_b',
      '“Response B”.',
      '**Answer: B**',
      'target #B',
      '2',
      '[2]',
    ])
      expect(labelMeant(text, ['A', 'B', 'C']), text).toBe('B')
  })

  it('is none if it was not shown, or could be two', () => {
    for (const text of ['D', '4', '0', '0x1', '1e0', 'A and B', '', 'B'.padStart(90), '1.5'])
      expect(labelMeant(text, ['A', 'B', 'C']), text).toBeNull()
    expect(labelMeant('x', ['x', 'X'])).toBe('x')
    expect(labelMeant('[x]', ['x', 'X'])).toBeNull()
    expect(labelMeant('1', [])).toBeNull()
    const long = 'L'.repeat(90)
    expect(labelMeant(long, [long])).toBe(long)
  })
})

describe('the id of an artifact', () => {
  const [one, two] = [`abcdef01${'1'.repeat(56)}`, `abcdef02${'2'.repeat(56)}`]

  it('is read from itself, from its hash in other formatting, or from a unique beginning', () => {
    for (const text of [
      one,
      one.toUpperCase(),
      ` sha256:${one} `,
      `SHA-256-${one}`,
      'abcdef01',
      'abcdef011…',
      'abcdef0111...',
    ])
      expect(artifactMeant(text, [one, two]), text).toBe(one)
  })

  it('is none if two have that beginning, if it is too short, or if it is not a hash', () => {
    for (const text of ['abcdef0', 'abcdef03', 'zbcdef01', '', 'abcdef01 and more'])
      expect(artifactMeant(text, [one, two]), text).toBeNull()
    expect(artifactMeant('abcdef01', [one, one.replace('1111', '1112')])).toBeNull()
    expect(artifactMeant('abcdef0', [one])).toBeNull()
    expect(artifactMeant('abcdef01', [])).toBeNull()
    expect(artifactMeant('not a hash', ['not a hash'])).toBe('not a hash')
  })
})
