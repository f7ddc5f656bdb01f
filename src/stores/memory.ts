// A store that lives as long as its process: for trials, for tests, and for library callers who keep no home. It
// holds to the same contract as the durable ones.

import { createHash } from 'node:crypto'
import { WitanError } from '../ledger/errors.ts'
import type { Header, SealedEvent } from '../ledger/event.ts'
import { REGISTRY_PROTOCOL } from '../ledger/registry/registry.ts'
import { isMatch, type SearchQuery } from '../ledger/text/search.ts'
import { placedHeaders } from './placed-headers.ts'
import { collectTexts, eventText, partsOf } from './searched-text.ts'
import type { ArtifactStat, End, Erasure, EventText, FoundEvent, Head, Store, TraceSummary } from './store.ts'

interface StoredEvent {
  readonly event: SealedEvent
  readonly header: Header
  /** How many events the store held before it. */
  readonly place: number
}

const headMoved = (trace: string): WitanError =>
  new WitanError(
    'HEAD_MOVED',
    `${trace} does not end where the append expects`,
    'Read the new head and try again.',
  )

const conflict = (message: string): WitanError =>
  new WitanError('VAULT_REFUSED', message, 'Nothing was changed.')

/** A store that is gone with the process: for tests and trials. */
export class MemoryStore implements Store {
  readonly kind = 'memory'
  readonly #traces = new Map<string, StoredEvent[]>()
  readonly #artifacts = new Map<string, Uint8Array>()
  readonly #clerks = new Set<string>()
  readonly #watchers = new Set<() => void>()
  #count = 0

  async registry(): Promise<string | null> {
    return this.#registry()
  }

  #registry(): string | null {
    for (const [trace, stored] of this.#traces)
      if (stored[0]?.header.protocol === REGISTRY_PROTOCOL) return trace
    return null
  }

  async traces(): Promise<readonly TraceSummary[]> {
    return [...this.#traces].flatMap(([trace, stored]) => {
      const [first, last] = [stored[0], stored.at(-1)]
      if (!first || !last) return []
      const { at, type } = last.header
      const { protocol, at: started } = first.header
      return [{ trace, protocol, size: stored.length, started, last: { at, type, hash: last.event.hash } }]
    })
  }

  async head(trace: string): Promise<Head | null> {
    const stored = this.#traces.get(trace)
    const last = stored?.at(-1)
    return stored && last ? { size: stored.length, hash: last.event.hash, header: last.header } : null
  }

  async append(
    trace: string,
    expected: End,
    events: readonly SealedEvent[],
    registry = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const stored = this.#traces.get(trace) ?? []
    const last = stored.at(-1)
    if (stored.length !== expected.size || (last && last.event.hash !== expected.hash)) throw headMoved(trace)
    if ((this.#traces.get(this.#registry() ?? '')?.length ?? 0) > registry) throw headMoved('the registry')
    const headers = placedHeaders(trace, expected, events)
    const added = events.map(
      (event, i): StoredEvent => ({ event, header: headers[i] as Header, place: this.#count + i }),
    )
    const opens = stored.length === 0 && added[0]?.header.protocol === REGISTRY_PROTOCOL
    // Nothing is awaited between looking and writing: two who open at once would both find none.
    if (opens && this.#registry()) throw conflict('a store holds one registry')
    if (added.length === 0) return
    if (stored.length === 0) this.#traces.set(trace, stored)
    stored.push(...added)
    this.#count += added.length
    for (const wake of this.#watchers) wake()
  }

  async settled(): Promise<void> {}

  async *read(trace: string, from = 0, to = Number.POSITIVE_INFINITY): AsyncGenerator<SealedEvent> {
    for (const { event } of (this.#traces.get(trace) ?? []).slice(from, to)) yield event
  }

  async hashes(trace: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
    return (this.#traces.get(trace) ?? []).slice(from, to).map(({ event }) => event.hash)
  }

  async watch(trace: string, size: number, signal: AbortSignal): Promise<void> {
    const longer = (): boolean => (this.#traces.get(trace)?.length ?? 0) > size
    if (longer() || signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        if (!longer() && !signal.aborted) return
        this.#watchers.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#watchers.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  async putArtifact(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<ArtifactStat> {
    const chunks: Uint8Array[] = []
    if (bytes instanceof Uint8Array) chunks.push(bytes)
    else for await (const chunk of bytes) chunks.push(chunk)
    const all = Buffer.concat(chunks)
    const hash = createHash('sha256').update(all).digest('hex')
    this.#artifacts.set(hash, all)
    return { hash, size: all.length }
  }

  async statArtifact(hash: string): Promise<ArtifactStat | null> {
    const bytes = this.#artifacts.get(hash)
    return bytes ? { hash, size: bytes.length } : null
  }

  async openArtifact(hash: string): Promise<AsyncIterable<Uint8Array> | null> {
    const bytes = this.#artifacts.get(hash)
    if (!bytes) return null
    return (async function* () {
      yield bytes
    })()
  }

  async openings(traces: readonly string[]): Promise<readonly EventText[]> {
    return traces
      .flatMap((trace) => this.#traces.get(trace)?.slice(0, 1) ?? [])
      .map(({ event }) => eventText(event))
  }

  async *find(query: SearchQuery): AsyncGenerator<readonly FoundEvent[]> {
    if (query.length === 0) return
    const all = [...this.#traces.values()].flat().sort((a, b) => b.place - a.place)
    for (const { event, header } of all) {
      const parts = partsOf(await collectTexts(this, event.payload))
      if (!parts.some((words) => isMatch(query, words))) continue
      const [opening = null] = await this.openings([header.trace])
      yield [{ ...eventText(event), opening }]
    }
  }

  async erase(...erasures: readonly Erasure[]): Promise<void> {
    for (const erasure of erasures) await this.#eraseOne(erasure)
  }

  async #eraseOne({ trace, seq, artifact, registry }: Erasure): Promise<void> {
    const isRegistry = registry.trace === (await this.registry())
    if (!isRegistry || !this.#traces.get(registry.trace)?.[registry.seq]) {
      throw conflict('no registry event orders this erasure')
    }
    if (artifact !== null) this.#artifacts.delete(artifact)
    const stored = this.#traces.get(trace)
    const record = seq === null ? undefined : stored?.[seq]
    if (!stored || seq === null || !record) return
    stored[seq] = { ...record, event: { ...record.event, payload: null, salt: null } }
  }

  async attend(clerk: string): Promise<() => Promise<void>> {
    this.#clerks.add(clerk)
    return async () => {
      this.#clerks.delete(clerk)
    }
  }

  async attends(clerk: string): Promise<boolean> {
    return this.#clerks.has(clerk)
  }

  async close(): Promise<void> {}
}
