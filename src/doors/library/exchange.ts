// Exchanges for programs: bring terms and minds, grant rounds, watch the pool, act as its observer, read its
// history. Nothing is decided for the observer: where the pool waits for one, the result says for what.

import { exchangeMap as mapOf } from '../../app/exchange/build-map.ts'
import { compareTraces } from '../../app/exchange/compare-traces.ts'
import {
  beginExchange,
  type ExchangeRun,
  resumeExchange as resume,
  runExchange,
} from '../../app/exchange/exchange.ts'
import { exchangeRows as rowsOf } from '../../app/exchange/history.ts'
import { type MindGiven, mindsGiven } from '../../app/exchange/minds.ts'
import { type Course, Observer } from '../../app/exchange/observer.ts'
import { readExchangeState, signersOf } from '../../app/exchange/open-exchange.ts'
import { reembed } from '../../app/exchange/reembed.ts'
import type { Embedder } from '../../app/home/signers.ts'
import { inStore, runKitIn, type Storage } from '../../app/storage.ts'
import type { ActMeans } from '../../exchange/means.ts'
import { type ExchangeValue, exchangeValue } from '../../exchange/result.ts'
import { type AuditorTerms, type PoolTerms, readTerms, type Terms } from '../../exchange/terms.ts'
import { WitanError } from '../../ledger/errors.ts'

export type { ExchangeMap } from '../../app/exchange/build-map.ts'
export type { Compared } from '../../app/exchange/compare-traces.ts'
export type { ExchangeResult, ExchangeRun } from '../../app/exchange/exchange.ts'
export type { FlatRow } from '../../app/exchange/history.ts'
export type { MindGiven } from '../../app/exchange/minds.ts'
export type { Branched, Course, Observer } from '../../app/exchange/observer.ts'
export type { ExchangeLog } from '../../app/exchange/open-exchange.ts'
export type { Embedder, Signer } from '../../app/home/signers.ts'
export type { Run } from '../../app/run.ts'
export { inHome, inStore, type Storage } from '../../app/storage.ts'
export type { Alarm, Carry, ClusterNote, Embedded } from '../../exchange/events.ts'
export type { ActMeans } from '../../exchange/means.ts'
export type { ExchangeValue } from '../../exchange/result.ts'
export type { Totals } from '../../exchange/state.ts'
export type { AuditorTerms, ClusterFeed, PoolTerms, RestartPolicy, Terms } from '../../exchange/terms.ts'
export type { Vector } from '../../ledger/vector.ts'

/** Terms with only the keys that have no default; `spec/exchange.md` has every key. */
export interface TermsGiven {
  readonly pool: Pick<PoolTerms, 'prompt' | 'minds'> & Partial<PoolTerms>
  readonly auditor: Pick<AuditorTerms, 'spec' | 'mind'> & Partial<AuditorTerms>
  readonly observer: Terms['observer']
  readonly protocol?: Partial<Terms['protocol']>
  readonly clusters?: Partial<Terms['clusters']>
  readonly restart?: Partial<Terms['restart']>
}

/** Options of an exchange. */
export interface ExchangeOptions {
  /** Left out where `trace` continues an exchange that has terms. */
  readonly terms?: TermsGiven
  /** The models that write and audit, by the names in the terms. */
  readonly minds: Readonly<Record<string, MindGiven>>
  /** How many rounds are granted; 20 by default. */
  readonly rounds?: number
  /** Turns messages into vectors; by default the embedded encoder. The caller closes it. */
  readonly embedder?: Embedder
  /** Where traces are kept; by default in memory. */
  readonly storage?: Storage
  /** Stops the pool; it can be resumed if its storage persists. */
  readonly signal?: AbortSignal
  /** Continues this trace of the storage. */
  readonly trace?: string
  /**
   * How the observer acts, as the trace will say. State more than `none` only where your program knows it: `host`
   * where it asked its own user, `terminal` where a person typed it at one.
   */
  readonly via?: ActMeans
}

function termsOf(input: TermsGiven | undefined): Terms {
  const terms = input === undefined ? 'terms are needed to begin an exchange' : readTerms(input)
  if (typeof terms !== 'string') return terms
  throw new WitanError('CONFIG_INVALID', terms, 'See spec/exchange.md for what terms may say.')
}

