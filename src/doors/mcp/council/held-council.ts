// A council that runs inside the server: it continues between the calls of the host, which read its state,
// submit answers or stop it. When the server ends, so do all its councils; their traces can be resumed.

import { setTimeout as pause } from 'node:timers/promises'
import type { Council, SeatSpeaking } from '../../../app/council/council.ts'
import type { HostSeats } from '../../../app/council/host-seats.ts'
import type { CouncilEstimate } from '../../../app/council/preview.ts'
import { HOST } from '../../../app/council/seating.ts'
import type { Home } from '../../../app/home/home.ts'
import { SHORT_GRACE_MS, stoppedEarly } from '../../../app/run.ts'
import type { CouncilState } from '../../../council/state.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Occurrence } from '../../../protocol.ts'

export interface CouncilToHold {
  readonly home: Home
  readonly council: Council
  readonly host: HostSeats
  /** The estimate for the whole run before it began; null where only some seats are asked again. */
  readonly estimate: CouncilEstimate | null
}

export class HeldCouncil {
  readonly #convened: CouncilToHold
  readonly #stop = new AbortController()
  readonly #waiting = new Set<() => void>()
  readonly #listeners = new Set<(event: Occurrence) => void>()
  readonly #hearing = new Set<(speaking: SeatSpeaking) => void>()
  #isQuiet = (): boolean => true
  /** Never rejects: the caller that awaits the end gets the error. */
  readonly ended: Promise<void>
  #isOver = false
  #fault: unknown = null

  constructor(convened: CouncilToHold) {
    this.#convened = convened
    this.ended = this.#run().then(
      () => this.#close(),
      (error: unknown) => {
        this.#fault = error
        return this.#close()
      },
    )
  }

  get trace(): string {
    return this.#convened.council.trace
  }

  get state(): CouncilState {
    return this.#convened.council.state
  }

  get host(): HostSeats {
    return this.#convened.host
  }

  get estimate(): CouncilEstimate | null {
    return this.#convened.estimate
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async #run(): Promise<void> {
    const { council } = this.#convened
    const end = await council.drive({
      signal: this.#stop.signal,
      grace: SHORT_GRACE_MS,
      hear: (event) => {
        for (const listener of this.#listeners) listener(event)
        this.wake()
      },
      speaks: (speaking) => {
        if (this.#hearing.size === 0 || this.#isQuiet()) return
        for (const hear of this.#hearing) hear(speaking)
      },
    })
    if (end.status === 'finished') return
    throw stoppedEarly(council.trace, `What was answered is kept. Go on with: witan resume ${council.trace}`)
  }

  async #close(): Promise<void> {
    await this.#convened.home.close()
    this.#isOver = true
    this.wake()
  }

  /** Something changed: waiting calls check again. */
  wake(): void {
    for (const resume of [...this.#waiting]) resume()
  }

  /** Throws the error that ended it, if there was one. */
  check(): void {
    if (this.#fault !== null) throw this.#fault
  }

  stop(): Promise<void> {
    this.#stop.abort()
    return this.ended
  }

  /** Called with every event until the returned function is called. */
  listen(listener: (event: Occurrence) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called with text of seats, as long as that is allowed, until the returned function is called. */
  hearWords(hear: (speaking: SeatSpeaking) => void): () => void {
    this.#hearing.add(hear)
    return () => this.#hearing.delete(hear)
  }

  /** While this is true, no text of seats is passed on. */
  quietWhile(isQuiet: () => boolean): void {
    this.#isQuiet = isQuiet
  }

  /** The host's own model has a seat, and has not finished. */
  get isHostSeated(): boolean {
    return !this.#isOver && (this.state.opened?.seats ?? []).some(({ provider }) => provider === HOST)
  }

  /** Until something is there for the host, it is over, the time is up or the signal is aborted. */
  async until(isEnough: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController()
    const limit = AbortSignal.any([signal, over.signal])
    const time = pause(ms, undefined, { signal: limit, ref: false }).catch(() => undefined)
    let isLate = false
    void time.then(() => {
      isLate = true
      this.wake()
    })
    while (!this.#isOver && !isLate && !isEnough()) {
      await new Promise<void>((resolve) => {
        const resume = (): void => {
          this.#waiting.delete(resume)
          resolve()
        }
        this.#waiting.add(resume)
      })
    }
    over.abort()
  }
}

const MOST = 8

/** The councils that this server holds, by trace. */
export class HeldCouncils {
  readonly #held = new Map<string, HeldCouncil>()

  add(sitting: HeldCouncil): HeldCouncil {
    this.#held.set(sitting.trace, sitting)
    sitting.quietWhile(() => [...this.#held.values()].some(({ isHostSeated }) => isHostSeated))
    return sitting
  }

  /** Refused before anything is opened: a host in a loop must not hold unlimited councils. */
  refuseMore(): void {
    for (const [trace, { isOver }] of this.#held)
      if (isOver && this.#held.size > MOST) this.#held.delete(trace)
    const running = [...this.#held.values()].filter(({ isOver }) => !isOver)
    if (running.length < MOST) return
    const next = `Finish one first: ${running.map(({ trace }) => trace).join(', ')}.`
    throw new WitanError('USAGE', `${MOST} councils are under way here already`, next)
  }

  get(trace: string): HeldCouncil | null {
    return this.#held.get(trace) ?? null
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#held.values()].map((sitting) => sitting.stop()))
  }
}
