// A short run of what `size.long.test.ts` does in full; the seed is fixed, so that nothing here is left to luck.
import { describe, expect, it } from 'vitest'
import { closedForm, drawMembers, uniform } from '../../../test/support/eval-simulation.ts'
import { sizeOnClusters, sizeOnPairs } from '../../../test/support/eval-size.ts'
import { allWrong, type Row } from './members.ts'

describe('simulated evaluations', () => {
  it.each([
    [60, 0.7, 0.3],
    [200, 0.7, 0],
  ])('COU-X-4 %i items: the test keeps its level and the interval its coverage', (n, p, rho) => {
    const { size, coverage } = sizeOnPairs(2_000, n, p, rho, 4)
    expect(size).toBeGreaterThan(0.03)
    expect(size).toBeLessThan(0.065)
    expect(coverage).toBeGreaterThan(0.935)
    expect(coverage).toBeLessThan(0.975)
  })

  it('COU-X-4 a test that ignored clusters would reject far too often, and this one does not', () => {
    const { size } = sizeOnClusters(1_000, 30, 5, 3)
    expect(size).toBeLessThan(0.07)
  })

  it('COU-X-4 vote and all-wrong rate of simulated members equal the closed form', () => {
    const next = uniform(1)
    const rows: Row[] = Array.from({ length: 40_000 }, () => {
      const grades = drawMembers(next, 3, 0.7, 0.3)
      return new Map(grades.map((grade, i) => [`m${i}`, grade]))
    })
    const expected = closedForm(0.7, 0.3)
    expect(expected.vote).toBeCloseTo(0.7588, 4)
    expect(expected.allWrong).toBeCloseTo(0.1089, 4)
    const votes = rows.filter((row) => [...row.values()].filter(Boolean).length >= 2).length / rows.length
    const { wrong, n } = allWrong(rows, ['m0', 'm1', 'm2'])
    // Four standard errors of 40,000 draws.
    expect(Math.abs(votes - expected.vote)).toBeLessThan(0.0086)
    expect(Math.abs(wrong / n - expected.allWrong)).toBeLessThan(0.0063)
  })
})
