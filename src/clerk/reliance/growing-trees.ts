// The growing commitments over traces, kept between checkpoints so that no trace is read twice. An event
// enters a tally only after its place in the chain, its hash and its signature were verified: a checkpoint
// asserts them. A signature that this process made itself, and that is byte for byte the same, is valid.

import { WitanError } from '../../ledger/errors.ts'
import { readHeader } from '../../ledger/event.ts'
import { KEY_EVENTS, type RegistryState } from '../../ledger/registry/registry.ts'
import { type Counted, count, NOTHING_COUNTED } from '../../ledger/tree/tree-head.ts'
import type { Store } from '../../stores/store.ts'
import type { Ports } from '../ports.ts'
import { corrupt, readStored } from '../stored-events.ts'
import type { TraceLog } from '../trace-log.ts'
import { isOwnSignature } from './own-signatures.ts'
import { signatureFlaw } from './reliance.ts'

/** A process that runs for months sees many traces; a forgotten tally is only read again. */
const MOST_KEPT = 64

export class Tallies {
  readonly #ports: Ports
  readonly #tallies = new Map<string, Counted>()

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /**
   * The tally of the trace, as far as the open registry knows the keys to judge it by. `begun` is what a snapshot
   * under the registrar's own signature counted already.
   */
  async of(trace: string, registry: TraceLog<RegistryState>, begun = NOTHING_COUNTED): Promise<Counted> {
    const { store, sha256 } = this.#ports
    const own = this.#tallies.get(trace) ?? NOTHING_COUNTED
    let { tally, hash } = begun.tally.events.size > own.tally.events.size ? begun : own
    const to = trace === registry.trace ? registry.size : undefined
    for await (const event of store.read(trace, tally.events.size, to)) {
      const seq = tally.events.size
      const { header, flaw } = readStored(sha256, event, { trace, size: seq, hash })
      if (header.registry.size > registry.size) break
      const isKnown = isOwnSignature(this.#ports, event)
      const fault = flaw ?? (isKnown ? null : signatureFlaw(this.#ports, registry.state, event, header))
      if (fault !== null) throw corrupt(trace, seq, `${fault}, so that no checkpoint can be signed over it`)
      const isKeyEvent = KEY_EVENTS.includes(header.type)
      tally = count(sha256, tally, [{ hash: event.hash, signature: event.signature, isKeyEvent }])
      hash = event.hash
    }
    if (tally.events.size === 0) throw notFound(trace)
    this.#keep(trace, { tally, hash })
    return { tally, hash }
  }

  #keep(trace: string, counted: Counted): void {
    this.#tallies.delete(trace)
    this.#tallies.set(trace, counted)
    for (const oldest of this.#tallies.keys()) {
      if (this.#tallies.size <= MOST_KEPT) return
      this.#tallies.delete(oldest)
    }
  }
}

/** Ids of the events from `from` on that this key signed. */
export async function eventsBy(store: Store, key: string, trace: string, from: number): Promise<string[]> {
  const places: string[] = []
  for await (const event of store.read(trace, from)) {
    const header = readHeader(event.header)
    if (typeof header === 'object' && header.actor.key === key) places.push(`${trace}/${header.seq}`)
  }
  return places
}

export const notFound = (trace: string): WitanError =>
  new WitanError('TRACE_NOT_FOUND', `there is no trace ${trace}`, 'Run `witan list` to see which there are.')
