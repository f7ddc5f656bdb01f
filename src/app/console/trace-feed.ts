// The events of one trace as lines, for any number of readers: new events are read and serialized once, and
// every reader at that position gets the same batch. Readers that join late, or fall behind, read the store.

import { eventLine } from '../../ledger/bundle/lines.ts'
import type { Store } from '../../stores/store.ts'

/** Events in order, without a gap. */
export interface Batch {
  /** The position of the first. */
  readonly from: number
  readonly lines: readonly string[]
}

/** A page can show something after this many. */
const FIRST = 40
const MOST = 400
/** New batches that are kept for readers that are almost up to date. */
const KEPT = 32

export class TraceFeed {
  readonly #store: Store
  readonly #trace: string
  readonly #readers = new Set<() => void>()
  #recent: Batch[] = []
  #size = 0
  #stop: AbortController | null = null
  /** Why the feed has ended. */
  #fault: unknown = null

  constructor(store: Store, trace: string) {
    this.#store = store
    this.#trace = trace
  }

  get readers(): number {
    return this.#readers.size
  }

  /** Everything from `from` on, including future events, until the signal is aborted. */
  async *follow(from: number, signal: AbortSignal): AsyncGenerator<Batch> {
    let at = from
    for await (const batch of this.#stored(at)) {
      yield batch
      at += batch.lines.length
      if (signal.aborted) return
    }
    let wake: () => void = () => undefined
    const awaken = (): void => wake()
    this.#readers.add(awaken)
    signal.addEventListener('abort', awaken)
    this.#watch(at)
    try {
      while (!signal.aborted) {
        if (this.#fault !== null) throw this.#fault
        const next = await this.#next(at)
        if (next !== null) {
          yield next
          at += next.lines.length
          continue
        }
        await new Promise<void>((resolve) => {
          wake = resolve
          if (signal.aborted || this.#size > at || this.#fault !== null) resolve()
        })
      }
    } finally {
      signal.removeEventListener('abort', awaken)
      this.#readers.delete(awaken)
      if (this.#readers.size === 0) this.#rest()
    }
  }

  /** The next batch; null when there is nothing new. */
  async #next(at: number): Promise<Batch | null> {
    const known = this.#recent.find(({ from }) => from === at)
    if (known) return known
    if (this.#size <= at) return null
    for await (const batch of this.#stored(at, Math.min(this.#size, at + MOST))) return batch
    return null
  }

  async *#stored(from: number, to?: number): AsyncGenerator<Batch> {
    let lines: string[] = []
    let begun = from
    let most = FIRST
    for await (const event of this.#store.read(this.#trace, from, to)) {
      lines.push(eventLine(event))
      if (lines.length < most) continue
      yield { from: begun, lines }
      begun += lines.length
      lines = []
      most = MOST
    }
    if (lines.length > 0) yield { from: begun, lines }
  }

  #watch(size: number): void {
    if (this.#stop) {
      // A reader that came from the store may be ahead of the watch.
      this.#size = Math.max(this.#size, size)
      return
    }
    this.#size = size
    const stop = new AbortController()
    this.#stop = stop
    void this.#run(stop.signal).catch((error: unknown) => {
      this.#fault = error ?? new Error('the store cannot be watched')
      for (const wake of this.#readers) wake()
    })
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let at = this.#size; !signal.aborted; ) {
      await this.#store.watch(this.#trace, at, signal)
      if (signal.aborted) return
      for await (const batch of this.#stored(at)) {
        this.#recent = [...this.#recent.slice(1 - KEPT), batch]
        at += batch.lines.length
        this.#size = Math.max(this.#size, at)
        for (const wake of [...this.#readers]) wake()
      }
    }
  }

  #rest(): void {
    this.#stop?.abort()
    this.#stop = null
    this.#recent = []
  }
}
