// What an observer can do from outside a running pool: every act is one signed event, judged by the protocol on the
// head it is appended to. Of two decisions on one head the first counts, and the second is told so.

import { finishBranch } from '../../clerk/performers/exchange/performer.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { type Carry, type Embedded, OBSERVER } from '../../exchange/events.ts'
import { unprefixed } from '../../exchange/messages.ts'
import type { Terms } from '../../exchange/terms.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Home } from '../home/home.ts'
import { withoutTypedSecrets } from '../typed-words.ts'
import { type ExchangeLog, logOf, type Via } from './open-exchange.ts'

/** The observer of one exchange: every act is one signed event. */
export class Observer {
  readonly #home: Pick<Home, 'ports'>
  readonly #registrar: Registrar
  readonly #given: string | null
  readonly #via: Via
  readonly log: ExchangeLog
  #removed = 0

  private constructor(
    home: Pick<Home, 'ports'>,
    registrar: Registrar,
    log: ExchangeLog,
    name: string | null,
    via: Via,
  ) {
    this.#home = home
    this.#registrar = registrar
    this.log = log
    this.#given = name
    this.#via = via
  }

  /** `name` is the observer of the terms unless given; KEY_NOT_FOUND when they cannot sign here. */
  static async at(home: Home, trace: string, name: string | null = null, via: Via = null): Promise<Observer> {
    return Observer.with(home, await home.registrar(), trace, name, via)
  }

  static async with(
    home: Pick<Home, 'ports'>,
    registrar: Registrar,
    trace: string,
    name: string | null = null,
    via: Via = null,
  ): Promise<Observer> {
    const log = await logOf(home, trace)
    const { terms } = log.state.inner
    if (!terms) throw new WitanError('TRACE_NOT_FOUND', `${trace} is no open exchange`, 'See `witan list`.')
    return new Observer(home, registrar, log, name, via)
  }

  /** Whoever the terms in force name, unless someone said who they are: then the protocol says whether they may. */
  get name(): string {
    return this.#given ?? this.log.state.inner.terms?.observer.name ?? ''
  }

  /** How many secrets were taken out of what the observer said, so far. */
  get removed(): number {
    return this.#removed
  }

  async #say(type: string, payload: object): Promise<void> {
    const actor = this.#registrar.actor(this.name, OBSERVER)
    const said = { ...payload, ...(this.#via && { via: this.#via }) }
    await this.log.append([{ type, actor, payload: said as Payload }])
  }

  async #heard<Words>(words: Words): Promise<Words> {
    const { value, removed } = await withoutTypedSecrets(words)
    this.#removed += removed
    return value
  }

  /** Gives the words as they were recorded. */
  async inject(words: string): Promise<string> {
    const text = await this.#heard(unprefixed('injection', words))
    await this.#say('injected', { text })
    return text
  }

  /** Answers the last audit, where one is open; gives the words as they were recorded. */
  async speak(words: string): Promise<string> {
    const text = await this.#heard(unprefixed('observer', words))
    await this.#say('observer_spoke', { text, audit: this.log.state.inner.unanswered })
    return text
  }

  pass(): Promise<void> {
    return this.#say('observer_passed', { audit: this.log.state.inner.unanswered })
  }

  pin(message: string): Promise<void> {
    return this.#say('pinned', { message })
  }

  unpin(message: string): Promise<void> {
    return this.#say('unpinned', { message })
  }

  /** Vectors of messages, made anew. */
  reembed(made: Embedded): Promise<void> {
    return this.#say('reembedded', made)
  }

  async pause(reason: string | null): Promise<void> {
    await this.#say('paused', { reason: await this.#heard(reason) })
  }

  async halt(reason: string | null): Promise<void> {
    const { signal } = this.log.state.inner
    if (signal) await this.#answer('halt', reason, null, null)
    else await this.#say('exchange_halted', { reason: await this.#heard(reason) })
  }

  acknowledge(reason: string | null): Promise<void> {
    return this.#answer('acknowledge', reason, null, null)
  }

  /** Answers an open signal with new terms, or amends them unasked. */
  async amend(terms: Terms, reason: string | null): Promise<void> {
    if (this.log.state.inner.signal) await this.#answer('amend', reason, terms, null)
    else await this.#say('terms_amended', await this.#heard({ terms, reason }))
  }

  async #answer(
    answer: string,
    reason: string | null,
    terms: Terms | null,
    branch: object | null,
  ): Promise<void> {
    const { signal } = this.log.state.inner
    if (!signal) {
      throw new WitanError('EVENT_REFUSED', 'no signal waits for an answer', 'See `witan exchange status`.')
    }
    const said = await this.#heard({ reason, terms })
    await this.#say('signal_answered', { signal: signal.number, answer, ...said, branch })
  }

  /**
   * A new trace that has seen the rounds up to this one. With `current` the exchange goes on there: a rollback when
   * the round lies behind, a branch otherwise. An open signal is answered by it.
   */
  async branch(order: {
    readonly round: number
    readonly carry: Carry
    readonly terms: Terms | null
    readonly current: boolean
    readonly reason: string | null
  }): Promise<string> {
    const { round, carry, current } = order
    const { terms, reason } = await this.#heard({ terms: order.terms, reason: order.reason })
    const into = this.#home.ports.newTrace()
    const branch = { into, round, carry, terms, current }
    const { signal, closed } = this.log.state.inner
    if (signal && current) {
      await this.#answer(round < closed ? 'rollback' : 'branch', reason, null, branch)
    } else await this.#say('branch_ordered', { branch, reason })
    await this.#carryOut(into)
    return into
  }

  /** Makes the branches that were ordered and not made before a process ended: an order that stands is carried out. */
  async finish(): Promise<void> {
    for (const { order, by } of this.log.state.inner.forks) {
      if (by === OBSERVER) await this.#carryOut(order.into)
    }
  }

  async #carryOut(into: string): Promise<void> {
    const by = { agent: this.name, role: OBSERVER }
    const { ports } = this.#home
    await finishBranch({ ports, registrar: this.#registrar, log: this.log }, into, by)
    await this.#say('branched', { into })
  }
}
