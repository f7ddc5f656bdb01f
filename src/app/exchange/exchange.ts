// A running exchange, the same for every entrance: opened with terms or resumed, granted rounds by its
// observer, and driven as far as they were granted. Nothing is decided for the observer: it stops where the
// pool waits for one.

import { embedWith } from '../../clerk/performers/exchange/judge-messages.ts'
import { exchangePerformer } from '../../clerk/performers/exchange/performer.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { OBSERVER, type Payloads } from '../../exchange/events.ts'
import { type ExchangeValue, exchangeValue } from '../../exchange/result.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import type { Terms } from '../../exchange/terms.ts'
import type { WithOpenCalls } from '../../ledger/calls.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Means } from '../../ledger/means.ts'
import type { Occurrence } from '../../protocol.ts'
import type { Home, HomeLocation } from '../home/home.ts'
import { type LentEmbedder, openOrCreateHome, type RunKit, runKitOf } from '../home/signers.ts'
import { withoutTypedSecrets } from '../person.ts'
import {
  type Driven,
  driveTrace,
  type EventIn,
  RESUME_HERE,
  type Run,
  type RunEnd,
  runOf,
  stoppedEarly,
} from '../run.ts'
import { judgeWith } from './judge-messages.ts'
import type { Minds, MindsFor } from './minds.ts'
import { type GrantMode, Observer } from './observer.ts'
import { type ObserverProof, observerSigner } from './observer-means.ts'
import { type ExchangeLog, exchangeNamed, openExchange, openLog, signersOf } from './open-exchange.ts'
import { scorerFor } from './scorer.ts'

/** How many rounds are granted unless stated. */
export const ROUNDS = 20

/** How an exchange is opened or resumed. */
export interface Manner {
  readonly mindsFor: MindsFor
  /** Who claims to observe; the terms say who does, and no one else can sign as that observer. */
  readonly by?: string | null
  /** How the observer acts here. */
  readonly via: Means
}

export interface DriveOptions extends Pick<Driven<unknown>, 'signal' | 'grace' | 'wait'> {
  /** Called with every event from now on as it is recorded, and the state of the pool after it. */
  readonly hear?: ((event: Occurrence, after: WithOpenCalls<ExchangeState>) => unknown) | undefined
}

export interface Exchange {
  readonly trace: string
  /** The current state. */
  readonly state: ExchangeState
  grant(rounds: number, mode?: GrantMode): Promise<void>
  /** Until the granted rounds are done, or it is stopped. */
  drive(options?: DriveOptions): Promise<RunEnd>
  /** Its observer, whose acts count also while it runs. */
  observe(): Promise<Observer>
  /** The same pool in another trace, where this one continues; both are closed together. */
  goTo(trace: string): Promise<Exchange>
  close(): Promise<void>
}

interface Pool {
  readonly runKit: RunKit
  readonly manner: Manner
  readonly registrar: Registrar
  readonly log: ExchangeLog
  readonly minds: Minds
  readonly lent: LentEmbedder
}

/** The log may be ahead of what was delivered: this state is folded along with delivery. */
function foldWhileTelling(log: ExchangeLog, hear: DriveOptions['hear']): Driven<unknown>['hear'] {
  if (!hear) return undefined
  let state = log.state
  return (event) => {
    state = log.protocol.evolve(state, event)
    return hear(event, state)
  }
}

async function drive({ runKit, registrar, log, minds, lent }: Pool, options: DriveOptions): Promise<RunEnd> {
  const { ports } = runKit
  const { embedder } = lent
  const judge = judgeWith(embedder, () => scorerFor(embedder, runKit.home))
  const regard = embedWith({ store: ports.store, embedder, judge })
  const perform = exchangePerformer({ ports, registrar, log, minds: minds.seats, regard })
  const telling = { from: log.size, hear: foldWhileTelling(log, options.hear) }
  const notifies = runKit.home !== undefined
  const end = await driveTrace({ ...options, ...telling, ports, registrar, log, perform, notifies })
  await log.refresh()
  return end
}

