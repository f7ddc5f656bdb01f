import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { logFlush } from './log-flush.ts'

describe('flushing the log beside the program', () => {
  let directory: string
  const database = () => join(directory, 'witan.db')
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'witan-log-'))
  })
  afterEach(async () => {
    vi.useRealTimers()
    await rm(directory, { recursive: true })
  })

  it('LED-8 has nothing to wait for before anything was committed', async () => {
    const log = logFlush(database())
    await log.settled()
    await log.close()
  })

  it('LED-8 settles once all that was committed before was flushed, and again for what came after', async () => {
    await writeFile(`${database()}-wal`, 'frames')
    const log = logFlush(database())
    log.begin()
    log.begin()
    await log.settled()
    log.begin()
    await log.settled()
    await log.close()
  })

  it('LED-8 does not wait for records that a durable commit already flushed', async () => {
    const log = logFlush(database())
    log.begin()
    log.covered()
    await log.settled()
    await log.close()
  })

  it('LED-8 flushes what no one waits for once it is five milliseconds old, and not what a commit flushed meanwhile', async () => {
    // Without the file of the log each flush fails, and is remembered.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const log = logFlush(database())
    log.begin()
    log.covered()
    vi.advanceTimersByTime(4)
    log.begin()
    vi.advanceTimersByTime(2)
    log.covered()
    vi.advanceTimersByTime(20)
    // What was begun before is done by then.
    for (let i = 0; i < 8; i++) await stat(directory)
    await log.settled()
    log.begin()
    vi.advanceTimersByTime(5)
    log.covered()
    const isRefused = () =>
      log.settled().then(
        () => false,
        () => true,
      )
    while (!(await isRefused())) await new Promise((resolve) => setImmediate(resolve))
    await log.close()
  })

  it('LED-8 never calls anything durable again once a flush has failed', async () => {
    const log = logFlush(database())
    log.begin()
    await expect(log.settled()).rejects.toMatchObject({ code: 'ENOENT' })
    await writeFile(`${database()}-wal`, 'frames')
    log.begin()
    await expect(log.settled()).rejects.toMatchObject({ code: 'ENOENT' })
    await log.close()
  })
})
