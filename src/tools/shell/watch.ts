// Looks at what a sandbox takes while it runs: processes, memory, disk. The kernel's own limits bind one process, and
// not root; a control group is not to be had everywhere. Who takes too much is told on; the caller ends it.

import type { BigIntStats } from 'node:fs'
import { readFileSync } from 'node:fs'
import { lstat, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxLimits } from './limits.ts'
import { descendantsOf } from './processes.ts'

export type Overrun = 'processes' | 'memory' | 'disk'

export interface Watched {
  readonly limits: SandboxLimits
  /** The process that all others descend from; null until there is one. */
  readonly first: () => number | null
  /** Real folders that it may write. */
  readonly folders: readonly string[]
  readonly everyMs?: number
  /** All that live now. */
  readonly seen?: (pids: readonly number[]) => void
  readonly exceeded: (what: Overrun) => void
}

const LOOK_EVERY_MS = 20
/** The file system is asked less often than the processes are. */
const LOOKS_PER_DISK = 5
const MOST_FOLDERS = 100_000
const NEARLY_FULL = 0.1
/** By how much the clock of files may be behind ours. */
const CLOCK_MS = 1_000

function numberIn(file: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(file, 'latin1'))?.[1] ?? 0)
  } catch {
    // It ended while it was looked at.
    return 0
  }
}

/** Pages that are shared count many times here, so that this is the most it can be. */
const residentBytes = (pid: number): number => numberIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m) * 1024

/** Each shared page in parts. Dear, and so only asked when the cheap figure is too high. */
const ownBytes = (pid: number): number => numberIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m) * 1024

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

const takesTooMuch = (pids: readonly number[], most: number): boolean =>
  sum(pids.map(residentBytes)) > most && sum(pids.map(ownBytes)) > most

async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => null)
  return found === null ? Number.POSITIVE_INFINITY : found.bavail * found.bsize
}

/** What lies in files that were changed since: the file system is not ours alone, and others fill it too. */
async function changedBytes(folder: string, sinceNs: bigint, enough: number): Promise<number> {
  let bytes = 0
  const waiting = [folder]
  for (let looked = 0; waiting.length > 0 && looked < MOST_FOLDERS && bytes <= enough; looked++) {
    const at = waiting.pop() ?? folder
    const entries = await readdir(at, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (entry.isDirectory()) waiting.push(join(at, entry.name))
      if (!entry.isFile()) continue
      const found: BigIntStats | null = await lstat(join(at, entry.name), { bigint: true }).catch(() => null)
      if (found !== null && found.ctimeNs >= sinceNs) bytes += Number(found.blocks) * 512
    }
  }
  return bytes
}

/** What lies in files that have no name any more and are open still. */
async function unnamedBytes(pids: readonly number[]): Promise<number> {
  const sizes = new Map<string, number>()
  for (const pid of pids) {
    for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const found = await stat(`/proc/${pid}/fd/${name}`).catch(() => null)
      if (found?.isFile() && found.nlink === 0) sizes.set(`${found.dev}:${found.ino}`, found.blocks * 512)
    }
  }
  return sum([...sizes.values()])
}

type DiskWatch = (pids: readonly number[]) => Promise<boolean>

async function diskWatch(folders: readonly string[], most: number): Promise<DiskWatch> {
  const sinceNs = BigInt(Date.now() - CLOCK_MS) * 1_000_000n
  const before = await Promise.all(folders.map(freeBytes))
  return async (pids) => {
    for (const [at, folder] of folders.entries()) {
      const atFirst = before[at] ?? 0
      const free = await freeBytes(folder)
      // Nearly full: who filled it is a question for later.
      if (free < atFirst * NEARLY_FULL) return true
      if (atFirst - free <= most) continue
      const own = (await changedBytes(folder, sinceNs, most)) + (await unnamedBytes(pids))
      if (own > most) return true
    }
    return false
  }
}

/** Until what it gives back is called. */
export function watch({ limits, first, folders, everyMs, seen = () => {}, exceeded }: Watched): () => void {
  const disk = diskWatch(folders, limits.diskBytes)
  let looks = 0
  let isLooking = false
  const lookAtDisk = async (pids: readonly number[]) => {
    isLooking = true
    try {
      if (await (await disk)(pids)) exceeded('disk')
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => {
    const top = first()
    if (top === null) return
    const pids = descendantsOf(top, limits.processes + 1)
    seen(pids)
    if (pids.length > limits.processes) exceeded('processes')
    else if (takesTooMuch([top, ...pids], limits.memoryBytes)) exceeded('memory')
    looks += 1
    if (looks % LOOKS_PER_DISK === 0 && !isLooking) void lookAtDisk(pids)
  }, everyMs ?? LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
