// Size and coverage over 20,000 simulated evaluations each, with a fixed seed: the same figures on every machine.
import { describe, expect, it } from 'vitest'
import { coverageOfGap, sizeOnClusters, sizeOnPairs } from '../../../test/support/eval-size.ts'

const RUNS = 20_000

describe('20,000 simulated evaluations', () => {
  it.each([
    [60, 0.7, 0],
    [60, 0.7, 0.3],
    [200, 0.7, 0.3],
    [200, 0.5, 0],
    [400, 0.85, 0.5],
  ])(
    'COU-X-4 %i items of skill %f and correlation %f: size .035 to .06, coverage .94 to .97',
    (n, p, rho) => {
      const { size, coverage } = sizeOnPairs(RUNS, n, p, rho, 20_261_117)
      expect(size).toBeGreaterThanOrEqual(0.035)
      expect(size).toBeLessThanOrEqual(0.06)
      expect(coverage).toBeGreaterThanOrEqual(0.94)
      expect(coverage).toBeLessThanOrEqual(0.97)
    },
  )

  it.each([
    [60, 0.6, 0.05],
    [200, 0.7, 0.1],
  ])('COU-X-4 %i items with a true gap: the interval holds it in 94 to 97 of 100 runs', (n, p, gap) => {
    const coverage = coverageOfGap(RUNS, n, p, gap, 7)
    expect(coverage).toBeGreaterThanOrEqual(0.94)
    expect(coverage).toBeLessThanOrEqual(0.97)
  })

  it('COU-X-4 clusters: size .035 to .06, coverage .94 to .97', () => {
    const { size, coverage } = sizeOnClusters(RUNS, 30, 5, 11)
    expect(size).toBeGreaterThanOrEqual(0.035)
    expect(size).toBeLessThanOrEqual(0.06)
    expect(coverage).toBeGreaterThanOrEqual(0.94)
    expect(coverage).toBeLessThanOrEqual(0.97)
  })
})
