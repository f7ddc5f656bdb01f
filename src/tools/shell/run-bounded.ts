// Runs one program to its end within limits: time, bytes of output, processes, memory, disk. Its child
// processes end with it. When this resolves, all of them are gone and its pipes are closed.

import { type ChildProcess, spawn } from 'node:child_process'
import { type BigIntStats, readFileSync } from 'node:fs'
import { lstat, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Launch } from './launch.ts'
import type { SandboxLimits } from './limits.ts'
import { descendantsOf, isAlive, kill } from './processes.ts'

// Measures what a sandbox uses while it runs: processes, memory, disk. The kernel's own limits bind one
// process, and not root; a control group cannot be made everywhere. An excess is reported; the caller ends
// it.

type Overrun = 'processes' | 'memory' | 'disk'

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
    // It ended during the check.
    return 0
  }
}

/** Shared pages count several times here, so this is an upper limit. */
const residentBytes = (pid: number): number => numberIn(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m) * 1024

/** Each shared page in parts. Expensive, and so only used when the cheap figure is too high. */
const ownBytes = (pid: number): number => numberIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+)/m) * 1024

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

const takesTooMuch = (pids: readonly number[], most: number): boolean =>
  sum(pids.map(residentBytes)) > most && sum(pids.map(ownBytes)) > most

async function freeBytes(folder: string): Promise<number> {
  const stats = await statfs(folder).catch(() => null)
  return stats === null ? Number.POSITIVE_INFINITY : stats.bavail * stats.bsize
}

/** The size of files that were changed since: the file system is not ours alone, and others use it too. */
async function changedBytes(folder: string, sinceNs: bigint, enough: number): Promise<number> {
  let bytes = 0
  const waiting = [folder]
  for (let looked = 0; waiting.length > 0 && looked < MOST_FOLDERS && bytes <= enough; looked++) {
    const at = waiting.pop() ?? folder
    const entries = await readdir(at, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (entry.isDirectory()) waiting.push(join(at, entry.name))
      if (!entry.isFile()) continue
      const stats: BigIntStats | null = await lstat(join(at, entry.name), { bigint: true }).catch(() => null)
      if (stats !== null && stats.ctimeNs >= sinceNs) bytes += Number(stats.blocks) * 512
    }
  }
  return bytes
}

/** The size of files that have no name any more and are still open. */
async function unnamedBytes(pids: readonly number[]): Promise<number> {
  const sizes = new Map<string, number>()
  for (const pid of pids) {
    for (const name of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const stats = await stat(`/proc/${pid}/fd/${name}`).catch(() => null)
      if (stats?.isFile() && stats.nlink === 0) sizes.set(`${stats.dev}:${stats.ino}`, stats.blocks * 512)
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
      // Nearly full: the cause does not matter at this point.
      if (free < atFirst * NEARLY_FULL) return true
      if (atFirst - free <= most) continue
      const own = (await changedBytes(folder, sinceNs, most)) + (await unnamedBytes(pids))
      if (own > most) return true
    }
    return false
  }
}

/** Until the returned function is called. */
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

export interface Program {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly stdin: string
  /** How its sandbox is started, and which folders it can write; null without one. */
  readonly sandbox: { readonly launch: Launch; readonly folders: readonly string[] } | null
}

export interface Ran {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly code: number | null
  readonly signal: string | null
  readonly overrun: Overrun | 'output' | null
  /** Why it could not be started, or null. */
  readonly unstarted: Error | null
  /** Its reports, line by line. */
  readonly reports: string
}

const DRAIN_MS = 200
/** Of all that are killed at once; more would have been stopped before. */
const MOST_KILLED = 100_000

const living = new Set<ChildProcess>()
const killAll = () => {
  for (const child of living) end(child, null)
}

/** The sandbox's first process takes everything in its namespace with it; outside of one, each is ended by itself. */
function end(child: ChildProcess, first: number | null): void {
  const { pid } = child
  if (pid === undefined) return
  const all = first === null ? descendantsOf(pid, MOST_KILLED) : [first]
  if (first === null) kill(-pid)
  for (const target of all) kill(target)
}

