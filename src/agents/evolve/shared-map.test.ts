import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withEntry } from './shared-map.ts'

describe('a map that shares the entries of earlier maps', () => {
  it('AGT-X-7 holds the entries of a copied map, in the same order, and leaves every earlier map unchanged', () => {
    const sets = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer()), { maxLength: 300 })
    const begun = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer()), { maxLength: 40 })
    fc.assert(
      fc.property(begun, sets, (first, then) => {
        let [plain, shared]: [Map<number, number>, ReadonlyMap<number, number>] = [
          new Map(first),
          new Map(first),
        ]
        const versions = [{ plain, shared }]
        for (const [key, value] of then) {
          plain = new Map(plain).set(key, value)
          shared = withEntry(shared, key, value)
          versions.push({ plain, shared })
        }
        for (const { plain: one, shared: other } of versions) {
          expect([...other]).toEqual([...one])
          expect([...other.keys()]).toEqual([...one.keys()])
          expect([...other.values()]).toEqual([...one.values()])
          expect(other.size).toBe(one.size)
          for (const key of [0, 45, 90, 91]) {
            expect(other.get(key)).toBe(one.get(key))
            expect(other.has(key)).toBe(one.has(key))
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  it('AGT-X-7 holds a thousand entries in their order, those that it began with and those that were set', () => {
    const keys = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 600, maxLength: 1_200 })
    fc.assert(
      fc.property(fc.nat({ max: 700 }), keys, (size, then) => {
        const plain = new Map(Array.from({ length: size }, (_, i) => [i * 3, -i]))
        let shared: ReadonlyMap<number, number> = new Map(plain)
        for (const [i, key] of then.entries()) {
          plain.set(key, i)
          shared = withEntry(shared, key, i)
        }
        expect([...shared]).toEqual([...plain])
        expect(shared.size).toBe(plain.size)
      }),
      { numRuns: 20 },
    )
  })

  it('AGT-X-7 returns each entry once, with its newest value', () => {
    const told: unknown[] = []
    const map = withEntry(withEntry(new Map([['a', 1]]), 'b', 2), 'a', 3)
    map.forEach((value, key, of) => {
      told.push([key, value, of === map])
    })
    expect(told).toEqual([
      ['a', 3, true],
      ['b', 2, true],
    ])
  })
})
