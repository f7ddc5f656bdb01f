import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { saltSource, sha256 } from './digest.ts'

describe('SHA-256', () => {
  it.each([[], [0], [1, 31], [65], [1, 32, 32], [16, 8176], [16, 8177], [1, 1 << 20], [1 << 20]])(
    'LED-4 is that of the parts one after the other, as bytes of its own and in hex: %j',
    (...sizes) => {
      const parts = sizes.map((size, i) => new Uint8Array(size).fill(i + 200))
      const hex = createHash('sha256').update(Buffer.concat(parts)).digest('hex')
      const digest = sha256(...parts)
      expect(sha256.hex?.(...parts)).toBe(hex)
      expect(digest).toEqual(new Uint8Array(Buffer.from(hex, 'hex')))
      expect([digest.constructor, digest.buffer.byteLength]).toEqual([Uint8Array, 32])
    },
  )
})

describe('salts', () => {
  it('LED-14 are sixteen bytes and never the same twice', () => {
    const salt = saltSource()
    const drawn = Array.from({ length: 1000 }, () => Buffer.from(salt()).toString('hex'))
    expect(drawn.every((text) => text.length === 32)).toBe(true)
    expect(new Set(drawn).size).toBe(1000)
  })

  it('LED-14 stay unchanged when later ones are drawn', () => {
    const salt = saltSource()
    const first = salt()
    const copy = first.slice()
    for (let i = 0; i < 200; i++) salt()
    expect(first).toEqual(copy)
  })
})
