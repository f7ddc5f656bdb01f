// A call that its host has made and that has not reached its server. It waits for a person until its host gives it up or its time is
// over. Most calls wait for no person: no timer is set for these.

/** As long as a timer can be set for: 24 days. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

export class HeldCall {
  readonly #waitMs: number
  readonly #since = performance.now()
  #patience: AbortController | null = null
  #timer: NodeJS.Timeout | null = null
  #isGivenUp = false

  constructor(waitSeconds: number) {
    this.#waitMs = Math.min(waitSeconds * 1_000, LONGEST_WAIT_MS)
  }

  get isGivenUp(): boolean {
    return this.#isGivenUp
  }

  /** For how long it waits for a person, counted from when the host made it. */
  readonly patience = (): AbortSignal => {
    if (this.#patience === null) {
      const patience = new AbortController()
      this.#patience = patience
      const remainingMs = this.#waitMs - (performance.now() - this.#since)
      if (this.#isGivenUp || remainingMs <= 0) patience.abort()
      else this.#timer = setTimeout(() => patience.abort(), remainingMs).unref()
    }
    return this.#patience.signal
  }

  giveUp(): void {
    this.#isGivenUp = true
    this.#patience?.abort()
  }

  /** It is held no longer. */
  release(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
