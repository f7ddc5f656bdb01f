import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AttachedSession, HostOutcome } from './attached-session.ts'
import { LiveSession } from './live-session.ts'

const OUTCOME: HostOutcome = { tool: 'echo', input: {}, call: 'c1', ok: true, output: 'words' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function askedToTend(size: number): Promise<(number | undefined)[]> {
  const asked: (number | undefined)[] = []
  const tend = async (least?: number) => void asked.push(least)
  const session = { finish: async () => true, tend, log: { size } }
  const live = new LiveSession(session as never as AttachedSession)
  for (let call = 0; call < 3; call++) {
    await live.finish(OUTCOME)
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(1_000)
  return asked
}

it('saves the state of a session once its host is silent, and earlier only if the session has grown by much', async () => {
  expect(await askedToTend(40)).toEqual([1_000, 1_000, 1_000, 48])
})

it('waits in a long session until it has grown by half, so that saving costs no more a call than in a short one', async () => {
  expect(await askedToTend(20_001)).toEqual([10_001, 10_001, 10_001, 48])
})
