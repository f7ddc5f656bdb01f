// Exchanges for programs: bring terms and minds, grant rounds, watch the pool, act as its observer. Nothing is decided
// for the observer: where the pool waits for one, the result says for what.

import { exchangeValue } from '../../app/exchange/exchange-result.ts'
import { judgeWith } from '../../app/exchange/judge-messages.ts'
import { Observer } from '../../app/exchange/observer.ts'
import { grant, logOf, mindsIn, openExchange, signersOf } from '../../app/exchange/open-exchange.ts'
import { type House, inVault } from '../../app/home/house.ts'
import { type Begun, driveTrace, RESUME_HERE, type Run, runOf, stoppedEarly } from '../../app/run.ts'
import { regardWith } from '../../clerk/performers/exchange/judge-messages.ts'
import { exchangePerformer } from '../../clerk/performers/exchange/performer.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { type AuditorTerms, type PoolTerms, readTerms, type Terms } from '../../exchange/terms.ts'
import { WitanError } from '../../ledger/errors.ts'

export type { Observer } from '../../app/exchange/observer.ts'
export type { ExchangeLog } from '../../app/exchange/open-exchange.ts'
export { type House, inHome, inVault } from '../../app/home/house.ts'
export type { Signer } from '../../app/home/signers.ts'
export type { Run } from '../../app/run.ts'
export type { Embedder, Vector } from '../../embeddings/embedder.ts'
export type { Alarm, Carry, ClusterNote, Embedded } from '../../exchange/events.ts'
export type { Totals } from '../../exchange/state.ts'
export type { AuditorTerms, ClusterFeed, PoolTerms, RestartPolicy, Terms } from '../../exchange/terms.ts'

/** Terms with only what has no default; `spec/exchange.md` has every key. */
export interface TermsGiven {
  readonly pool: Pick<PoolTerms, 'prompt' | 'minds'> & Partial<PoolTerms>
  readonly auditor: Pick<AuditorTerms, 'spec' | 'mind'> & Partial<AuditorTerms>
  readonly observer: Terms['observer']
  readonly protocol?: Partial<Terms['protocol']>
  readonly clusters?: Partial<Terms['clusters']>
  readonly restart?: Partial<Terms['restart']>
}

/** What an exchange is run with. */
export interface ExchangeOptions {
  /** Left out where `trace` goes on with an exchange that has terms. */
  readonly terms?: TermsGiven
  /** Whoever writes and audits, by the names that the terms use. */
  readonly minds: Readonly<Record<string, AskableSeat & { readonly model?: string | null }>>
  /** How many rounds are granted; 20 by default. */
  readonly rounds?: number
  /** What turns messages into vectors; by default the embedded encoder. It is closed by whoever opened it. */
  readonly embedder?: Embedder
  /** Where the minutes are kept; by default in memory. */
  readonly house?: House
  /** Stops the pool; it can be gone on with where its house outlives it. */
  readonly signal?: AbortSignal
  /** Goes on with this trace of the house. */
  readonly trace?: string
}

/** Where an exchange stands after the rounds that were granted. */
export interface ExchangeResult extends ReturnType<typeof exchangeValue> {
  /** Whom it waits for, when it is not over: a signal to be answered, an audit, more rounds. */
  readonly waits_for: readonly string[]
}

/** A pool at work, and its observer. */
export interface ExchangeRun extends Run<ExchangeResult> {
  /** Acts of the observer, each one signed event; also while rounds run. */
  readonly observer: Promise<Observer>
}

function termsOf(given: TermsGiven | undefined): Terms {
  const terms = given === undefined ? 'terms are needed to begin an exchange' : readTerms(given)
  if (typeof terms !== 'string') return terms
  throw new WitanError('CONFIG_INVALID', terms, 'See spec/exchange.md for what terms may say.')
}

async function openEmbedder(): Promise<Embedder> {
  const { openBuiltInEmbedder } = await import('../../embeddings/embedded.ts')
  return openBuiltInEmbedder()
}

interface Pool extends Begun<ExchangeResult> {
  readonly observer: Observer
}

async function begin(options: ExchangeOptions): Promise<Pool> {
  const { minds, rounds = 20, signal } = options
  const house = options.house ?? (await inVault())
  const { ports } = house
  const found = options.trace === undefined ? null : await logOf({ ports }, options.trace)
  const terms = found?.state.inner.terms ?? termsOf(options.terms)
  const missing = mindsIn(terms).find((name) => !Object.hasOwn(minds, name))
  if (missing !== undefined) {
    const next = `Give it a seat under minds, which names ${Object.keys(minds).join(', ') || 'nobody'}.`
    throw new WitanError('CONFIG_INVALID', `the terms name ${missing}, and no such mind is given`, next)
  }
  const registrar = await house.employ(signersOf(terms))
  const embedder = options.embedder ?? (await openEmbedder())
  try {
    const seats = mindsIn(terms).map((name) => ({ name, model: minds[name]?.model ?? null }))
    const log =
      found ?? (await openExchange({ ports }, registrar, terms, { encoder: embedder.encoder, seats }))
    await grant({ registrar, log }, rounds, 'run')
    const regard = regardWith({ store: ports.store, embedder, judge: judgeWith(embedder) })
    const seated = new Map<string, AskableSeat>(Object.entries(minds))
    const perform = exchangePerformer({ ports, registrar, log, minds: seated, regard })
    const work = async (): Promise<ExchangeResult> => {
      try {
        const end = await driveTrace({ ports, registrar, log, perform, signal })
        if (end.status === 'interrupted') throw stoppedEarly(log.trace, RESUME_HERE)
        const waits_for = end.parked.map(({ waitsFor }) => waitsFor ?? 'an answer')
        return { ...exchangeValue(log.trace, log.state.inner), waits_for }
      } finally {
        if (!options.embedder) await embedder.close()
      }
    }
    const observer = await Observer.with({ ports }, registrar, log.trace)
    return { ports, trace: log.trace, work, observer }
  } catch (error) {
    if (!options.embedder) await embedder.close()
    throw error
  }
}

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
export function exchange(options: ExchangeOptions): ExchangeRun {
  const begun = begin(options)
  const observer = begun.then((pool) => pool.observer)
  observer.catch(() => undefined)
  return { ...runOf(begun), observer }
}
