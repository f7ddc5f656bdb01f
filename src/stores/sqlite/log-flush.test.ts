import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { logFlush } from './log-flush.ts'

describe('flushing the log beside the program', () => {
  let directory: string
  const database = () => join(directory, 'witan.db')
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'witan-log-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

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
