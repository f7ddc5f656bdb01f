// What a worker may rely on for a while after it was heard of: that no one was told that it is gone. It ends by two clocks. The
// one that never jumps stands still while the machine sleeps; the other goes on, and may be set back.

export interface Moment {
  readonly steady: number
  readonly wall: number
}

export const momentNow = (): Moment => ({ steady: performance.now(), wall: Date.now() })

export class Assurance {
  readonly #ms: number
  #since: Moment | null = null

  constructor(ms: number) {
    this.#ms = ms
  }

  /** `since`: before what it rests on was asked for. */
  renew(since: Moment): void {
    this.#since = since
  }

  withdraw(): void {
    this.#since = null
  }

  get holds(): boolean {
    if (this.#since === null) return false
    const { steady, wall } = momentNow()
    return steady - this.#since.steady < this.#ms && wall - this.#since.wall < this.#ms
  }
}
