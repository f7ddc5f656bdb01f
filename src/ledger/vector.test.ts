import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  commonEncoder,
  dimensionOf,
  isZeroVector,
  packVector,
  similarity,
  toVector,
  unpackVector,
  zeroVector,
} from './vector.ts'

const A = 'embedded:a@1:3'
const B = 'embedded:b@1:3'

describe('a vector', () => {
  it('has length one for any input', () => {
    for (const raw of [
      [3, 4, 0],
      [1e-30, 0, 0],
      [1e150, 1e150, 0],
      [-5, 0, 0],
    ]) {
      expect(Math.hypot(...toVector(A, raw).values)).toBeCloseTo(1, 3)
    }
    expect(isZeroVector(toVector(A, [0, 0, 0]))).toBe(true)
    expect(toVector(A, [0, 0, 0])).toEqual(zeroVector(A))
  })

  it('is not made from values that are not numbers, or of another dimension', () => {
    for (const raw of [[Number.NaN, 0, 0], [Number.POSITIVE_INFINITY, 0, 0], [1, 2], [1, 2, 3, 4], []]) {
      expect(() => toVector(A, raw)).toThrow(RangeError)
    }
    expect(() => toVector('nameless', [1])).toThrow(RangeError)
  })

  it('hides differences in the last bits of the arithmetic behind it', () => {
    const raw = Array.from({ length: 512 }, (_, i) => Math.sin(i * 7 + 0.3))
    const near = raw.map((value, i) => value * (1 + (i % 2 ? 1e-7 : -1e-7)))
    const name = 'x:y:512'
    const changed = toVector(name, raw).values.filter((value, i) => value !== toVector(name, near).values[i])
    expect(changed.length).toBeLessThan(5)
  })

  it('is unpacked as it was packed', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 }), (raw) => {
        const vector = toVector(`a:b:${raw.length}`, raw)
        expect(unpackVector(JSON.parse(JSON.stringify(packVector(vector))))).toEqual(vector)
      }),
    )
  })

  it('packs as pinned', () => {
    expect(packVector(toVector(A, [1, -2, 2]))).toEqual({ encoder: A, values: 'qyqrqlVV' })
  })

  it('is not read from anything else', () => {
    const { values } = packVector(toVector(A, [1, 2, 3]))
    for (const wrong of [
      null,
      7,
      [],
      {},
      { encoder: A },
      { encoder: A, values: '' },
      { encoder: A, values: 'AAA' },
      { encoder: A, values: `${values}AAAA` },
      { encoder: 'a:b:4', values },
      { encoder: 'a:b:0', values: '' },
      { encoder: 'a', values },
    ]) {
      expect(unpackVector(wrong)).toBeNull()
    }
  })
})

describe('similarity', () => {
  it('is the cosine', () => {
    expect(similarity(toVector(A, [1, 0, 0]), toVector(A, [1, 1, 0]))).toBeCloseTo(Math.SQRT1_2, 4)
    expect(similarity(toVector(A, [1, 2, 3]), toVector(A, [-1, -2, -3]))).toBeCloseTo(-1, 6)
    expect(similarity(zeroVector(A), toVector(A, [1, 2, 3]))).toBe(0)
    expect(similarity(zeroVector(A), zeroVector(A))).toBe(0)
  })

  it('refuses vectors of different encoders, by name', () => {
    const [a, b] = [toVector(A, [1, 2, 3]), toVector(B, [1, 2, 3])]
    expect(() => similarity(a, b)).toThrow(expect.objectContaining({ code: 'ENCODER_MISMATCH' }))
    expect(() => similarity(a, b)).toThrow(/embedded:a@1:3.*embedded:b@1:3/)
    const forged = { encoder: A, values: new Float32Array(2) }
    expect(() => similarity(a, forged)).toThrow(expect.objectContaining({ code: 'ENCODER_MISMATCH' }))
  })

  it('finds the one encoder of many vectors, or says how many are of which', () => {
    expect(commonEncoder([])).toBeNull()
    expect(commonEncoder([zeroVector(A), zeroVector(A)])).toBe(A)
    expect(() => commonEncoder([zeroVector(A), zeroVector(B), zeroVector(A)])).toThrow(
      /2 of embedded:a@1:3, 1 of embedded:b@1:3/,
    )
  })
})

it('reads the dimension from the name, and nothing from a name without one', () => {
  expect(['a:b:512', 'a:b:c:7', 'a', 'a:b', 'a:0', 'a:-1', 'a:1e3'].map(dimensionOf)).toEqual([
    ...[512, 7, 0, 0, 0, 0, 0],
  ])
})
