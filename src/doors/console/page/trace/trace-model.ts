// One trace as the page holds it: how many events it has, its fold, and a window of its events, each read by the same
// code as everywhere. What leaves the window is let go, no matter how long the page stays open, and asked for again when
// someone looks at it. Events come in batches from one place on; a batch that was had before, or that leaves a gap,
// changes nothing.

import { signal } from '@preact/signals'
import { get } from '../client.ts'
import type { WireBatch } from '../wire.ts'
import { Folding } from './folding.ts'
import { openEvent, type SeenEvent } from './seen-event.ts'

const PAGE = 200
const MOST_PAGES = 10

export class TraceModel {
  readonly trace: string
  /** How many events there are; what is drawn from them looks at this. */
  readonly count = signal(0)
  /** Grows whenever events that were let go are here again. */
  readonly fetched = signal(0)
  readonly folding: Folding
  protocol: string | null = null
  /** By number, the one that was looked at last at the end. The newest is never let go. */
  readonly #pages = new Map<number, SeenEvent[]>()
  readonly #asked = new Set<number>()

  constructor(trace: string) {
    this.trace = trace
    this.folding = new Folding(trace)
  }

  get size(): number {
    return this.count.peek()
  }

  /** Undefined until it is here; it is asked for then. */
  at(seq: number): SeenEvent | undefined {
    if (seq >= this.size) return undefined
    const number = Math.floor(seq / PAGE)
    const page = this.#pages.get(number)
    if (page) this.#keep(number, page)
    else void this.#ask(number)
    return page?.[seq % PAGE]
  }

  take({ from, events }: WireBatch): void {
    const { size } = this
    if (from > size) return
    const fresh = events.slice(size - from).map((wire, i) => openEvent(wire, size + i))
    for (const event of fresh) this.#put(event)
    this.count.value = size + fresh.length
    this.folding.take(fresh)
  }

  #put(event: SeenEvent): void {
    if (event.seq === 0 && typeof event.header === 'object') this.protocol = event.header.protocol
    const number = Math.floor(event.seq / PAGE)
    const page = this.#pages.get(number)
    if (page) page.push(event)
    else this.#keep(number, [event])
  }

  #keep(number: number, page: SeenEvent[]): void {
    this.#pages.delete(number)
    this.#pages.set(number, page)
    if (this.#pages.size <= MOST_PAGES) return
    const newest = Math.max(...this.#pages.keys())
    for (const oldest of this.#pages.keys()) {
      if (oldest === newest) continue
      this.#pages.delete(oldest)
      return
    }
  }

  async #ask(number: number): Promise<void> {
    if (this.#asked.has(number)) return
    this.#asked.add(number)
    try {
      const from = number * PAGE
      const { events } = await get<WireBatch>(`/traces/${this.trace}/events?from=${from}&to=${from + PAGE}`)
      this.#keep(
        number,
        events.map((wire, i) => openEvent(wire, from + i)),
      )
      this.fetched.value++
    } catch {
      // The line says by itself that the server is not there; a page that looks again asks again.
    } finally {
      this.#asked.delete(number)
    }
  }
}
