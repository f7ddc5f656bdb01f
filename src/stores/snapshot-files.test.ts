import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSnapshotFiles } from './snapshot-files.ts'

const [ONE, OTHER] = ['01KE0000000000000000000000', '01KE0000000000000000000001']
const bytes = (n: number) => Uint8Array.of(n)

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'witan-snapshot-files-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('snapshots as files', () => {
  it('gives the longest up to the requested length, of that trace alone', async () => {
    const snapshots = openSnapshotFiles(home)
    expect(await snapshots.find(ONE, 99)).toBeNull()
    for (const size of [10, 9, 100]) await snapshots.keep(ONE, size, bytes(size))
    await snapshots.keep(OTHER, 50, bytes(50))
    const found = async (within: number) => [...((await snapshots.find(ONE, within)) ?? [])]
    expect(await Promise.all([8, 9, 99, 100, Number.MAX_SAFE_INTEGER].map(found))).toEqual([
      [],
      [9],
      [10],
      [100],
      [100],
    ])
    expect((await stat(join(home, 'snapshots', ONE, '9.snapshot'))).mode & 0o777).toBe(0o600)
  })

  it('LED-14 are all deleted, of every trace, with unfinished ones', async () => {
    const snapshots = openSnapshotFiles(home)
    await snapshots.keep(ONE, 1, bytes(1))
    await snapshots.keep(OTHER, 1, bytes(1))
    await writeFile(join(home, 'snapshots', ONE, '2.snapshot.ab'), bytes(2))
    await snapshots.clear()
    await snapshots.clear()
    expect(await readdir(home)).toEqual([])
  })

  it('are not read from files that are too long, nor under another name', async () => {
    const snapshots = openSnapshotFiles(home)
    await snapshots.keep(ONE, 1, bytes(1))
    for (const name of ['05.snapshot', '5.snapshot.ab', '5', 'x.snapshot'])
      await writeFile(join(home, 'snapshots', ONE, name), bytes(5))
    expect(await snapshots.find(ONE, 9)).toEqual(Buffer.from(bytes(1)))
    await truncate(join(home, 'snapshots', ONE, '1.snapshot'), (64 << 20) + 1)
    expect(await snapshots.find(ONE, 9)).toBeNull()
  })

  it('never use a trace name as a path, and are skipped if they cannot be written or read', async () => {
    const snapshots = openSnapshotFiles(home)
    await snapshots.keep('..', 1, bytes(1))
    expect(await readdir(home)).toEqual([])
    await writeFile(join(home, '1.snapshot'), bytes(1))
    expect(await snapshots.find('..', 9)).toBeNull()
    await writeFile(join(home, 'snapshots'), 'a file where the folder belongs')
    await snapshots.keep(ONE, 1, bytes(1))
    expect(await snapshots.find(ONE, 9)).toBeNull()
  })
})
