// One trace as the page holds it: its events in order, each read by the same code as everywhere, and its fold. Events
// come in batches from one place on; a batch that was had before, or that leaves a gap, changes nothing.

import { signal } from '@preact/signals'
import type { WireBatch } from '../wire.ts'
import { Folding } from './folding.ts'
import { openEvent, type SeenEvent } from './seen-event.ts'

export class TraceModel {
  readonly trace: string
  readonly events: SeenEvent[] = []
  /** How many events there are; what is drawn from them looks at this. */
  readonly count = signal(0)
  readonly folding: Folding

  constructor(trace: string) {
    this.trace = trace
    this.folding = new Folding(trace)
  }

  get size(): number {
    return this.events.length
  }

  get protocol(): string | null {
    const first = this.events[0]?.header
    return typeof first === 'object' ? first.protocol : null
  }

  take({ from, events }: WireBatch): void {
    if (from > this.events.length) return
    const fresh = events
      .slice(this.events.length - from)
      .map((wire, i) => openEvent(wire, this.events.length + i))
    for (const event of fresh) this.events.push(event)
    this.count.value = this.events.length
    this.folding.take(fresh)
  }
}
