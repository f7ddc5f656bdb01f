// What an observer can do from outside a running pool: every act is one signed event, judged by the protocol
// on the head it is appended to. Of two decisions on one head the first counts, and the second is refused.

import { finishBranch } from '../../clerk/performers/exchange/performer.ts'
import type { Ports } from '../../clerk/ports.ts'
import { RefusedError } from '../../clerk/refused-events.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { editionOf } from '../../exchange/editions.ts'
import { type Carry, type Embedded, OBSERVER } from '../../exchange/events.ts'
import { markOf } from '../../exchange/means.ts'
import { withoutPrefix } from '../../exchange/messages.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { fitTerms, type Terms } from '../../exchange/terms.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Means } from '../../ledger/means.ts'
import { type Home, type HomeLocation, withHome } from '../home/home.ts'
import { withoutTypedSecrets } from '../person.ts'
import { type ObserverProof, observerSigner } from './observer-means.ts'
import { type ExchangeLog, exchangeNamed, openLog } from './open-exchange.ts'

/** Rounds are granted in batches, or to a pool whose observer answers audits. */
export type GrantMode = 'run' | 'chat'

/** Who acts, and how. */
export interface ObserverOptions {
  /** The observer in the terms unless given; the protocol says whether they may. */
  readonly by?: string | null | undefined
  readonly via: Means
}

interface Kit {
  readonly ports: Ports
  readonly registrar: Registrar
}

/** Another branch: after which round, and what it takes along. */
export interface Course {
  /** Null for the latest, or for a rollback the last audit. */
  readonly round: number | null
  readonly carry: Carry
  readonly reason: string | null
}

/** The trace of another branch, and the round after which it begins. */
export interface Branched {
  readonly into: string
  readonly round: number
}

/** Why the protocol refused something, in its own words; null for any other fault. */
export function refusalIn(error: unknown): string | null {
  if (error instanceof RefusedError) return error.refusal.message
  return isWitanError(error, 'EVENT_REFUSED') ? error.message : null
}

/** The observer of one exchange: every act is one signed event. */
export class Observer {
  readonly #kit: Kit
  readonly #by: string | null
  readonly #via: Means
  readonly log: ExchangeLog
  #removed = 0

  private constructor(kit: Kit, log: ExchangeLog, { by = null, via }: ObserverOptions) {
    this.#kit = kit
    this.log = log
    this.#by = by
    this.#via = via
  }

  /** KEY_NOT_FOUND when they cannot sign here. */
  static async at(home: Home, trace: string, options: ObserverOptions): Promise<Observer> {
    return Observer.with({ ports: home.ports, registrar: await home.registrar() }, trace, options)
  }

  static async with(kit: Kit, trace: string, options: ObserverOptions): Promise<Observer> {
    const log = await openLog(kit, trace)
    if (log.state.inner.terms) return Observer.on(kit, log, options)
    throw new WitanError('TRACE_NOT_FOUND', `${trace} is no open exchange`, 'See `witan list`.')
  }

  /** On an open log. */
  static on(kit: Kit, log: ExchangeLog, options: ObserverOptions): Observer {
    return new Observer(kit, log, options)
  }

  get state(): ExchangeState {
    return this.log.state.inner
  }

  /** What the exchange waits for, by the ids of its actions; empty while anything is running. */
  get awaited(): readonly string[] {
    const actions = this.log.protocol.decide(this.log.state)
    return actions.every(({ call }) => call === 'park') ? actions.map(({ id }) => id) : []
  }

  /** The observer in the current terms, unless a name was given: then the protocol says whether they may. */
  get name(): string {
    return this.#by ?? this.state.terms?.observer.name ?? ''
  }

  /** How they act. */
  get via(): Means {
    return this.#via
  }

  /** How many secrets were removed from the observer's text so far. */
  get removed(): number {
    return this.#removed
  }

  async #say(type: string, payload: object): Promise<void> {
    const actor = this.#kit.registrar.actor(this.name, OBSERVER)
    const markedPayload = { ...payload, ...markOf(this.state, this.#via) }
    await this.log.append([{ type, actor, payload: markedPayload as Payload }])
  }

  async #withoutSecrets<Words>(words: Words): Promise<Words> {
    const { value, removed } = await withoutTypedSecrets(words)
    this.#removed += removed
    return value
  }

  /** Returns the text as recorded. */
  async inject(words: string): Promise<string> {
    const text = await this.#withoutSecrets(withoutPrefix('injection', words))
    await this.#say('injected', { text })
    return text
  }

  /** Answers the last audit, where one is open; returns the text as recorded. */
  async speak(words: string): Promise<string> {
    const text = await this.#withoutSecrets(withoutPrefix('observer', words))
    await this.#say('observer_spoke', { text, audit: this.state.unanswered })
    return text
  }

  pass(): Promise<void> {
    return this.#say('observer_passed', { audit: this.state.unanswered })
  }

  pin(message: string): Promise<void> {
    return this.#say('pinned', { message })
  }

