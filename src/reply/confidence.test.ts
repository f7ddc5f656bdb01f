import { describe, expect, it } from 'vitest'
import { confidenceOf } from './confidence.ts'
import { LenientJson } from './lenient-json.ts'

const read = (json: string) => confidenceOf(new LenientJson(json).valueAt(0).node)

describe('confidence in any measure', () => {
  it.each([
    [
      'high',
      [
        '"high"',
        '"HIGH"',
        '"very-high"',
        '"high confidence"',
        '0.75',
        '75',
        '100',
        '1',
        '"75%"',
        '"8/10"',
        '"3 / 4"',
        '"10/10"',
      ],
    ],
    [
      'medium',
      ['"medium"', '"moderate"', '"mid"', '0.74', '0.4', '40', '"40 %"', '"4/10"', '"2/5 (some doubt)"'],
    ],
    ['low', ['"low"', '"very low"', '0.39', '0', '39', '"0.1"', '"1/10"', '"5%"']],
    // Of two words the lower.
    [
      'medium',
      ['"medium-high"', '"high or medium"', '"medium/high"', '"moderate to very high"', '"high and mid"'],
    ],
    ['low', ['"low to medium"', '"very low to high"', '"high/low"']],
  ] as const)('is %s in %j', (level, said) => {
    for (const one of said) expect(read(one), one).toBe(level)
  })

  it('is none if nothing clearly states it', () => {
    for (const one of [
      '"sure"',
      '"high to certain"',
      '""',
      '-1',
      '101',
      '"120%"',
      '"11/10"',
      '"7.5.1"',
      'null',
      '[1]',
    ])
      expect(read(one), one).toBeNull()
    expect(read(JSON.stringify(`high${' '.repeat(300)}`))).toBeNull()
    expect(read(JSON.stringify(`high (${'x'.repeat(190)})`))).toBe('high')
  })
})
