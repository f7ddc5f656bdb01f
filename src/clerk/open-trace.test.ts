import { describe, expect, it } from 'vitest'
import { openTrace } from './open-trace.ts'
import type { TraceLog } from './trace-log.ts'

const draft = { type: 'opened', actor: { agent: 'a', role: 'b', key: 'c' }, payload: {} }

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('the first event of a trace', () => {
  it('LED-9 is recorded without holding up the process, and acknowledged once it is durable', async () => {
    const told: string[] = []
    let flushed = (): void => undefined
    const store = {
      settled: () =>
        new Promise<void>((resolve) => {
          told.push('waits for the disk')
          flushed = resolve
        }),
    }
    const log = {
      append: async (_: unknown, later: boolean) => {
        told.push(later ? 'recorded in passing' : 'held up')
        return []
      },
    }
    const done = openTrace(
      { store } as unknown as Parameters<typeof openTrace>[0],
      log as unknown as TraceLog<unknown>,
      [draft],
    ).then(() => told.push('acknowledged'))
    await nextTurn()
    await nextTurn()
    expect(told).toEqual(['recorded in passing', 'waits for the disk'])
    flushed()
    await done
    expect(told).toEqual(['recorded in passing', 'waits for the disk', 'acknowledged'])
  })

  it('of many traces that begin at once is recorded in a turn of its own for each', async () => {
    let inThisTurn = 0
    let most = 0
    const store = { settled: async () => undefined }
    const log = {
      append: async () => {
        inThisTurn++
        most = Math.max(most, inThisTurn)
        setImmediate(() => {
          inThisTurn--
        })
        return []
      },
    }
    const ports = { store } as unknown as Parameters<typeof openTrace>[0]
    const logs = Array.from({ length: 20 }, () => log as unknown as TraceLog<unknown>)
    await Promise.all(logs.map((one) => openTrace(ports, one, [draft])))
    expect(most).toBeLessThanOrEqual(2)
  })
})
