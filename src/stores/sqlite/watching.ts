// Who waits for a trace to grow. An append by this handle wakes its own watchers at once; what others commit shows in
// one number of the file, which is looked at for all watchers together, so that hundreds of them cost no more than one.

import type { Connection } from './connection.ts'

const LOOK_MS = { first: 20, most: 250 }

interface Watcher {
  readonly trace: string
  readonly size: number
  readonly wake: () => void
  readonly fail: (error: unknown) => void
}

export interface Watching {
  /** Resolves once the trace is longer than `size`, the signal is given, or the watching is over. */
  watch(trace: string, size: number, signal: AbortSignal): Promise<void>
  /** This handle has appended: the trace is now this long. */
  grown(trace: string, size: number): void
  close(): void
}

export function watching(connection: Connection, sizeOf: (trace: string) => number): Watching {
  const watchers = new Set<Watcher>()
  let timer: NodeJS.Timeout | null = null
  let wait = LOOK_MS.first
  let seen: unknown = null
  let closed = false

  /** Changes with every commit of another handle to the file, and with none of this one's. */
  const version = (): unknown => connection.get('PRAGMA data_version')?.data_version

  function wakeWaiting(): void {
    const now = version()
    wait = now === seen ? Math.min(wait * 1.5, LOOK_MS.most) : LOOK_MS.first
    if (now === seen) return
    seen = now
    for (const { trace, size, wake } of watchers) if (sizeOf(trace) > size) wake()
  }

  function look(): void {
    timer = null
    try {
      wakeWaiting()
    } catch (error) {
      for (const { fail } of watchers) fail(error)
    }
    lookAgain()
  }

  function lookAgain(): void {
    if (timer === null && watchers.size > 0 && !closed) timer = setTimeout(look, wait)
  }

  return {
    async watch(trace, size, signal) {
      if (signal.aborted || closed) return
      // Before the trace is looked at: what is committed in between changes the number.
      if (watchers.size === 0) seen = version()
      if (sizeOf(trace) > size) return
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          watchers.delete(watcher)
          signal.removeEventListener('abort', wake)
        }
        const wake = (): void => {
          leave()
          resolve()
        }
        const fail = (error: unknown): void => {
          leave()
          reject(error)
        }
        const watcher: Watcher = { trace, size, wake, fail }
        watchers.add(watcher)
        signal.addEventListener('abort', wake)
        wait = LOOK_MS.first
        lookAgain()
      })
    },
    grown(trace, size) {
      for (const watcher of watchers) if (watcher.trace === trace && size > watcher.size) watcher.wake()
    },
    close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      for (const { wake } of watchers) wake()
    },
  }
}
