import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AttachedSession, HostOutcome } from './attached-session.ts'
import { LiveSession } from './live-session.ts'

const OUTCOME: HostOutcome = { tool: 'echo', input: {}, call: 'c1', ok: true, output: 'words' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('saves the state of a session once its host is silent, and earlier only if the session has grown by much', async () => {
  const asked: (number | undefined)[] = []
  const tend = async (least?: number) => void asked.push(least)
  const live = new LiveSession({ finish: async () => true, tend } as never as AttachedSession)
  for (let call = 0; call < 3; call++) {
    await live.finish(OUTCOME)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(asked).toEqual([1_000, 1_000, 1_000])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual([1_000, 1_000, 1_000, 48])
})
