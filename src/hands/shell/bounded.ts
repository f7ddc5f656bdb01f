// Runs one program to its end within bounds: time, bytes of output, number of processes. Whatever it started ends with
// it. When this resolves, nothing of it is left and its pipes are closed.

import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallLimits } from '../hand.ts'
import { descendantsOf, isAlive, kill } from './processes.ts'

export interface Program {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly stdin: string
  /** The program reports its own start and end here: the sandbox does. */
  readonly reports: boolean
}

export type Overrun = 'output' | 'processes'

export interface Ran {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly code: number | null
  readonly signal: string | null
  readonly overrun: Overrun | null
  /** Why it could not be started, or null. */
  readonly unstarted: Error | null
  /** What it reported, line by line. */
  readonly reports: string
}

const COUNT_EVERY_MS = 20
const DRAIN_MS = 200
const MOST_REPORTS = 4_096
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

const firstProcess = (reports: string): number | null => {
  const found = /"child-pid":\s*(\d+)/.exec(reports)?.[1]
  return found === undefined ? null : Number(found)
}

export async function runBounded(program: Program, limits: CallLimits, signal: AbortSignal): Promise<Ran> {
  const [file = '', ...args] = program.argv
  const { env, cwd } = program
  const stdio = program.reports ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe']
  const child = spawn(file, args, { env, cwd, stdio: stdio as 'pipe'[], detached: true, shell: false })
  enter(child)
  let reports = ''
  let overrun: Overrun | null = null
  let unstarted: Error | null = null
  let drain: NodeJS.Timeout | undefined
  const seen = new Set<number>()

  const stop = () => {
    const first = firstProcess(reports)
    end(child, first)
    // The sandbox had not begun yet, or does not go by itself.
    if (first === null) kill(child.pid)
  }
  const exceed = (what: Overrun) => {
    overrun ??= what
    stop()
  }
  const streams = child.stdio as unknown as [Writable, Readable, Readable, Readable?]
  const room = () => limits.maxOutputBytes - stdout.size - stderr.size
  const stdout: Output = new Output(streams[1], room, () => exceed('output'))
  const stderr: Output = new Output(streams[2], room, () => exceed('output'))
  streams[3]?.setEncoding('utf8').on('data', (text: string) => {
    reports = (reports + text).slice(0, MOST_REPORTS)
    if (signal.aborted) stop()
  })
  // A program that does not read its input shows by what it does.
  streams[0].on('error', () => {})
  streams[0].end(program.stdin)

  const counting = setInterval(() => {
    const first = program.reports ? firstProcess(reports) : child.pid
    if (first === null || first === undefined) return
    const found = descendantsOf(first, limits.maxProcesses + 1)
    for (const pid of found) seen.add(pid)
    if (signal.aborted) stop()
    if (found.length > limits.maxProcesses) exceed('processes')
  }, COUNT_EVERY_MS)

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
    await buried([...seen], firstProcess(reports))
    return { stdout: stdout.bytes(), stderr: stderr.bytes(), ...ended, overrun, unstarted, reports }
  } finally {
    clearTimeout(drain)
    clearInterval(counting)
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
