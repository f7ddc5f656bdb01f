// A book is one trace, folded, and the only way to write into it. Nothing is appended that the protocol refuses on
// the head it is appended to, that its key may not sign, or on an event that cannot be relied on. When someone
// else was faster, what is at hand is judged again on the new head and appended there, never produced again.

import { isWitanError, WitanError } from '../ledger/errors.ts'
import type { Payload, RegistryPosition, SealedEvent } from '../ledger/event.ts'
import { FORKED, forkPointOf } from '../ledger/fork.ts'
import { REGISTRY_PROTOCOL, type RegistryState, registryProtocol } from '../ledger/registry/registry.ts'
import { chain, type Draft, EMPTY_TIP, type Tip, type Unsigned, withSignature } from '../ledger/signing.ts'
import { type Counted, NOTHING_COUNTED } from '../ledger/tree/tree-head.ts'
import type { Actor, Occurrence, Protocol } from '../protocol.ts'
import { withCurrentKey } from './actors.ts'
import type { Ports } from './ports.ts'
import { isJudgement, judgeChain, newerEdition, ownRegistry } from './refused-events.ts'
import { CheckpointedEvents } from './reliance/checkpointed.ts'
import { rememberSignatures } from './reliance/own-signatures.ts'
import { ErasedBefore, registryFlaw, traceFlaw } from './reliance/reliance.ts'
import { findSnapshot, isUnsettled, keepSnapshot } from './reliance/snapshots.ts'
import { type Batch, corrupt, type Folded, readStored, type Stored } from './stored-events.ts'

export { RefusedError } from './refused-events.ts'

/** Far more than rivals on one trace ever need; a bound keeps a broken store from looking like a busy one. */
const MAX_RIVALS = 10_000

/** What is to be appended; a function is asked again for every head that it is tried on. */
export type Drafts = readonly Draft[] | (() => Promise<readonly Draft[]>)

/** Asked for what comes next on the state that its drafts before lead to, until there is nothing more. */
export type NextDrafts<State> = (state: State) => Promise<readonly Draft[]>

const onlyOnce = (drafts: Drafts) => (): NextDrafts<unknown> => {
  let isGiven = false
  return async () => {
    if (isGiven) return []
    isGiven = true
    return typeof drafts === 'function' ? drafts() : drafts
  }
}

/** One trace, folded as far as it is known here, to which events are appended under its rules. */
export class TraceLog<State> {
  readonly trace: string
  readonly protocol: Protocol<State>
  readonly #ports: Ports
  /** Traces that are being folded to fold this one: a store could hold forks that name each other. */
  readonly #offspring: readonly string[]
  #folded: Folded<State>
  readonly #erased: ErasedBefore
  #vouched: CheckpointedEvents | null = null
  #begun: Counted = NOTHING_COUNTED
  #snapshotSize = 0
  /** The registry as it stood before anything of the trace was read. */
  #since: RegistryPosition | null = null
  #turn: Promise<unknown> = Promise.resolve()
  readonly #listeners = new Set<(event: Occurrence) => void>()

  constructor(ports: Ports, protocol: Protocol<State>, trace: string, offspring: readonly string[] = []) {
    this.#ports = ports
    this.protocol = protocol
    this.trace = trace
    this.#offspring = offspring
    this.#erased = new ErasedBefore(ports, trace)
    this.#folded = { state: protocol.initial, tip: EMPTY_TIP, flaw: null }
  }

  get state(): State {
    return this.#folded.state
  }

  get size(): number {
    return this.#folded.tip.size
  }

  get head(): RegistryPosition {
    const { size, hash } = this.#folded.tip
    return { size, hash }
  }

  /** Why nothing may be written on this trace; null when it is sound as far as it was folded. */
  get flaw(): WitanError | null {
    return this.#folded.flaw
  }

  /** What the snapshot counts from which this book was folded on. */
  get begun(): Counted {
    return this.#begun
  }

