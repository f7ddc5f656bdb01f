// Folds a trace in the page: the same protocol over the same events. The code of a protocol is loaded when
// such a trace is opened. A fork begins in the state of its parent, so the parent's events are loaded first.

import { signal } from '@preact/signals'
import { FORKED, forkPointOf } from '../../../../ledger/fork.ts'
import type { Occurrence } from '../../../../protocol.ts'
import { get } from '../client.ts'
import type { WireBatch } from '../wire.ts'
import type { Fold } from './fold.ts'
import { occurrenceOf, openEvent, type SeenEvent } from './seen-event.ts'

const FOLDS: Readonly<Record<string, () => Promise<() => Fold>>> = {
  'council/1': async () => (await import('../council/fold.ts')).councilFold,
  'agents/1': async () => (await import('../agents/fold.ts')).agentsFold,
  'exchange/1': async () => (await import('../exchange/fold.ts')).exchangeFold,
  'eval/1': async () => (await import('../eval/fold.ts')).evalFold,
}

const PAGE = 2_000
/** How long events are folded before the page may paint again. */
const SLICE_MS = 12
const MAX_DEPTH = 32

async function loadEvents(trace: string, to: number): Promise<readonly Occurrence[]> {
  const events: Occurrence[] = []
  while (events.length < to) {
    const batch = await get<WireBatch>(
      `/traces/${trace}/events?from=${events.length}&to=${Math.min(to, events.length + PAGE)}`,
    )
    if (batch.events.length === 0) throw new Error(`${trace} has fewer than ${to} events`)
    for (const wire of batch.events) {
      const event = occurrenceOf(openEvent(wire, events.length))
      if (event === null) throw new Error(`event ${events.length} of ${trace} cannot be read`)
      events.push(event)
    }
  }
  return events
}

/** The events of its ancestors up to the fork points, oldest first. */
async function ancestry(first: Occurrence, depth = 0): Promise<readonly Occurrence[]> {
  const point = first.type === FORKED ? forkPointOf(first.payload) : null
  if (point === null) return []
  if (depth > MAX_DEPTH) throw new Error('its ancestors do not end')
  const events = await loadEvents(point.trace, point.seq + 1)
  const [eldest] = events
  return eldest ? [...(await ancestry(eldest, depth + 1)), ...events] : []
}

const yieldToPage = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export class Folding {
  readonly trace: string
  /** How many events are folded; views observe this. */
  readonly size = signal(0)
  /** Why it cannot be folded; null while it can. */
  readonly fault = signal<string | null>(null)
  fold: Fold | null = null
  readonly #queue: SeenEvent[] = []
  #isBusy = false

  constructor(trace: string) {
    this.trace = trace
  }

  take(events: readonly SeenEvent[]): void {
    for (const event of events) this.#queue.push(event)
    void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#isBusy || this.fault.value !== null) return
    this.#isBusy = true
    try {
      await this.#begin()
      await this.#foldAll()
    } catch (error) {
      this.fault.value = error instanceof Error ? error.message : String(error)
    } finally {
      this.#isBusy = false
    }
  }

  async #begin(): Promise<void> {
    const [first] = this.#queue
    if (this.fold !== null || first === undefined) return
    const occurrence = occurrenceOf(first)
    if (occurrence === null || typeof first.header === 'string')
      throw new Error('its first event cannot be read')
    const load = FOLDS[first.header.protocol]
    if (!load) throw new Error(`this page has no view of ${first.header.protocol}`)
    const [make, before] = await Promise.all([load(), ancestry(occurrence)])
    const fold = make()
    for (const event of before) fold.take(event)
    this.fold = fold
  }

  async #foldAll(): Promise<void> {
    const { fold } = this
    if (fold === null) return
    let folded = this.size.value
    while (this.#queue.length > 0) {
      const until = performance.now() + SLICE_MS
      let done = 0
      for (const event of this.#queue) {
        const occurrence = occurrenceOf(event)
        if (occurrence === null) throw new Error(`event ${event.seq} cannot be read`)
        fold.take(occurrence)
        done++
        if (performance.now() > until) break
      }
      this.#queue.splice(0, done)
      folded += done
      this.size.value = folded
      if (this.#queue.length > 0) await yieldToPage()
    }
  }
}