function exchangeOf(pool: Pool): Exchange {
  const { runKit, manner, registrar, log, lent } = pool
  const { by, via } = manner
  return {
    trace: log.trace,
    get state() {
      return log.state.inner
    },
    grant: (rounds, mode = 'run') =>
      Observer.on({ ...runKit, registrar }, log, { by, via }).grant(rounds, mode),
    drive: (options = {}) => drive(pool, options),
    observe: () => Observer.with({ ...runKit, registrar }, log.trace, { by, via }),
    goTo: async (trace) => exchangeOf(await poolAt(runKit, trace, manner, lent)),
    close: () => lent.close(),
  }
}

function checkObserver({ observer }: Terms, name: string | null | undefined): void {
  if (name === null || name === undefined || name === observer.name) return
  throw new WitanError(
    'USAGE',
    `the terms name ${observer.name} as their observer, not ${name}`,
    'Leave --by out, or amend observer.name in the terms first.',
  )
}

/** All vectors of one exchange come from one encoder. */
function sameEncoder({ state, trace }: ExchangeLog, embedder: { readonly encoder: string }): void {
  const { encoder } = state.inner
  if (encoder === embedder.encoder) return
  throw new WitanError(
    'ENCODER_MISMATCH',
    `${trace} has vectors of ${encoder}, and here is ${embedder.encoder}`,
    state.inner.round
      ? `Round ${state.inner.round.round} is open: end it with ${encoder}, then make all vectors again.`
      : `Make its vectors again first: witan exchange reembed ${trace}`,
  )
}

/** Closes what was opened for it when it fails. */
async function withEmbedder<Result>(runKit: RunKit, work: (lent: LentEmbedder) => Promise<Result>) {
  const lent = await runKit.openEmbedder()
  try {
    return await work(lent)
  } catch (error) {
    await lent.close()
    throw error
  }
}

/** An interrupted order to branch is carried out first, no matter which minds are ready. */
async function finishBranches(runKit: RunKit, log: ExchangeLog, observer: string, via: Means): Promise<void> {
  if (!log.state.inner.forks.some(({ by }) => by === OBSERVER)) return
  const registrar = await runKit.registerSigners([{ agent: observer, roles: [OBSERVER] }])
  await Observer.on({ ...runKit, registrar }, log, { via }).finish()
}

async function poolAt(
  runKit: RunKit,
  trace: string,
  manner: Manner,
  lent: LentEmbedder | null = null,
): Promise<Pool> {
  const log = await openLog(runKit, trace)
  const { terms } = log.state.inner
  if (!terms) throw new WitanError('TRACE_NOT_FOUND', `${trace} is no open exchange`, 'See `witan list`.')
  await finishBranches(runKit, log, terms.observer.name, manner.via)
  checkObserver(terms, manner.by)
  const minds = await manner.mindsFor(terms)
  const registrar = await runKit.registerSigners(signersOf(terms))
  const at = async (own: LentEmbedder): Promise<Pool> => {
    sameEncoder(log, own.embedder)
    return { runKit, manner, registrar, log, minds, lent: own }
  }
  return lent ? at(lent) : withEmbedder(runKit, at)
}

/** Opens an exchange with these terms, without the secrets in them. */
export async function beginExchange(runKit: RunKit, writtenTerms: Terms, manner: Manner): Promise<Exchange> {
  const { value: terms } = await withoutTypedSecrets(writtenTerms)
  checkObserver(terms, manner.by)
  const minds = await manner.mindsFor(terms)
  const registrar = await runKit.registerSigners(signersOf(terms))
  return withEmbedder(runKit, async (lent) => {
    const opened = { encoder: lent.embedder.encoder, seats: minds.records }
    const log = await openExchange(runKit, registrar, terms, opened, manner.via)
    return exchangeOf({ runKit, manner, registrar, log, minds, lent })
  })
}

/** Continues a recorded exchange. */
export const resumeExchange = async (runKit: RunKit, trace: string, manner: Manner): Promise<Exchange> =>
  exchangeOf(await poolAt(runKit, trace, manner))

