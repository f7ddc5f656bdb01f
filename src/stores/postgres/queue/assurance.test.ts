import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Assurance, momentNow } from './assurance.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('APP-14 is valid for its time, and no longer', () => {
  const assurance = new Assurance(6_000)
  expect(assurance.holds).toBe(false)
  assurance.renew(momentNow())
  vi.advanceTimersByTime(5_999)
  expect(assurance.holds).toBe(true)
  vi.advanceTimersByTime(1)
  expect(assurance.holds).toBe(false)
  assurance.renew(momentNow())
  expect(assurance.holds).toBe(true)
  assurance.withdraw()
  expect(assurance.holds).toBe(false)
})

it('APP-14 ends while the machine sleeps, and if the system clock was set back', () => {
  const assurance = new Assurance(6_000)
  assurance.renew(momentNow())
  // A sleeping machine: only the clock on the wall goes on.
  vi.setSystemTime(Date.now() + 12_000)
  expect(assurance.holds).toBe(false)
  assurance.renew(momentNow())
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(assurance.holds).toBe(true)
  vi.advanceTimersByTime(6_000)
  expect(assurance.holds).toBe(false)
})
