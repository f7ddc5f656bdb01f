import { expect, it } from 'vitest'
import { costLines } from './costs.ts'
import { NO_PAINT } from './plain.ts'

const line = (name: string, usd: number, unpriced: number) => ({
  ...{ name, usd, unpriced, calls: 3, input_tokens: 10, output_tokens: 5 },
})

it('COU-X-8 tells a cost that is not known from one that is nothing and one that is at least something', () => {
  const lines = [line('alpha', 0, 3), line('beta', 0.5, 1), line('embedded', 0, 0)]
  const shown = costLines(
    { by: 'seat', since: null, lines, total: line('total', 0.5, 4) },
    { paint: NO_PAINT, width: 80 },
  )
  expect(shown.map((row) => row.slice(0, 25).trim().split(/ {2,}/))).toEqual([
    ['SEAT', 'COST'],
    ['alpha', 'not known'],
    ['beta', 'at least $0.50'],
    ['embedded', '$0.00'],
    ['total', 'at least $0.50'],
  ])
})
