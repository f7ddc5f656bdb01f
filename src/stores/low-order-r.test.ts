// Worked out by ourselves, the equation decides every vector as the rule says, whichever Node this is.
import { describe, expect, it } from 'vitest'
import { cctvVectors, vectorsPresent, vectorsTitle, wycheproofVectors } from '../../test/support/vectors.ts'
import { admissible } from '../ledger/signing.ts'
import { holdsOnTheCurve, holdsThoughNodeRefused } from './low-order-r.ts'

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))

describe.skipIf(!vectorsPresent)(vectorsTitle('the equation on the curve'), () => {
  const vectors = vectorsPresent ? [...cctvVectors(), ...wycheproofVectors()] : []

  it('VER-8 decides all 914 CCTV and 151 Wycheproof vectors as the rule says', () => {
    const wrong = vectors.filter(({ publicKey, message, signature, accepted }) => {
      const [key, text, signed] = [hex(publicKey), hex(message), hex(signature)]
      return (admissible(key, signed) && holdsOnTheCurve(key, text, signed)) !== accepted
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('VER-8 is computed only for an R of low order that this Node refuses', () => {
    const later = vectors.filter(({ publicKey, message, signature }) => {
      const [key, text, signed] = [hex(publicKey), hex(message), hex(signature)]
      return admissible(key, signed) && holdsThoughNodeRefused(key, text, signed)
    })
    expect(later.every(({ name }) => name.includes('low_order_R'))).toBe(true)
    expect([0, 43]).toContain(later.length)
  })
})
