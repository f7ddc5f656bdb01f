import { describe, expect, it } from 'vitest'
import { nearest } from './nearest-word.ts'

const WORDS = ['verify', 'version', 'export', 'list', 'council']

describe('the word that was probably meant', () => {
  it('differs by little: a letter more, less, another or in the wrong place', () => {
    for (const typed of ['verfy', 'verrify', 'verifi', 'vreify', 'VERIFY'])
      expect(nearest(typed, WORDS)).toBe('verify')
    expect(nearest('lsit', WORDS)).toBe('list')
    expect(nearest('counsil', WORDS)).toBe('council')
  })

  it('is the one with the same beginning, and the first of two that are equally near', () => {
    expect(nearest('exp', WORDS)).toBe('export')
    expect(nearest('vers', WORDS)).toBe('version')
    expect(nearest('ver', WORDS)).toBe('verify')
    expect(nearest('a', ['b', 'c'])).toBe('b')
  })

  it('is none if no word is near', () => {
    for (const typed of ['deliberate', 'xyz', 'qqqq']) expect(nearest(typed, WORDS)).toBeNull()
    expect(nearest('list', [])).toBeNull()
    expect(nearest('budget', ['quiet', 'format'])).toBeNull()
  })
})