  /** Whether the trace has grown by this much since its state was kept, and could be kept as it is. */
  isLongUnkept(events: number): boolean {
    if (!this.#ports.snapshots || !this.protocol.snapshot) return false
    return this.size - this.#snapshotSize >= events && this.protocol.snapshot.take(this.state) !== null
  }

  /** Keeps the folded state for the next to open the trace; `counted` must have been verified to this very head. */
  keep(counted: Counted): Promise<void> {
    return this.#inTurn(async () => {
      const [registry, since] = [await openRegistryLog(this.#ports), this.#since]
      await registry.refresh()
      const { state, tip, flaw } = this.#folded
      if (flaw || registry.flaw || !since || isUnsettled(registry.state, since.size)) return
      if (counted.hash !== tip.hash) return
      const standing = { trace: this.trace, state, tip, tally: counted.tally }
      await keepSnapshot(this.#ports, this.protocol, registry, standing)
      this.#snapshotSize = tip.size
      // Something may have been erased between looking and writing: then what was written holds it still.
      await registry.refresh()
      if (isUnsettled(registry.state, since.size)) await this.#ports.snapshots?.clear()
    })
  }

  /** Folds what others appended meanwhile. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#catchUp())
  }

  /** Appends the drafts in one commit and returns their events; with `later`, durable once the store has settled. */
  append(drafts: Drafts, later = false): Promise<readonly SealedEvent[]> {
    return this.appendInSteps(onlyOnce(drafts), later)
  }

  /** Likewise in one commit, where each draft follows from those before it. It begins anew for every head. */
  appendInSteps(begin: () => NextDrafts<State>, later = false): Promise<readonly SealedEvent[]> {
    return this.#inTurn(() => this.#appendNow(begin, later))
  }

  /** Tells of each event that is folded from now on, no matter who wrote it, until the returned function is called. */
  hear(listener: (event: Occurrence) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(event: Occurrence): void {
    for (const listener of this.#listeners) listener(event)
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  get #isRegistry(): boolean {
    return this.protocol.id === REGISTRY_PROTOCOL
  }

  async #catchUp(to = Number.MAX_SAFE_INTEGER): Promise<void> {
    const { store } = this.#ports
    if (this.size === 0 && !this.#isRegistry && (await store.registry())) {
      // Before the reading begins: what is checkpointed now will be read.
      const registry = await openRegistryLog(this.#ports)
      await registry.refresh()
      await this.#goOnFromSnapshot(registry, to)
      this.#vouched = new CheckpointedEvents(this.#ports, registry.state, this.trace, to, this.#begun.tally)
    }
    for await (const event of store.read(this.trace, this.size, to)) await this.#fold(event)
    if (!this.#vouched?.isPending || this.flaw) return
    const flaw = corrupt(this.trace, this.size, 'it is missing, though a checkpoint counts it')
    this.#folded = { ...this.#folded, flaw }
  }

  async #goOnFromSnapshot(registry: TraceLog<RegistryState>, to: number): Promise<void> {
    this.#since = registry.head
    const snapshot = registry.flaw
      ? null
      : await findSnapshot(this.#ports, this.protocol, registry, this.trace, to)
    if (!snapshot) return
    const { state, tip, tally } = snapshot
    this.#folded = { state, tip, flaw: null }
    this.#begun = { tally, hash: tip.hash }
    this.#snapshotSize = tip.size
  }

  async #fold(event: SealedEvent): Promise<void> {
    const stored = readStored(this.#ports.sha256, event, { trace: this.trace, ...this.head })
    const { header, occurrence } = stored
    if (header.protocol !== this.protocol.id) throw this.#foreign(header.protocol)
    const unknown = this.protocol.unknownEdition?.(occurrence)
    if (unknown) throw newerEdition(this.trace, unknown)
    const isFork = occurrence.type === FORKED && occurrence.seq === 0
    const before = isFork ? await this.#foldParent(occurrence.payload) : this.#folded
    const state = this.protocol.evolve(before.state, occurrence)
    const newFlaw = before.flaw ? null : await this.#flawOf(event, stored, before.state, state)
    const flaw = before.flaw ?? (newFlaw === null ? null : corrupt(this.trace, header.seq, newFlaw))
    this.#folded = { state, tip: { size: header.seq + 1, hash: event.hash, at: header.at }, flaw }
    this.#tell(occurrence)
  }

  #foreign(protocol: string): WitanError {
    const message = `${this.trace} is a trace of ${protocol}, not of ${this.protocol.id}`
    return new WitanError('PROTOCOL_UNKNOWN', message, '`witan list` shows which trace is of which protocol.')
  }

  async #flawOf(event: SealedEvent, stored: Stored, before: State, after: State): Promise<string | null> {
    if (stored.flaw !== null) return stored.flaw
    if (this.#isRegistry) {
      return registryFlaw(this.#ports, event, stored, ownRegistry(before), ownRegistry(after))
    }
    const registry = await openRegistryLog(this.#ports)
    const [ports, vouched, erased] = [this.#ports, this.#vouched, this.#erased]
    return traceFlaw({ ports, registry, protocol: this.protocol, vouched, erased }, event, stored, before)
  }

  /** A fork begins as its parent stood at the fork point. */
  async #foldParent(payload: Payload | null): Promise<Folded<State>> {
    const point = forkPointOf(payload)
    if (!point) throw corrupt(this.trace, 0, 'its fork point is unreadable')
    const offspring = [...this.#offspring, this.trace]
    if (offspring.includes(point.trace)) throw corrupt(this.trace, 0, 'it is forked from its own offspring')
    const parent = new TraceLog(this.#ports, this.protocol, point.trace, offspring)
    await parent.#catchUp(point.seq + 1)
    if (parent.size === point.seq + 1 && parent.head.hash === point.hash) return parent.#folded
    throw corrupt(this.trace, 0, `its parent ${point.trace}/${point.seq} is not as it names it`)
  }

  async #appendNow(begin: () => NextDrafts<State>, later: boolean): Promise<readonly SealedEvent[]> {
    for (let rival = 0; rival < MAX_RIVALS; rival++) {
      const registry = this.#isRegistry ? null : await openRegistryLog(this.#ports)
      if (registry?.size === 0) await registry.refresh()
      if (registry?.flaw) throw registry.flaw
      if (this.size === 0) this.#since = registry?.head ?? null
      const [size, known] = [this.size, registry?.size]
      try {
        const { events, occurrences, folded, judgedBy } = await this.#seal(begin(), registry)
        if (events.length === 0) return []
        await this.#ports.store.append(this.trace, this.head, events, judgedBy, later)
        this.#folded = folded
        for (const occurrence of occurrences) this.#tell(occurrence)
        return events
      } catch (error) {
        const moved = isWitanError(error, 'HEAD_MOVED')
        if (!moved && !isJudgement(error)) throw error
        // A refusal counts only on the heads: what others wrote meanwhile may be what was lacking.
        await registry?.refresh()
        await this.#catchUp()
        if (!moved && this.size === size && registry?.size === known) throw error
      }
    }
    throw new WitanError('VAULT_BUSY', `${this.trace} is being written too fast by others`, 'Try again soon.')
  }

  async #seal(next: NextDrafts<State>, registry: TraceLog<RegistryState> | null): Promise<Batch<State>> {
    const unsigned: Unsigned[] = []
    const occurrences: Occurrence[] = []
    // Keys may be judged by a longer registry in a later step: the store counts from the first.
    const judgedBy = registry?.size
    let folded = this.#folded
    for (;;) {
      const newDrafts = await next(folded.state)
      if (newDrafts.length === 0) break
      const forks = folded.tip.size === 0 && newDrafts[0]?.type === FORKED
      const before = forks ? await this.#foldParent(newDrafts[0]?.payload ?? null) : folded
      if (before.flaw) throw before.flaw
      const known = registry?.state ?? ownRegistry(before.state)
      const drafts = newDrafts.map((draft) =>
        withActor(draft, withCurrentKey(known, draft.actor, this.#ports.holds)),
      )
      // In a fork time goes on from the parent's, no matter what the clock did.
      const { size, hash } = folded.tip
      const tip: Tip = { size, hash, at: before.tip.at }
      const now = this.#ports.now()
      const at = now < tip.at ? tip.at : now
      const place = { protocol: this.protocol.id, trace: this.trace, registry: registry?.head ?? null, at }
      const { sha256, salt } = this.#ports
      const chained = chain(sha256, salt, place, tip, drafts)
      const judged = judgeChain(this.protocol, registry?.state ?? null, before.state, chained)
      unsigned.push(...chained)
      occurrences.push(...judged.occurrences)
      const end: Tip = { size: size + chained.length, hash: chained.at(-1)?.hash ?? hash, at }
      folded = { state: judged.state, tip: end, flaw: null }
    }
    const signatures = unsigned.length === 0 ? [] : await this.#ports.sign(unsigned)
    const events = unsigned.map((event, i) => withSignature(event, signatures[i] ?? new Uint8Array()))
    rememberSignatures(this.#ports, events)
    return { events, occurrences, folded, judgedBy }
  }
}

const withActor = (draft: Draft, actor: Actor): Draft => (actor === draft.actor ? draft : { ...draft, actor })

const registries = new WeakMap<Ports, TraceLog<RegistryState>>()

/** The registry, folded once for all logs of a process. */
export async function openRegistryLog(ports: Ports): Promise<TraceLog<RegistryState>> {
  const known = registries.get(ports)
  if (known) return known
  const trace = await ports.store.registry()
  if (!trace)
    throw new WitanError('HOME_MISSING', 'this home has no registry of keys yet', 'Run `witan init` first.')
  const log = registries.get(ports) ?? new TraceLog(ports, registryProtocol(ports.sha256), trace)
  registries.set(ports, log)
  return log
}
