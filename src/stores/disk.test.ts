import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDirectory, sharedDirectorySync } from './disk.ts'

describe('a directory that is made with its parents', () => {
  it('LED-8 is refused below a link that leads nowhere, instead of being tried forever', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'witan-disk-'))
    try {
      await makeDirectory(join(folder, 'a/b/c'))
      await symlink(join(folder, 'nowhere/at-all'), join(folder, 'link'))
      await expect(makeDirectory(join(folder, 'link/home'))).rejects.toMatchObject({
        code: 'FILE_NOT_FOUND',
        message: expect.stringContaining('a link that leads nowhere'),
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a directory that many need flushed', () => {
  it('LED-8 is flushed again for callers that arrive during a flush, once for all of them', async () => {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const sync = sharedDirectorySync(async (directory) => {
      begun.push(directory)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
    const first = sync('a')
    let acknowledged = false
    const late = Promise.all([sync('a'), sync('a')]).then(() => {
      acknowledged = true
    })
    const elsewhere = sync('b')
    expect(begun).toEqual(['a', 'b'])
    ends[0]?.()
    await first
    await new Promise((resolve) => setImmediate(resolve))
    expect([begun, acknowledged]).toEqual([['a', 'b', 'a'], false])
    ends[1]?.()
    ends[2]?.()
    await Promise.all([late, elsewhere])
    const afterwards = sync('a')
    expect(begun).toEqual(['a', 'b', 'a', 'a'])
    ends[3]?.()
    await afterwards
  })

  it('is flushed again after a failed flush, and only the callers that waited for it see the fault', async () => {
    let tries = 0
    const sync = sharedDirectorySync(async () => {
      tries++
      await Promise.resolve()
      if (tries === 1) throw new Error('no disk')
    })
    const first = sync('a')
    const second = sync('a')
    await expect(first).rejects.toThrow('no disk')
    await second
    expect(tries).toBe(2)
  })
})
