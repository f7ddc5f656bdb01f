// Runs one program to its end within bounds: time, bytes of output, processes, memory, disk. Whatever it started ends
// with it. When this resolves, nothing of it is left and its pipes are closed.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Launch } from './launch.ts'
import type { SandboxLimits } from './limits.ts'
import { descendantsOf, isAlive, kill } from './processes.ts'
import { type Overrun, watch } from './watch.ts'

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
  /** What it reported, line by line. */
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
  for (const one of all) kill(one)
}

function enter(child: ChildProcess): void {
  if (living.size === 0) process.on('exit', killAll)
  living.add(child)
}

function leave(child: ChildProcess): void {
  living.delete(child)
  if (living.size === 0) process.removeListener('exit', killAll)
}

/** What is read until the limit; the rest is nobody's business. */
class Output {
  readonly #pieces: Buffer[] = []
  readonly #room: () => number

  constructor(stream: Readable, room: () => number, full: () => void) {
    this.#room = room
    stream.on('data', (piece: Buffer) => {
      const left = this.#room()
      if (left > 0) this.#pieces.push(piece.subarray(0, left))
      if (piece.length > left) full()
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
    // The sandbox had not begun yet, or does not go by itself.
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
  // A program that does not read its input shows by what it does.
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
      // A stray that is out of reach may hold the pipes open for ever.
      drain = setTimeout(() => {
        for (const stream of streams) stream?.destroy()
      }, DRAIN_MS)
    })
  })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    const ended = await closed
    await buried([...seen], first())
    const reports = launched?.reports ?? ''
    return { stdout: stdout.bytes(), stderr: stderr.bytes(), ...ended, overrun, unstarted, reports }
  } finally {
    clearTimeout(drain)
    unwatch()
    signal.removeEventListener('abort', stop)
    leave(child)
  }
}

/** Those that were seen and outlived the program are ended, and waited for. */
async function buried(seen: readonly number[], first: number | null): Promise<void> {
  const left = () => [...seen, ...(first === null ? [] : [first])].filter(isAlive)
  for (let waited = 0; waited < 2_000 && left().length > 0; waited += 10) {
    if (first === null) for (const pid of left()) kill(pid)
    await pause(10)
  }
}
