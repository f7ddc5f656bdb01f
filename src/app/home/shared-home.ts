// A home that a process opens several times over is opened once. Councils that run side by side then share one
// connection, one folded registry and one queue of writers to it; a registry folded by each of them would be read as
// often as it has readers, and every record that one of them makes would send the others back to judge again.

import { stat } from 'node:fs/promises'
import { databaseFile } from '../../stores/sqlite/open.ts'
import type { Home } from './home.ts'

interface Shared {
  readonly home: Promise<Home>
  readonly file: Promise<string | null>
  holders: number
}

const opened = new Map<string, Shared>()

/** Which file the ledger lies in; null where it is none. */
async function fileOf({ store, directory }: Home): Promise<string | null> {
  if (store.kind !== 'sqlite') return null
  const { dev, ino } = await stat(databaseFile(directory), { bigint: true })
  return `${dev}.${ino}`
}

/** Whether the ledger is still in its place, and its disk has not failed. */
async function isSound({ home, file }: Shared): Promise<boolean> {
  try {
    const there = await home
    await there.store.settled()
    return (await fileOf(there)) === (await file)
  } catch {
    // Whoever opens it anew is told why.
    return false
  }
}

async function release(key: string, shared: Shared): Promise<void> {
  shared.holders--
  if (shared.holders > 0) return
  if (opened.get(key) === shared) opened.delete(key)
  await (await shared.home).close()
}

function held(key: string, shared: Shared, home: Home): Home {
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= release(key, shared)
    return closing
  }
  return { ...home, close }
}

/** The home under this key, opened if this process has not opened it; closed when its last holder closes it. */
export async function shareHome(key: string, open: () => Promise<Home>): Promise<Home> {
  const known = opened.get(key)
  if (known) {
    known.holders++
    if (await isSound(known)) return held(key, known, await known.home)
    await release(key, known).catch(() => undefined)
    if (opened.get(key) === known) opened.delete(key)
  }
  const home = open()
  const file = home.then(fileOf)
  file.catch(() => undefined)
  const shared: Shared = { home, file, holders: 1 }
  opened.set(key, shared)
  try {
    return held(key, shared, await home)
  } catch (error) {
    if (opened.get(key) === shared) opened.delete(key)
    throw error
  }
}
