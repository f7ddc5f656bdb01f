// The time limit of rounds. A round's time begins with its first call here; when it is over the closing of
// the round is recorded and every seat that still answers is told to stop. A request to close stops all
// seats.

import type { Round } from '../../../council/events.ts'

export type StopReason = 'timeout' | 'budget' | 'closed'

export interface RoundLimit {
  readonly ms: number
  /** The limit that ends: the round's own, or the council's budget. */
  readonly why: 'timeout' | 'budget'
}

/** The longest that a timer can be set to. */
const LONGEST_MS = 2 ** 31 - 1

export class RoundClock {
  readonly #stops = new Map<Round, AbortController>()
  readonly #timers = new Map<Round, NodeJS.Timeout>()
  readonly #ends = new Map<Round, number>()
  readonly #onTimeout: (round: Round) => Promise<void>

  /** `onTimeout` records the closing of the round; only then are its calls stopped. */
  constructor(onTimeout: (round: Round) => Promise<void>) {
    this.#onTimeout = onTimeout
  }

  #stopOf(round: Round): AbortController {
    const current = this.#stops.get(round)
    if (current) return current
    const controller = new AbortController()
    this.#stops.set(round, controller)
    return controller
  }

  /** The signal that ends calls of this round; the first call starts its time. */
  start(round: Round, limit: RoundLimit | null): AbortSignal {
    const stop = this.#stopOf(round)
    if (limit && !this.#timers.has(round)) {
      const ends = (): void => {
        const closing = limit.why === 'timeout' ? this.#onTimeout(round) : Promise.resolve()
        // A clerk that cannot record it fails at the next record too, and reports that there.
        void closing.catch(() => undefined).then(() => stop.abort(limit.why))
      }
      this.#timers.set(round, setTimeout(ends, Math.min(limit.ms, LONGEST_MS)))
      this.#ends.set(round, performance.now() + limit.ms)
    }
    return stop.signal
  }

  /** The remaining time of the round. */
  leftMs(round: Round): number {
    return Math.max(0, (this.#ends.get(round) ?? Number.POSITIVE_INFINITY) - performance.now())
  }

  stop(round: Round, why: StopReason): void {
    this.#stopOf(round).abort(why)
  }

  stopAll(why: StopReason): void {
    for (const round of ['R1', 'R2', 'R3'] as const) this.stop(round, why)
  }

  /** Stops all timers. */
  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
