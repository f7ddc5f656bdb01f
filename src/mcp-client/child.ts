// A server as a child process, in its own process group together with what it starts: ending it ends the
// group, so a launcher cannot leave the real server behind. Its output ends with it, even if a stray child
// still holds the pipe.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

/** How long a server may take to exit when its input ends, and then after a signal. */
const LEAVE_MS = 300
const TERM_MS = 700
/** How long remaining output is read after the end. */
const DRAIN_MS = 200

const grouped = process.platform !== 'win32'

export class Child {
  readonly process: ChildProcessWithoutNullStreams
  /** Settles when it has ended and its output is read. */
  readonly ended: Promise<Exit>
  #exited = false
  #stopping: Promise<void> | null = null

  constructor(
    command: readonly string[],
    env: Record<string, string>,
    cwd: string | undefined,
    extra: readonly ('pipe' | number)[] = [],
  ) {
    const [program = '', ...args] = command
    const stdio: ('pipe' | number)[] = ['pipe', 'pipe', 'pipe', ...extra]
    const place = cwd === undefined ? {} : { cwd }
    // The first three are pipes, no matter what follows.
    this.process = spawn(program, args, {
      env,
      ...place,
      stdio: stdio as ['pipe', 'pipe', 'pipe'],
      detached: grouped,
      windowsHide: true,
    })
    // A server that is gone is noticed by its exit, not by a failed write.
    this.process.stdin.on('error', () => {})
    this.process.once('exit', () => {
      this.#exited = true
      this.#signal('SIGKILL')
      setTimeout(() => {
        this.process.stdout.destroy()
        this.process.stderr.destroy()
      }, DRAIN_MS).unref()
    })
    this.ended = new Promise((resolve) => {
      this.process.once('close', (code, signal) => resolve({ code, signal }))
    })
  }

  /** Rejects with the system's error when it cannot be started at all. */
  async started(): Promise<void> {
    await once(this.process, 'spawn')
    this.process.on('error', () => {})
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.process
    if (pid === undefined) return
    try {
      if (grouped) process.kill(-pid, signal)
      else this.process.kill(signal)
    } catch {
      // ESRCH: the group has no processes left, as intended.
    }
  }

  /** Ends it, gently first. Resolves when all of its processes are gone. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    if (this.process.pid === undefined) return
    this.process.stdin.end()
    if (!(await this.#gone(LEAVE_MS))) this.#signal('SIGTERM')
    if (!(await this.#gone(TERM_MS))) this.#signal('SIGKILL')
    await this.ended
  }

  async #gone(ms: number): Promise<boolean> {
    if (this.#exited) return true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, ms)
    })
    await Promise.race([this.ended, late])
    clearTimeout(timer)
    return this.#exited
  }
}
