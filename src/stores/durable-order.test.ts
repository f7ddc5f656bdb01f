// In which order things reach the disk, as the system is told: no one can pull a plug here, so the calls themselves are
// listened to. What is loaded after `listen` calls the wrapped functions of node:fs.

import fs from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

type Call = (...given: unknown[]) => unknown

const heard: string[] = []
const nameOf = (descriptor: unknown): string => basename(fs.readlinkSync(`/proc/self/fd/${descriptor}`))

/** A temporary name says nothing; what is renamed keeps its length. */
const said = (name: string): string => (name.includes('~') ? 'temporary' : name)

const original = { fsync: fs.fsync, fdatasync: fs.fdatasync, renameSync: fs.renameSync }

function listen(): void {
  const around = (name: keyof typeof original, tell: (given: readonly unknown[]) => string): void => {
    const real = original[name] as unknown as Call
    Object.assign(fs, {
      [name]: (...given: unknown[]) => {
        heard.push(tell(given))
        return real.call(fs, ...given)
      },
    })
  }
  around('fsync', ([descriptor]) => `flush ${said(nameOf(descriptor))}`)
  around('fdatasync', ([descriptor]) => `flush ${said(nameOf(descriptor))}`)
  around('renameSync', ([, to]) => `rename to ${basename(String(to))}`)
  syncBuiltinESMExports()
}

/** Handles flush by a method of their own. */
async function listenToHandles(): Promise<void> {
  const handle = await open(tmpdir(), 'r')
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { sync } = prototype
  prototype.sync = function (this: FileHandle) {
    heard.push(`flush ${said(nameOf(this.fd))}`)
    return sync.call(this)
  }
}

describe.skipIf(process.platform !== 'linux')('a durable record', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'witan-durable-'))
    listen()
    await listenToHandles()
  })
  beforeEach(() => {
    heard.length = 0
  })
  afterAll(async () => {
    Object.assign(fs, original)
    syncBuiltinESMExports()
    await rm(directory, { recursive: true })
  })

  it('LED-8 is an artifact whose bytes were flushed before it got its name, and its folder after', async () => {
    const { openArtifactFiles } = await import('./artifact-files.ts')
    const files = openArtifactFiles(directory)
    async function* streamed() {
      yield Buffer.from('minutes that come')
      yield Buffer.from(' piece by piece')
    }
    for (const bytes of [Buffer.from('minutes'), streamed()]) {
      heard.length = 0
      const { hash } = await files.put(bytes)
      expect(heard.slice(-2)).toEqual([`rename to ${hash}`, `flush ${hash.slice(0, 2)}`])
      expect(heard.slice(0, -2)).toContain('flush temporary')
      // The folder itself is an entry of one that was flushed before anything was put into it.
      expect(heard.slice(0, -2)).toContain('flush artifacts')
    }
  })

  it('LED-8 LED-17 is an event that was recorded in passing, once the log was flushed', async () => {
    const { openSqliteStore } = await import('./sqlite.ts')
    const { endOf, makeChain, makeTrace } = await import('../../test/support/events.ts')
    const store = await openSqliteStore({ directory })
    const trace = makeTrace()
    const events = makeChain({ trace, count: 2 })
    await store.append(trace, endOf([]), events.slice(0, 1))
    await store.settled()
    expect(heard.filter((call) => call.endsWith('-wal'))).toEqual([])
    await store.append(trace, endOf(events.slice(0, 1)), events.slice(1), undefined, true)
    await store.settled()
    expect(heard.filter((call) => call.endsWith('-wal'))).toEqual(['flush witan.db-wal'])
    await store.close()
  })

  it('LED-9 is a commit of SQLite that waits for the disk, unless told otherwise', async () => {
    const [{ openDatabase, databaseFile }, { connectionOf }] = await Promise.all([
      import('./sqlite/open.ts'),
      import('./sqlite/connection.ts'),
    ])
    const connection = connectionOf(await openDatabase(directory, false), databaseFile(directory), false)
    const asked = () => connection.get('PRAGMA synchronous')?.synchronous
    const [full, normal] = [2, 1]
    const asks = [asked(), ...[false, true, true, false].map((later) => connection.transact(asked, later))]
    expect(asks).toEqual([full, full, normal, normal, full])
    expect(connection.get('PRAGMA journal_mode')?.journal_mode).toBe('wal')
    connection.close()
  })
})