  unpin(message: string): Promise<void> {
    return this.#say('unpinned', { message })
  }

  /** Computes the vectors of messages again. */
  reembed(made: Embedded): Promise<void> {
    return this.#say('reembedded', made)
  }

  async pause(reason: string | null): Promise<void> {
    await this.#say('paused', { reason: await this.#withoutSecrets(reason) })
  }

  async halt(reason: string | null): Promise<void> {
    const { signal } = this.state
    if (signal) await this.#answer('halt', reason, null, null)
    else await this.#say('exchange_halted', { reason: await this.#withoutSecrets(reason) })
  }

  acknowledge(reason: string | null): Promise<void> {
    return this.#answer('acknowledge', reason, null, null)
  }

  /** Answers an open signal with new terms, or amends them unasked. */
  async amend(writtenTerms: Terms, reason: string | null): Promise<void> {
    const terms = this.#fitting(writtenTerms)
    if (this.state.signal) await this.#answer('amend', reason, terms, null)
    else await this.#say('terms_amended', await this.#withoutSecrets({ terms, reason }))
  }

  /** Terms as the edition of this exchange knows them. */
  #fitting(terms: Terms): Terms {
    const fitted = fitTerms(terms, editionOf(this.state).signal)
    if (typeof fitted !== 'string') return fitted
    throw new WitanError(
      'CONFIG_INVALID',
      fitted,
      'Leave the key out, or begin a new exchange on these terms.',
    )
  }

  async #answer(
    answer: string,
    reason: string | null,
    terms: Terms | null,
    branch: object | null,
  ): Promise<void> {
    const { signal } = this.state
    if (!signal) {
      throw new WitanError('EVENT_REFUSED', 'no signal waits for an answer', 'See `witan exchange status`.')
    }
    const cleaned = await this.#withoutSecrets({ reason, terms })
    await this.#say('signal_answered', { signal: signal.number, answer, ...cleaned, branch })
  }

  /** The pool starts no round by itself. */
  grant(rounds: number, mode: GrantMode = 'run'): Promise<void> {
    return this.#say('continued', { until: this.state.closed + rounds, mode })
  }

  /** Another branch beside this one, or replacing it with `current` or as the answer to an open signal. */
  branch(course: Course & { readonly terms?: Terms | null; readonly current?: boolean }): Promise<Branched> {
    const { closed, signal } = this.state
    const current = course.current === true || signal !== null
    const round = course.round ?? closed
    return this.#goElsewhere('branch', { terms: null, ...course, round, current })
  }

  /** The exchange continues from an earlier round; what came after stays recorded. */
  rollback(course: Course): Promise<Branched> {
    const round = course.round ?? this.state.lastAudit
    return this.#goElsewhere('rollback', { ...course, round, terms: null, current: true })
  }

  /** A new trace that knows the rounds up to this one. It answers an open signal by continuing there. */
  async #goElsewhere(
    answer: 'branch' | 'rollback',
    order: {
      readonly round: number
      readonly carry: Carry
      readonly terms: Terms | null
      readonly current: boolean
      readonly reason: string | null
    },
  ): Promise<Branched> {
    const { round, carry, current } = order
    const fitted = order.terms === null ? null : this.#fitting(order.terms)
    const { terms, reason } = await this.#withoutSecrets({ terms: fitted, reason: order.reason })
    const into = this.#kit.ports.newTrace()
    const branch = { into, round, carry, terms, current }
    if (this.state.signal && current) await this.#answer(answer, reason, null, branch)
    else await this.#say('branch_ordered', { branch, reason })
    await this.#carryOut(into)
    return { into, round }
  }

  /** Makes the branches that were ordered but not made before a process ended: an order remains valid. */
  async finish(): Promise<void> {
    for (const { order, by } of this.state.forks) {
      if (by === OBSERVER) await this.#carryOut(order.into)
    }
  }

  async #carryOut(into: string): Promise<void> {
    const by = { agent: this.name, role: OBSERVER }
    await finishBranch({ ...this.#kit, log: this.log }, into, by)
    await this.#say('branched', { into })
  }
}

/** The observer of a trace, as they identify in this home. */
export async function observerAt(
  home: Home,
  trace: string,
  { by = null, ...showing }: Pick<ObserverOptions, 'by'> & ObserverProof,
): Promise<Observer> {
  const { terms } = (await openLog(home, trace)).state.inner
  const { via, ports } = await observerSigner(home, by ?? terms?.observer.name ?? '', showing)
  return Observer.with({ ports, registrar: await home.registrar() }, trace, { by, via })
}

/** Opens the home for an act of the observer of the trace of that name. */
export const withObserver = <Result>(
  location: HomeLocation,
  name: string,
  options: Pick<ObserverOptions, 'by'> & ObserverProof,
  work: (observer: Observer, home: Home) => Promise<Result>,
): Promise<Result> =>
  withHome({ ...location, mode: 'write' }, async (home) =>
    work(await observerAt(home, await exchangeNamed(home, name), options), home),
  )
