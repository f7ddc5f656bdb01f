// Snapshots as files of the home, one folder a trace. They can be deleted at any time and cost only the folding that they
// saved: so nothing here is flushed to disk, and what cannot be read or written is as good as not there. Only forgetting
// must succeed, since what is forgotten may hold words that were erased.

import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isTraceId } from '../ledger/event.ts'
import { makeDirectory, onDisk } from './disk.ts'
import type { Snapshots } from './store.ts'

const NAME = /^([1-9][0-9]{0,15})\.snapshot$/
/** Far more than a state takes: a file cannot fill our memory. */
const MOST_BYTES = 64 << 20

const none = (): null => null

async function readSnapshotFile(file: string): Promise<Uint8Array | null> {
  const stats = await stat(file)
  return stats.isFile() && stats.size <= MOST_BYTES ? readFile(file) : null
}

export function openSnapshotFiles(home: string): Snapshots {
  const directory = join(home, 'snapshots')
  return {
    async find(trace, within) {
      if (!isTraceId(trace)) return null
      const names = await readdir(join(directory, trace)).catch(() => [])
      const sizes = names.map((name) => Number(NAME.exec(name)?.[1] ?? 0)).filter((size) => size <= within)
      const longest = Math.max(0, ...sizes)
      return longest === 0
        ? null
        : readSnapshotFile(join(directory, trace, `${longest}.snapshot`)).catch(none)
    },
    async keep(trace, size, snapshot) {
      if (!isTraceId(trace)) return
      const file = join(directory, trace, `${size}.snapshot`)
      const draft = `${file}.${randomBytes(8).toString('hex')}`
      try {
        await makeDirectory(join(directory, trace))
        await writeFile(draft, snapshot, { mode: 0o600, flag: 'wx' })
        await rename(draft, file)
      } catch {
        // A full or read-only disk: the ledger itself will say so, if that matters.
        await rm(draft, { force: true }).catch(none)
      }
    },
    clear: () => onDisk(directory, () => rm(directory, { recursive: true, force: true })),
  }
}
