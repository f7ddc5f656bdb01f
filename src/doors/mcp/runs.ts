// Sessions and exchanges that run in this server, also between the calls of the host: a call may start one,
// check it later or stop it. A trace runs only once at a time. When the server ends, so do they all; their
// traces can be resumed.

import { setTimeout as pause } from 'node:timers/promises'
import { WitanError } from '../../ledger/errors.ts'
import type { Answer } from './answer.ts'

/** What a run is given. */
export interface RunHandle {
  readonly signal: AbortSignal
  /** To be called as soon as the trace has an id. */
  begun(trace: string): void
  /** Reports what happens, line by line, to calls that follow. */
  tell(line: string): void
}

/** A call that follows a run. */
export interface Observer {
  readonly signal: AbortSignal
  progress(words: string): void
}

const LOOK_MS = 10_000

class Run {
  readonly #stop = new AbortController()
  readonly #listeners = new Set<(line: string) => void>()
  /** Settled once there is a trace; rejected where none was made. */
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
    // Handlers for both; no one has to wait for them.
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

  /** Reports to the host what happens, and regularly that it still runs; a host that cancels stops the run. */
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

/** Like the built-in of later versions of Node. */
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

  /** Refused before anything is opened: a host in a loop must not start unlimited runs. */
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
      for (const [trace, other] of this.#byTrace) if (other === run) this.#byTrace.delete(trace)
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
