// An attached session in a process that lives as long as its host does, and to which calls come side by side. They are
// announced one after the other, so that each is judged on what was recorded before it; a call that waits for a person
// waits outside of its turn and holds up no other.

import type { Announced, HostCall } from './announce-call.ts'
import { type AttachedSession, type HostOutcome, SNAPSHOT_EVERY } from './attached-session.ts'

const NOT_NOW = AbortSignal.abort()
const SILENCE_MS = 250
/** So many events at most wait for their checkpoint and for the state to be kept, and in a long session as many as half of it. */
const MOST_UNTENDED = 1_000
const MOST_UNTENDED_SHARE = 1 / 2

export class LiveSession {
  readonly session: AttachedSession
  #turn: Promise<unknown> = Promise.resolve()
  #silence: NodeJS.Timeout | null = null

  constructor(session: AttachedSession) {
    this.session = session
  }

  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /** Holds the call until it may run, for as long as `patience` lasts, which is asked for once a person is waited for. */
  async announce(call: HostCall, patience: () => AbortSignal): Promise<Announced> {
    const { log, ports } = this.session
    let signal: AbortSignal | null = null
    for (;;) {
      const { announced, size } = await this.inTurn(async () => {
        const announcement = await this.session.announce(call, NOT_NOW)
        return { announced: announcement, size: log.size }
      })
      if (announced.kind !== 'waiting') return announced
      signal ??= patience()
      if (signal.aborted) return announced
      await ports.store.watch(log.trace, size, signal).catch(() => undefined)
      await log.refresh()
      const { intent: id } = announced
      // Announced again, a call that a person has just blocked would be another one, and they would be asked again.
      const intent = this.session.state.intents.get(id)
      if (intent?.status === 'blocked')
        return { kind: 'blocked', intent: id, reason: intent.reason ?? 'blocked' }
    }
  }

  async finish(outcome: HostOutcome): Promise<boolean> {
    const isRecorded = await this.inTurn(() => this.session.finish(outcome))
    this.#tend()
    return isRecorded
  }

  /**
   * What the session needs now and then is done once its host has been silent for a moment, so that no call waits for it, and in
   * between where calls never cease. What fails here is met again by the next call.
   */
  #tend(): void {
    if (this.#silence === null) {
      this.#silence = setTimeout(() => this.#soon(SNAPSHOT_EVERY), SILENCE_MS).unref()
    } else this.#silence.refresh()
    this.#soon(Math.max(MOST_UNTENDED, Math.ceil(this.session.log.size * MOST_UNTENDED_SHARE)))
  }

  #soon(minEvents: number): void {
    this.inTurn(() => this.session.tend(minEvents)).catch(() => undefined)
  }
}