function enter(child: ChildProcess): void {
  if (living.size === 0) process.on('exit', killAll)
  living.add(child)
}

function leave(child: ChildProcess): void {
  living.delete(child)
  if (living.size === 0) process.removeListener('exit', killAll)
}

/** The output up to the limit; the rest is ignored. */
class Output {
  readonly #pieces: Buffer[] = []
  readonly #room: () => number

  constructor(stream: Readable, room: () => number, full: () => void) {
    this.#room = room
    stream.on('data', (piece: Buffer) => {
      const remaining = this.#room()
      if (remaining > 0) this.#pieces.push(piece.subarray(0, remaining))
      if (piece.length > remaining) full()
    })
  }

  get size(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces)
  }
}

export interface RunLimits extends SandboxLimits {
  readonly outputBytes: number
}

export async function runBounded(program: Program, limits: RunLimits, signal: AbortSignal): Promise<Ran> {
  const { env, cwd, sandbox } = program
  const [file = '', ...args] = sandbox?.launch.command ?? program.argv
  const stdio = ['pipe', 'pipe', 'pipe', ...(sandbox?.launch.stdio ?? [])] as 'pipe'[]
  const child = spawn(file, args, { env, cwd, stdio, detached: true, shell: false })
  enter(child)
  let overrun: Ran['overrun'] = null
  let unstarted: Error | null = null
  let drain: NodeJS.Timeout | undefined
  const seen = new Set<number>()

  const launched = sandbox?.launch.feed(child, () => {
    if (signal.aborted) stop()
  })
  const first = () => launched?.first ?? null
  const stop = () => {
    launched?.cut()
    end(child, first())
    // The sandbox had not begun yet, or does not end by itself.
    if (first() === null) kill(child.pid)
  }
  const exceed = (what: Overrun | 'output') => {
    overrun ??= what
    stop()
  }
  const streams = child.stdio as unknown as [Writable, Readable, Readable, ...(Readable | null)[]]
  const room = () => limits.outputBytes - stdout.size - stderr.size
  const stdout: Output = new Output(streams[1], room, () => exceed('output'))
  const stderr: Output = new Output(streams[2], room, () => exceed('output'))
  // A program that does not read its input is noticed by its behaviour.
  streams[0].on('error', () => {})
  streams[0].end(program.stdin)

  const unwatch = watch({
    limits,
    first: sandbox === null ? () => child.pid ?? null : first,
    folders: sandbox?.folders ?? [],
    seen: (pids) => {
      for (const pid of pids) seen.add(pid)
      if (signal.aborted) stop()
    },
    exceeded: exceed,
  })

  const closed = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, by) => resolve({ code, signal: by }))
    child.once('error', (error) => {
      unstarted = error
      if (child.pid === undefined) resolve({ code: null, signal: null })
    })
    child.once('exit', () => {
      stop()
      // An unreachable stray process may hold the pipes open forever.
      drain = setTimeout(() => {
        for (const stream of streams) stream?.destroy()
      }, DRAIN_MS)
    })
  })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    const ended = await closed
    await endLeftovers([...seen], first())
    const reports = launched?.reports ?? ''
    return { stdout: stdout.bytes(), stderr: stderr.bytes(), ...ended, overrun, unstarted, reports }
  } finally {
    clearTimeout(drain)
    unwatch()
    signal.removeEventListener('abort', stop)
    leave(child)
  }
}

/** Those that were seen and outlived the program are ended, and awaited. */
async function endLeftovers(seen: readonly number[], first: number | null): Promise<void> {
  const alive = () => [...seen, ...(first === null ? [] : [first])].filter(isAlive)
  for (let waited = 0; waited < 2_000 && alive().length > 0; waited += 10) {
    if (first === null) for (const pid of alive()) kill(pid)
    await pause(10)
  }
}