/** How the observer proves to be one. */
type Shown = Omit<Manner, 'via'> & ObserverProof

/** In a home, in the way in which its observer identifies there. */
async function withObserverMeans(home: Home, terms: Terms | null, manner: Shown) {
  const { via, ports } = await observerSigner(home, manner.by ?? terms?.observer.name ?? '', manner)
  return { runKit: { ...runKitOf(home), ports }, manner: { ...manner, via } }
}

async function beginInHome(home: Home, terms: Terms, showing: Shown): Promise<Exchange> {
  checkObserver(terms, showing.by)
  const { runKit, manner } = await withObserverMeans(home, terms, showing)
  return beginExchange(runKit, terms, manner)
}

/** Continues an exchange of a home, in the way in which its observer identifies there. */
export async function resumeInHome(home: Home, trace: string, showing: Shown): Promise<Exchange> {
  const { terms } = (await openLog(home, trace)).state.inner
  if (terms) checkObserver(terms, showing.by)
  const { runKit, manner } = await withObserverMeans(home, terms, showing)
  return resumeExchange(runKit, trace, manner)
}

/** Drives it; where a policy continues it in another trace, the granted rounds run there. */
export async function driveThroughBranches(
  first: Exchange,
  drive: (exchange: Exchange) => Promise<RunEnd>,
): Promise<{ readonly exchange: Exchange; readonly end: RunEnd }> {
  for (let exchange = first; ; ) {
    const before = exchange.state.movedTo
    const end = await drive(exchange)
    const { movedTo } = exchange.state
    if (movedTo === null || before !== null) return { exchange, end }
    exchange = await exchange.goTo(movedTo)
  }
}

/** Begins with terms, or continues the trace of that name, in a home that is made if there is none. */
export async function withExchange<Result>(
  { directory, postgres = null }: HomeLocation,
  start: Terms | string,
  manner: Shown,
  work: (exchange: Exchange) => Promise<Result>,
): Promise<Result> {
  const home = await openOrCreateHome({ directory, postgres })
  try {
    const exchange =
      typeof start === 'string'
        ? await resumeInHome(home, await exchangeNamed(home, start), manner)
        : await beginInHome(home, start, manner)
    try {
      return await work(exchange)
    } finally {
      await exchange.close()
    }
  } finally {
    await home.close()
  }
}

/** The state of an exchange after the granted rounds. */
export interface ExchangeResult extends ExchangeValue {
  /** What it waits for, when it is not finished: an answer to a signal, an audit, more rounds. */
  readonly waits_for: readonly string[]
}

/** A running pool, and its observer. */
export interface ExchangeRun extends Run<ExchangeResult, EventIn<Payloads>> {
  /** Acts of the observer, each one signed event; also while rounds run. */
  readonly observer: Promise<Observer>
}

/** An exchange as a run: its events, its final state, and its observer. */
export function runExchange(
  runKit: Promise<RunKit>,
  beginning: (runKit: RunKit) => Promise<Exchange>,
  {
    rounds = ROUNDS,
    signal,
  }: { readonly rounds?: number | undefined; readonly signal?: AbortSignal | undefined },
): ExchangeRun {
  const begun = runKit.then(async (own) => {
    const exchange = await beginning(own)
    const work = async (): Promise<ExchangeResult> => {
      try {
        const end = await exchange.drive({ signal })
        if (end.status === 'interrupted') throw stoppedEarly(exchange.trace, RESUME_HERE)
        return {
          ...exchangeValue(exchange.state),
          waits_for: end.parked.map(({ waitsFor }) => waitsFor ?? 'an answer'),
        }
      } finally {
        await exchange.close()
      }
    }
    try {
      await exchange.grant(rounds)
      return { ports: own.ports, trace: exchange.trace, work, observer: await exchange.observe() }
    } catch (error) {
      await exchange.close()
      throw error
    }
  })
  const observer = begun.then((pool) => pool.observer)
  observer.catch(() => undefined)
  return { ...runOf<ExchangeResult, EventIn<Payloads>>(begun), observer }
}
