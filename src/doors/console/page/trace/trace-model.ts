// One trace as the page holds it: the number of its events, its fold, and a window of its events, each read
// by the same code as everywhere. Events that leave the window are dropped, however long the page stays open,
// and loaded again when they are viewed. Events come in batches from one position on; a batch that is here
// already, or that leaves a gap, changes nothing.

import { signal } from '@preact/signals'
import { get } from '../client.ts'
import type { WireBatch } from '../wire.ts'
import { Folding } from './folding.ts'
import { openEvent, type SeenEvent } from './seen-event.ts'

const PAGE = 200
const MOST_PAGES = 10

export class TraceModel {
  readonly trace: string
  /** How many events there are; views that use them observe this. */
  readonly count = signal(0)
  /** Grows whenever dropped events are loaded again. */
  readonly fetched = signal(0)
  readonly folding: Folding
  protocol: string | null = null
  /** By number, the most recently viewed at the end. The newest is never dropped. */
  readonly #pages = new Map<number, SeenEvent[]>()
  readonly #asked = new Set<number>()

  constructor(trace: string) {
    this.trace = trace
    this.folding = new Folding(trace)
  }

  get size(): number {
    return this.count.peek()
  }

  /** Undefined until it is here; it is requested then. */
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
      // The stream itself reports that the server is unreachable; a view that asks again retries.
    } finally {
      this.#asked.delete(number)
    }
  }
}
