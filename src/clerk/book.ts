// A book is one trace, folded, and the only way to write into it. Nothing is appended that the protocol refuses on
// the head it is appended to: when someone else was faster, what is at hand is judged again on the new head and
// appended there, never produced again.

import { isWitanError, WitanError } from '../ledger/errors.ts'
import { type Header, type Payload, readHeader, readPayload, type SealedEvent } from '../ledger/event.ts'
import { FORKED, forkPointOf } from '../ledger/fork.ts'
import { REGISTRY_PROTOCOL } from '../ledger/registry.ts'
import { type Draft, EMPTY_TIP, sealChain, type Tip } from '../ledger/seal.ts'
import type { Occurrence, Protocol, Refusal } from '../protocol.ts'
import type { Office } from './office.ts'

/** Far more than rivals on one trace ever need; a bound keeps a broken vault from looking like a busy one. */
const MAX_RIVALS = 10_000

export class RefusedError extends WitanError {
  readonly refusal: Refusal

  constructor(type: string, trace: string, refusal: Refusal) {
    super(
      'EVENT_REFUSED',
      `${type} may not follow in ${trace}: ${refusal.message}`,
      'See `witan show` for where the trace stands.',
    )
    this.refusal = refusal
  }
}

export class Book<State> {
  readonly trace: string
  readonly protocol: Protocol<State>
  readonly #office: Office
  #state: State
  #tip: Tip = EMPTY_TIP
  #turn: Promise<unknown> = Promise.resolve()

  constructor(office: Office, protocol: Protocol<State>, trace: string) {
    this.#office = office
    this.protocol = protocol
    this.trace = trace
    this.#state = protocol.initial
  }

  get state(): State {
    return this.#state
  }

  get size(): number {
    return this.#tip.size
  }

  /** Folds what others appended meanwhile. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#catchUp())
  }

  /** Appends the drafts in one commit and returns their events. */
  append(drafts: readonly Draft[]): Promise<readonly SealedEvent[]> {
    return this.#inTurn(() => this.#appendNow(drafts))
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #catchUp(): Promise<void> {
    for await (const event of this.#office.vault.read(this.trace, this.#tip.size)) await this.#fold(event)
  }

  async #fold(event: SealedEvent): Promise<void> {
    const occurrence = readStored(event, this.trace, this.#tip.size)
    if (occurrence.type === FORKED && occurrence.seq === 0) await this.#foldParent(occurrence)
    this.#state = this.protocol.evolve(this.#state, occurrence)
    this.#tip = { size: occurrence.seq + 1, hash: event.hash, at: occurrence.at }
  }

  /** The state of a fork begins as the parent's stood at the fork point. */
  async #foldParent(fork: Occurrence): Promise<void> {
    const point = forkPointOf(fork.payload)
    if (!point) throw corrupt(fork.trace, 0, 'its fork point is unreadable')
    const parent = new Book(this.#office, this.protocol, point.trace)
    for await (const event of this.#office.vault.read(point.trace, 0, point.seq + 1))
      await parent.#fold(event)
    if (parent.#tip.hash !== point.hash)
      throw corrupt(fork.trace, 0, `its parent ${point.trace} is not as it names it`)
    this.#state = parent.#state
  }

  async #appendNow(drafts: readonly Draft[]): Promise<readonly SealedEvent[]> {
    const { vault, sha256 } = this.#office
    const seal = {
      sha256,
      salt: () => this.#office.salt(),
      sign: this.#office.sign.bind(this.#office),
    }
    for (let rival = 0; rival < MAX_RIVALS; rival++) {
      const place = {
        protocol: this.protocol.id,
        trace: this.trace,
        registry: await this.#registryPosition(),
        at: this.#office.now(),
      }
      const events = sealChain(seal, place, this.#tip, drafts)
      const state = await this.#judge(events, drafts)
      try {
        await vault.append(this.trace, this.#tip, events)
        this.#state = state
        this.#tip = { ...tipAfter(events, place.at, this.#tip) }
        return events
      } catch (error) {
        if (!isWitanError(error, 'HEAD_MOVED')) throw error
        await this.#catchUp()
      }
    }
    throw new WitanError(
      'VAULT_BUSY',
      `${this.trace} is being written too fast by others`,
      'Try again in a moment.',
    )
  }

  async #judge(events: readonly SealedEvent[], drafts: readonly Draft[]): Promise<State> {
    let state = this.#state
    for (const [i, draft] of drafts.entries()) {
      const event = events[i] as SealedEvent
      const header = readHeader(event.header) as Header
      const { trace, seq, at, type, actor } = header
      const occurrence: Occurrence = { trace, seq, at, type, actor, hash: event.hash, payload: draft.payload }
      if (type === FORKED && seq === 0) {
        const fork = new Book(this.#office, this.protocol, this.trace)
        await fork.#foldParent(occurrence)
        state = fork.#state
      } else if (type === FORKED) {
        throw new RefusedError(type, trace, { code: 'ORDER_VIOLATION', message: 'a fork is a first event' })
      }
      const refusal = this.protocol.refuse(state, occurrence)
      if (refusal) throw new RefusedError(type, trace, refusal)
      state = this.protocol.evolve(state, occurrence)
    }
    return state
  }

  async #registryPosition(): Promise<{ size: number; hash: string } | null> {
    if (this.protocol.id === REGISTRY_PROTOCOL) return null
    const registry = await this.#office.vault.registry()
    const head = registry && (await this.#office.vault.head(registry))
    if (head) return { size: head.size, hash: head.hash }
    throw new WitanError('HOME_MISSING', 'this home has no registry of keys yet', 'Run `witan init` first.')
  }
}

function tipAfter(events: readonly SealedEvent[], at: string, tip: Tip): Tip {
  const hash = events.at(-1)?.hash ?? tip.hash
  return { size: tip.size + events.length, hash, at: at > tip.at ? at : tip.at }
}

const corrupt = (trace: string, seq: number, problem: string): WitanError =>
  new WitanError(
    'VAULT_CORRUPT',
    `event ${trace}/${seq} cannot be folded: ${problem}`,
    `Run \`witan verify ${trace}\` to see what was changed; nothing was written.`,
  )

/** An event from a vault, for folding. A protocol is never folded over something unreadable. */
export function readStored(event: SealedEvent, trace: string, seq: number): Occurrence {
  const header = readHeader(event.header)
  if (typeof header === 'string') throw corrupt(trace, seq, header)
  if (header.trace !== trace || header.seq !== seq) throw corrupt(trace, seq, 'it belongs elsewhere')
  const payload: Payload | string | null = event.payload && readPayload(event.payload)
  if (typeof payload === 'string') throw corrupt(trace, seq, payload)
  const { at, type, actor } = header
  return { trace, seq, at, type, actor, hash: event.hash, payload }
}
