import { describe, expect, it } from 'vitest'
import { saltSource } from './digest.ts'

describe('salts', () => {
  it('LED-14 are sixteen bytes and never the same twice', () => {
    const salt = saltSource()
    const drawn = Array.from({ length: 1000 }, () => Buffer.from(salt()).toString('hex'))
    expect(drawn.every((text) => text.length === 32)).toBe(true)
    expect(new Set(drawn).size).toBe(1000)
  })

  it('LED-14 are kept by whoever drew them, untouched by later ones', () => {
    const salt = saltSource()
    const first = salt()
    const copy = first.slice()
    for (let i = 0; i < 200; i++) salt()
    expect(first).toEqual(copy)
  })
})
