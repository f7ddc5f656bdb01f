import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HeldCall } from './held-call.ts'

describe('a call that is held', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('AGT-X-8 has no timer before a person is waited for', () => {
    const call = new HeldCall(10)
    expect(vi.getTimerCount()).toBe(0)
    call.patience()
    expect(vi.getTimerCount()).toBe(1)
    call.release()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('AGT-X-8 waits for its seconds, counted from when it was made', () => {
    const call = new HeldCall(10)
    vi.advanceTimersByTime(4_000)
    const patience = call.patience()
    vi.advanceTimersByTime(5_999)
    expect(patience.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect([patience.aborted, call.isGivenUp]).toEqual([true, false])
  })

  it('AGT-X-8 waits no longer when its time was over, or its host gave it up, before a person was waited for', () => {
    const late = new HeldCall(1)
    vi.advanceTimersByTime(1_000)
    expect(late.patience().aborted).toBe(true)
    const givenUp = new HeldCall(10)
    givenUp.giveUp()
    expect([givenUp.patience().aborted, givenUp.isGivenUp]).toEqual([true, true])
  })

  it('AGT-X-8 stops waiting when its host gives it up', () => {
    const call = new HeldCall(10)
    const patience = call.patience()
    call.giveUp()
    expect(patience.aborted).toBe(true)
  })
})
