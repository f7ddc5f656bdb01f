// Sessions and exchanges that this server carries on, between the calls of the host too: a call may leave one to
// itself, look in again or stop it. A trace is carried on once at a time. When the server ends, so do they all; their
// traces can be resumed.

import { setTimeout as pause } from 'node:timers/promises'
import { WitanError } from '../../ledger/errors.ts'
import type { Answer } from './answer.ts'

/** What a run is given. */
export interface RunHandle {
  readonly signal: AbortSignal
  /** To be called as soon as there is a trace that can be named. */
  begun(trace: string): void
  /** What happens, line by line, for anyone who looks on. */
  tell(line: string): void
}

/** A call that looks on. */
export interface Observer {
  readonly signal: AbortSignal
  progress(words: string): void
}

const LOOK_MS = 10_000

class Run {
  readonly #stop = new AbortController()
  readonly #listeners = new Set<(line: string) => void>()
  /** Settled once there is a trace; rejected where it came to none. */
  readonly trace: Promise<string>
  /** Rejects with what went wrong. */
  readonly ended: Promise<Answer>
  #isOver = false

  constructor(work: (reins: RunHandle) => Promise<Answer>) {
    const { promise, resolve, reject } = withResolvers<string>()
    this.trace = promise
    this.ended = work({
      signal: this.#stop.signal,
      begun: resolve,
      tell: (line) => {
        for (const listener of this.#listeners) listener(line)
      },
    }).finally(() => {
      this.#isOver = true
    })
    // Anyone who waits for the one or the other is told; no one need.
    this.ended.catch(reject)
    this.trace.catch(() => undefined)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.ended.catch(() => undefined)
  }

  /** Tells the host what happens, and now and then that it still continues; a host that cancels stops the run. */
  async attend({ progress, signal }: Observer): Promise<Answer> {
    const trace = await this.trace
    progress(`${trace} is opened`)
    const tell = (line: string): void => progress(`${trace} ${line.trim()}`)
    this.#listeners.add(tell)
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    try {
      const done = this.ended.then(
        () => undefined,
        () => undefined,
      )
      while (!this.#isOver && !signal.aborted) {
        await Promise.race([done, pause(LOOK_MS, undefined, { signal: either }).catch(() => undefined)])
        if (!this.#isOver) progress(`${trace} is under way`)
      }
      if (signal.aborted) await this.stop()
      return await this.ended
    } finally {
      over.abort()
      this.#listeners.delete(tell)
    }
  }
}

/** As later versions of Node have it. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (reason: unknown) => void = () => undefined
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

const MOST = 8

export class Runs {
  readonly #held = new Set<Run>()
  readonly #byTrace = new Map<string, Run>()

  /** Refused before anything is opened: a host in a loop must not begin runs without end. */
  begin(work: (reins: RunHandle) => Promise<Answer>): Run {
    if (this.#held.size >= MOST) {
      const next = `Wait until one is over: ${[...this.#byTrace.keys()].join(', ')}.`
      throw new WitanError('USAGE', `${MOST} runs are under way here already`, next)
    }
    const run = new Run((reins) =>
      work({
        ...reins,
        begun: (trace) => {
          this.#byTrace.set(trace, run)
          reins.begun(trace)
        },
      }),
    )
    this.#held.add(run)
    const forget = (): void => {
      this.#held.delete(run)
      for (const [trace, one] of this.#byTrace) if (one === run) this.#byTrace.delete(trace)
    }
    run.ended.then(forget, forget)
    return run
  }

  /** The run of this trace, while there is one. */
  get(trace: string): Run | null {
    return this.#byTrace.get(trace) ?? null
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#held].map((run) => run.stop()))
  }
}

/** What a host is told that does not want to wait. */
export const underWayAnswer = (trace: string, next: string): Answer => ({
  value: { trace, status: 'under way', next },
  text: `${trace} is under way. ${next}`,
})
