import { describe, expect, it } from 'vitest'
import { dateMs, minutesAfter, momentMs, momentText } from './clock.ts'

describe('a time', () => {
  it('LED-1 is written as it was read, at leap days and the ends of years', () => {
    for (const ms of [
      0, 951_782_399_999, 951_782_400_000, 1_709_164_800_123, 4_102_444_799_999, 253_402_300_799_999,
    ]) {
      const text = momentText(ms)
      expect(text).toBe(new Date(ms).toISOString())
      expect(momentMs(text ?? '')).toBe(ms)
    }
    for (let day = 0; day < 60_000; day += 13)
      expect(momentText(day * 86_400_000)).toBe(new Date(day * 86_400_000).toISOString())
  })

  it('LED-1 is read from an HTTP date, and can be advanced by minutes', () => {
    expect(dateMs('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(Date.parse('1994-11-06T08:49:37Z'))
    expect(dateMs('1994-11-06T08:49:37Z')).toBe(Date.parse('1994-11-06T08:49:37Z'))
    for (const text of ['7', '2026', 'soon', '', 'Sun, 06 Foo 1994 08:49:37 GMT'])
      expect(dateMs(text)).toBeNull()
    expect(minutesAfter('2024-02-28T23:50:00.000Z', 15)).toBe('2024-02-29T00:05:00.000Z')
    expect(minutesAfter('2026-11-18T00:00:00.000Z', 0.5)).toBe('2026-11-18T00:00:30.000Z')
  })

  it('LED-1 is refused before 1970, after 9999, or in parts of a millisecond', () => {
    for (const ms of [-1, 253_402_300_800_000, 0.5, Number.NaN, 2 ** 60]) expect(momentText(ms)).toBeNull()
  })
})
