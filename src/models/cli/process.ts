// Runs one program to its end. Its child processes belong to its process group and end with it: when the
// program is told to stop, when its output is too long, and also when it ends by itself. No shell ever sees
// an argument. When `run` resolves, all its processes are gone and its pipes are closed.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

export interface Command {
  /** A name to be found on the PATH of `env`, or an absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** What it reads on stdin. */
  readonly input: string
  readonly maxOutputBytes: number
  /** Called for all output, on either pipe. */
  readonly onOutput?: () => void
}

export interface Ran {
  readonly stdout: string
  /** The last of it. */
  readonly stderr: string
  readonly code: number | null
  readonly signal: string | null
  readonly tooLarge: boolean
  /** Why it could not be started, or null. */
  readonly unstarted: Error | null
}

/** How long a program may take to exit after a signal before it is killed. */
const GRACE_MS = 1_000
/** How long remaining output is read after the end. */
const DRAIN_MS = 200
/** How long killed processes may take to disappear; if nothing reaps them, they only look alive. */
const VANISH_MS = 300
const MAX_STDERR_BYTES = 64 << 10

const groups = new Set<number>()

function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    // ESRCH: the group has no processes left.
    return false
  }
}

/** A program in its own group survives us unless it is stopped. */
function killAll(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL')
}

function enter(pid: number | undefined): void {
  if (pid === undefined) return
  if (groups.size === 0) process.on('exit', killAll)
  groups.add(pid)
}

function leave(pid: number | undefined): void {
  if (pid === undefined) return
  groups.delete(pid)
  if (groups.size === 0) process.removeListener('exit', killAll)
}

class Output {
  readonly #chunks: Buffer[] = []
  readonly #most: number
  bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.bytes += chunk.length
    let first = this.#chunks[0]
    while (first !== undefined && this.bytes - first.length >= this.#most) {
      this.#chunks.shift()
      this.bytes -= first.length
      first = this.#chunks[0]
    }
  }

  toString(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}

/** Gently first, then by force. Resolves when the program itself has ended. */
async function stop(child: ChildProcessWithoutNullStreams, ended: Promise<unknown>): Promise<void> {
  signalGroup(child.pid, 'SIGTERM')
  const late = new AbortController()
  const timer = pause(GRACE_MS, undefined, { signal: late.signal }).catch(() => undefined)
  await Promise.race([ended, timer])
  late.abort()
  signalGroup(child.pid, 'SIGKILL')
  await ended
}

async function vanished(pid: number | undefined): Promise<void> {
  for (let waited = 0; waited < VANISH_MS && signalGroup(pid, 0); waited += 10) await pause(10)
}

/** Ends the program as soon as the signal is aborted; the caller knows why. */
export async function run(command: Command, signal: AbortSignal): Promise<Ran> {
  const { program, args, env, cwd, input, maxOutputBytes, onOutput } = command
  const stdout = new Output(Number.POSITIVE_INFINITY)
  const stderr = new Output(MAX_STDERR_BYTES)
  const nothing = { stdout: '', stderr: '', code: null, signal: null, tooLarge: false }
  let child: ChildProcessWithoutNullStreams
  try {
    child = spawn(program, args, { env, cwd, stdio: 'pipe', detached: true, shell: false })
  } catch (error) {
    return { ...nothing, unstarted: error instanceof Error ? error : new Error(String(error)) }
  }
  enter(child.pid)
  let unstarted: Error | null = null
  let tooLarge = false
  let stopping: Promise<void> | null = null
  let drain: NodeJS.Timeout | undefined
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      unstarted = error
      resolve()
    })
  })
  const closed = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, by) => resolve({ code, signal: by }))
  })
  const end = () => {
    stopping ??= stop(child, exited)
  }
  child.once('exit', () => {
    signalGroup(child.pid, 'SIGKILL')
    // A stray process that left the group may hold the pipes open forever.
    drain = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, DRAIN_MS)
  })
  child.stdout.on('data', (chunk: Buffer) => {
    onOutput?.()
    if (tooLarge) return
    stdout.push(chunk)
    tooLarge = stdout.bytes > maxOutputBytes
    if (tooLarge) end()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    onOutput?.()
    stderr.push(chunk)
  })
  // A program that does not read its prompt is noticed by its output, not by the broken pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  try {
    const result = await closed
    await stopping
    await vanished(child.pid)
    return { stdout: stdout.toString(), stderr: stderr.toString(), ...result, tooLarge, unstarted }
  } finally {
    clearTimeout(drain)
    signal.removeEventListener('abort', end)
    leave(child.pid)
  }
}
