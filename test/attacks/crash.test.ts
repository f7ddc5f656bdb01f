// What a crash leaves behind can neither lock a home nor split what it says: the lock is the database's and dies with
// its process, and where a trace ends is said by its events alone.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite.ts'
import { bundleScript, startScript } from '../support/children.ts'
import { endOf, makeChain, makeTrace } from '../support/events.ts'

describe('a crash', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'witan-crash-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('LED-6 LED-9 leaves no lock behind, and nothing of a half-written append', async () => {
    const trace = makeTrace()
    const [first, second] = makeChain({ trace, count: 2 })
    if (!first || !second) throw new Error('no events')
    const store = await openSqliteStore({ directory })
    await store.append(trace, endOf([]), [first])
    const holder = startScript(await bundleScript('test/support/lock-holder.ts'), [directory])
    await holder.line(/^locked$/)
    await holder.kill()
    await store.append(trace, endOf([first]), [second])
    expect((await store.traces()).map((line) => [line.trace, line.size])).toEqual([[trace, 2]])
    await store.close()
  })

  it('LED-9 right after an append loses neither the event nor where the trace ends', async () => {
    const trace = makeTrace()
    const appender = startScript(await bundleScript('test/support/append-endlessly.ts'), [directory, trace])
    const acknowledged = await appender.line(/^ack /)
    await appender.kill()
    const [, size, hash] = acknowledged.split(' ')
    const store = await openSqliteStore({ directory })
    const hashes = await store.hashes(trace)
    expect(hashes[Number(size) - 1]).toBe(hash)
    expect(await store.head(trace)).toMatchObject({ size: hashes.length, hash: hashes.at(-1) })
    await store.close()
    // No second file says where a trace ends, and none says that someone is writing.
    const files = readdirSync(directory).filter((name) => !name.startsWith('witan.db'))
    expect(files.filter((name) => name !== 'artifacts')).toEqual([])
  })
})
