import { expect, it } from 'vitest'
import { smallestEffectText } from './numbers.ts'

it('COU-X-4 says how small a difference would be found, and does not promise to find none', () => {
  expect(smallestEffectText(0.159)).toContain('a difference of 15.9 points')
  expect(smallestEffectText(0)).not.toContain('0.0')
})