const runKitFor = async ({ storage, embedder }: Pick<ExchangeOptions, 'storage' | 'embedder'>) =>
  runKitIn(storage ?? (await inStore()), embedder)

/**
 * Lets a pool of minds think for some rounds, with audits.
 *
 * @example
 * ```ts
 * const pool = exchange({
 *   terms: {
 *     pool: { prompt: 'Think aloud about caching.', minds: ['claude', 'local'] },
 *     auditor: { spec: 'Sum up.', mind: 'claude', every: 5 },
 *     observer: { name: 'ana', role: 'I answer each audit.' },
 *   },
 *   minds: { claude, local },
 *   rounds: 10,
 * })
 * for await (const event of pool) console.log(event.type)
 * console.log((await pool.result).clusters)
 * ```
 */
export const exchange = (options: ExchangeOptions): ExchangeRun => {
  const { trace, via = 'none' } = options
  const manner = { mindsFor: mindsGiven(options.minds), via }
  return runExchange(
    runKitFor(options),
    (runKit) =>
      trace === undefined
        ? beginExchange(runKit, termsOf(options.terms), manner)
        : resume(runKit, trace, manner),
    options,
  )
}

/** Where recorded exchanges are found. */
interface In {
  readonly storage: Storage
}

/** The state of an exchange. */
export const exchangeStatus = async (trace: string, { storage }: In): Promise<ExchangeValue> =>
  exchangeValue(await readExchangeState(storage, trace))

/** Options for continuing a recorded exchange. */
export type GoingOnOptions = Omit<ExchangeOptions, 'terms' | 'trace'> & In

/** Continues an exchange for the granted rounds. */
export const resumeExchange = (trace: string, options: GoingOnOptions): ExchangeRun =>
  exchange({ ...options, trace })

/** Where a fork begins, and what it changes. */
export interface ForkOptions extends GoingOnOptions, Partial<Course> {
  /** Other terms from there on. */
  readonly amended?: TermsGiven
}

/**
 * A new branch of an exchange from the end of one of its rounds, by default the last, which continues
 * independently. The old one stays as it is and can be resumed, unless a signal was open: then this answers it.
 */
export function forkExchange(trace: string, options: ForkOptions): ExchangeRun {
  const { round = null, carry = 'window', reason = null, amended, via = 'none' } = options
  const manner = { mindsFor: mindsGiven(options.minds), via }
  return runExchange(
    runKitFor(options),
    async (runKit) => {
      const terms = amended === undefined ? null : termsOf(amended)
      const observer = await observeExchange(trace, options)
      const { into } = await observer.branch({ round, carry, reason, terms })
      return resume(runKit, into, manner)
    },
    options,
  )
}

/** Ends an exchange permanently, and records that. Earlier messages stay. */
export async function abortExchange(
  trace: string,
  options: In & Pick<ExchangeOptions, 'via'> & { readonly reason?: string },
): Promise<ExchangeValue> {
  const observer = await observeExchange(trace, options)
  await observer.halt(options.reason ?? null)
  return exchangeValue(observer.state)
}

/** The observer of an exchange: answers signals, branches, rolls back, amends the terms, halts. */
export async function observeExchange(
  trace: string,
  { storage, via = 'none' }: In & Pick<ExchangeOptions, 'via'>,
): Promise<Observer> {
  const { terms } = await readExchangeState(storage, trace)
  const registrar = await storage.registerSigners(terms ? signersOf(terms) : [])
  return Observer.with({ ports: storage.ports, registrar }, trace, { via })
}

/** Every message of an exchange and of those it came from, as flat rows. */
export const exchangeRows = (trace: string, { storage }: In) => rowsOf(storage, trace)

/** Its messages placed by content, as `witan exchange map` draws them. */
export const exchangeMap = (trace: string, { storage }: In) => mapOf(storage, trace)

/** Two branches side by side. */
export const compareExchanges = (a: string, b: string, { storage }: In) => compareTraces(storage, a, b)

/** Gives every message a vector of this embedder, or of the embedded encoder; the old vectors stay. */
export const reembedExchange = async (
  trace: string,
  options: In & Pick<ExchangeOptions, 'embedder' | 'via'>,
) => reembed(await runKitFor(options), await observeExchange(trace, options))
