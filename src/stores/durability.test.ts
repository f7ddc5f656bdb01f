// What reaches the disk, and in which order: a test cannot cut the power, so it watches the calls that would matter
// then. Nothing is replaced: every call goes through to the file system.

import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeChain, makeTrace } from '../../test/support/events.ts'

let home: string
let seen: string[] = []
const real = {
  openSync: fs.openSync,
  renameSync: fs.renameSync,
  fsync: fs.fsync,
  fdatasync: fs.fdatasync,
  open: fs.promises.open,
  unlink: fs.promises.unlink,
}
let vaults: typeof import('./sqlite.ts') & typeof import('./artifact-files.ts')

/** A path as the tests name it: temporary files and folders of hashes have names of their own each time. */
const named = (path: unknown): string => {
  const place = relative(home, String(path))
  if (place === '') return 'home'
  return place.replace(/^artifacts\/tmp\/.+/, 'temporary').replace(/[0-9a-f]{2}\/[0-9a-f]{64}$/, 'artifact')
}

beforeAll(async () => {
  const paths = new Map<number, string>()
  fs.openSync = ((path: string, ...rest: [flags: string, mode?: number]) => {
    const descriptor = real.openSync(path, ...rest)
    paths.set(descriptor, path)
    return descriptor
  }) as typeof fs.openSync
  fs.renameSync = (from, to) => {
    seen.push(`rename ${named(from)} ${named(to)}`)
    real.renameSync(from, to)
  }
  fs.fsync = ((descriptor: number, done: (error: NodeJS.ErrnoException | null) => void) =>
    real.fsync(descriptor, (error) => {
      seen.push(`flush ${named(paths.get(descriptor))}`)
      done(error)
    })) as typeof fs.fsync
  fs.fdatasync = ((descriptor: number, done: (error: NodeJS.ErrnoException | null) => void) =>
    real.fdatasync(descriptor, (error) => {
      seen.push('flush log')
      done(error)
    })) as typeof fs.fdatasync
  fs.promises.open = async (path, ...rest) => {
    const handle = await real.open(path, ...rest)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      seen.push(`flush ${named(path)}`)
    }
    return handle
  }
  fs.promises.unlink = async (path) => {
    const bytes = fs.readFileSync(path)
    seen.push(`unlink ${named(path)} of ${bytes.length} bytes, ${bytes.filter(Boolean).length} not zero`)
    await real.unlink(path)
  }
  syncBuiltinESMExports()
  // Some of them are taken up when the module is loaded.
  vaults = { ...(await import('./sqlite.ts')), ...(await import('./artifact-files.ts')) }
})
afterAll(() => {
  const { open, unlink, ...rest } = real
  Object.assign(fs, rest)
  Object.assign(fs.promises, { open, unlink })
  syncBuiltinESMExports()
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'witan-durable-'))
  seen = []
})
afterEach(() => rm(home, { recursive: true }))

const inPieces = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, 5)
  yield bytes.subarray(5)
}

describe('an artifact on its way to the disk', () => {
  it.each([
    ['small', () => Buffer.from('some bytes')],
    ['large', () => Buffer.alloc(300_000, 7)],
    ['streamed', () => inPieces(Buffer.from('some bytes'))],
  ])(
    'LED-8 LED-9 is flushed before it has its name, and its name before it is acknowledged: %s',
    async (_, source) => {
      const files = vaults.openArtifactFiles(home)
      const { hash } = await files.put(source())
      const folder = `artifacts/${hash.slice(0, 2)}`
      const order = ['flush temporary', `rename temporary artifacts/artifact`, `flush ${folder}`]
      expect(seen.filter((call) => order.includes(call))).toEqual(order)
      // Each new folder is an entry of its parent: those of the home, of the temporary files and of the hash.
      const parents = seen.slice(0, seen.indexOf(order[1] ?? '')).filter((call) => !order.includes(call))
      expect(parents.sort()).toEqual(['flush artifacts', 'flush artifacts', 'flush home'])
      seen = []
      await files.put(source())
      expect(seen).toEqual(order)
    },
  )

  it('LED-14 is overwritten and flushed before its name goes, and the folder after that', async () => {
    const files = vaults.openArtifactFiles(home)
    for (const size of [10, 262_144, 300_000]) {
      const { hash } = await files.put(Buffer.alloc(size, 7))
      seen = []
      await files.erase(hash)
      expect(seen).toEqual([
        'flush artifacts/artifact',
        `unlink artifacts/artifact of ${size} bytes, 0 not zero`,
        `flush artifacts/${hash.slice(0, 2)}`,
      ])
      seen = []
      await files.erase(hash)
      expect(seen).toEqual([])
    }
  })
})

describe('an event on its way to the disk', () => {
  it('LED-9 waits for a flush of the log only when it was to be durable later', async () => {
    const store = await vaults.openSqliteStore({ directory: home })
    expect(seen).toEqual(['flush home'])
    const trace = makeTrace()
    const events = makeChain({ trace, count: 4 })
    const append = (seq: number, later?: boolean) =>
      store.append(
        trace,
        { size: seq, hash: events[seq - 1]?.hash ?? '0'.repeat(64) },
        events.slice(seq, seq + 1),
        undefined,
        later,
      )
    const flushes = () => seen.filter((call) => call === 'flush log').length
    await append(0)
    await append(1)
    await store.settled()
    expect(flushes()).toBe(0)
    await append(2, true)
    await store.settled()
    expect(flushes()).toBe(1)
    await store.settled()
    await append(3, true)
    await store.close()
    // The SQLite of Node 22 takes the emptied file away.
    expect(fs.statSync(join(home, 'witan.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0)
  })
})
