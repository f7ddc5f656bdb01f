// A seat tries its transports in order until one answers. One of them is tried a second time where that can
// help; a pause that the vendor states, to this seat or to another with the same pace, is kept, as long as
// there is time; after two silences it stops. Every attempt is kept with its reason and how long it was held
// back. Of several failures the seat reports the last that says more than "unavailable".

import { type RawReply, rawOf } from '../../ledger/raw-reply.ts'
import { capFor, realTime, type Time, type Timeouts, timeoutFor } from '../deadline.ts'
import {
  CAP_TIMES,
  type Failure,
  type FailureCause,
  type FailureType,
  failed,
  type Model,
  type Outcome,
  type Reply,
  type Request,
  type Transport,
  type Usage,
} from '../model.ts'
import { OWN_PACE, type Pace } from '../pace.ts'
import { abortedFailure, whyUnavailable } from './absence.ts'

/** The role of a seat at the table. */
export type Role = 'participant' | 'chair'

/** The seat's model, and its limits. */
export interface SeatOptions {
  readonly provider: string
  readonly model: string | null
  readonly roles: readonly Role[]
  /** In the order they are tried. */
  readonly minds: readonly Model[]
  readonly timeouts?: Timeouts
  /** The length limit of an answer, where the call has none. */
  readonly maxOutputTokens?: number
  readonly time?: Time
  /** Shared with all callers of the same providers; its own when not given. */
  readonly pace?: Pace
}

/** A request to a seat, and its round. */
export interface Asking extends Omit<Request, 'limits' | 'hear'> {
  /** `R1`, `R2` or `R3` in a council; kept with a failure. */
  readonly round: string
  readonly limits: Omit<Request['limits'], 'timeoutMs'>
  /** The remaining time for waiting; by default as long as one call may take. */
  readonly leftMs?: () => number
  /** Called with the answer while it is written; null where it begins again. */
  readonly hear?: (words: string | null) => void
}

/** One attempt with one transport. */
export interface Attempt {
  readonly transport: Transport
  /** Null when it answered. */
  readonly failure: Failure | null
  readonly latencyMs: number
  /** How long the seat held back before it. */
  readonly waitedMs: number
  readonly usage: Usage
  readonly cost: Reply['cost']
  /** The raw answer; null where nothing came. */
  readonly raw: RawReply | null
}

/** Why a seat has no answer, as it is recorded. */
export interface FailureRecord {
  readonly provider: string
  readonly round: string
  readonly error_type: FailureType
  readonly cause: FailureCause | null
  readonly error_message: string
  readonly retried: boolean
  readonly fallback_used: boolean
}

/** The outcome of asking a seat, with every attempt. */
export interface Asked {
  readonly outcome: Outcome
  readonly attempts: readonly Attempt[]
  /** Null when the seat answered, over any transport. */
  readonly failure: FailureRecord | null
}

/** A place at the table. */
export interface Seat extends Pick<SeatOptions, 'provider' | 'model' | 'roles' | 'minds'> {
  ask(asking: Asking): Promise<Asked>
  /** How long one call of this round may take in all. */
  capMs(round: string): number
  /** Why none of its transports can be asked; null where one may answer. Asks no model and no API. */
  whyUnaskable(signal: AbortSignal): Promise<string | null>
}

const BACKOFF = { firstMs: 1_000, times: 2, mostMs: 10_000 }

/** How much of its limits a call has used. */
interface AskBudget {
  /** The one retry without a stated pause. */
  retried: boolean
  silences: number
  waits: number
  waitedMs: number
  /** One of the transports was tried a second time. */
  again: boolean
}

/** How long to wait before trying the same transport again; null when trying again cannot help, or takes too long. */
function retryWait(failure: Failure, spent: AskBudget, leftMs: number): number | null {
  const passing = failure.type === 'timeout' || failure.type === 'rate_limit' || failure.type === 'network'
  const lasting = failure.cause !== null && failure.cause !== 'server'
  if (!passing || lasting) return null
  const stated = failure.retryAfterMs
  if (stated === null && spent.retried) return null
  const wait = Math.max(backoffMs(spent), stated ?? 0)
  return wait > leftMs ? null : wait
}

const backoffMs = ({ waits }: AskBudget): number =>
  Math.min(BACKOFF.firstMs * BACKOFF.times ** waits, BACKOFF.mostMs)

/** A refusal is this model's answer, over any transport. */
const isFinal = ({ cause }: Failure): boolean => cause === 'aborted' || cause === 'refused'
/** A model that was silent this often is not tried over another transport either. */
const ENOUGH_SILENCES = 2

const attemptOf = (outcome: Outcome, waitedMs: number): Attempt => ({
  transport: outcome.transport,
  failure: outcome.ok ? null : outcome,
  latencyMs: outcome.latencyMs,
  waitedMs,
  usage: outcome.usage,
  cost: outcome.cost ?? null,
  raw: outcome.ok ? rawOf(outcome) : (outcome.raw ?? null),
})

function finalFailure(attempts: readonly Attempt[]): Failure {
  const failures = attempts.flatMap(({ failure }) => failure ?? [])
  const last = failures.findLast(({ cause }) => cause !== 'unavailable') ?? failures.at(-1)
  const message = 'the seat has no transport'
  return last ?? failed({ type: 'network', cause: 'unavailable', message }, 'api', 0)
}

/** A foreign model that throws has failed, as if its connection had broken. */
async function askSafely(mind: Model, request: Request): Promise<Outcome> {
  const start = performance.now()
  try {
    return await mind.ask(request)
  } catch (error) {
    const message = `${mind.provider} threw: ${error instanceof Error ? error.message : String(error)}`
    return failed({ type: 'network', cause: null, message }, mind.transport, performance.now() - start)
  }
}

/** A place at the table: tries its models in order, retries, and keeps every attempt. */
export function createSeat(options: SeatOptions): Seat {
  const { provider, minds, timeouts = {}, maxOutputTokens: most = null } = options
  const { time = realTime, pace = OWN_PACE } = options
  /** A transport that was ready once is used directly after that: the call itself tells more. */
  const ready = new Set<Model>()

  async function findAbsence(mind: Model, signal: AbortSignal): Promise<Failure | null> {
    if (ready.has(mind)) return null
    const failure = await whyUnavailable(mind, signal, time)
    if (failure === null) ready.add(mind)
    return failure
  }

  /** Waits until all callers with the same pace may ask; a failure where that takes longer than there is time. */
  async function waitForPace(
    transport: Transport,
    { signal, spent, remainingMs }: { signal: AbortSignal; spent: AskBudget; remainingMs: () => number },
  ): Promise<number | Failure> {
    let waited = 0
    for (;;) {
      const ms = await pace.heldMs(provider, transport)
      if (ms <= 0) return waited
      if (ms > remainingMs()) {
        const message = `${provider} asked another caller to wait: it is not asked for ${Math.ceil(ms / 1_000)} s`
        return { ...failed({ type: 'rate_limit', cause: null, message }, transport, 0), retryAfterMs: ms }
      }
      const start = time.now()
      await time.sleep(ms, signal)
      waited += time.now() - start
      spent.waitedMs += ms
      if (signal.aborted) return abortedFailure(transport, 0)
    }
  }

  async function askModel(
    mind: Model,
    asking: Asking,
    { attempts, spent, isLast }: { attempts: Attempt[]; spent: AskBudget; isLast: boolean },
  ): Promise<Outcome> {
    const { round, leftMs, ...rest } = asking
    const timeoutMs = timeoutFor(mind.transport, round, timeouts)
    const maxOutputTokens = asking.limits.maxOutputTokens ?? most
    const request: Request = { ...rest, limits: { ...asking.limits, maxOutputTokens, timeoutMs } }
    const all = leftMs?.() ?? timeoutMs * CAP_TIMES
    const remainingMs = (): number => Math.min(leftMs?.() ?? all, all - spent.waitedMs)
    let waitedMs = 0
    for (let nth = 0; ; nth++) {
      const waited = await waitForPace(mind.transport, { signal: asking.signal, spent, remainingMs })
      if (typeof waited !== 'number') {
        attempts.push(attemptOf(waited, waitedMs))
        return waited
      }
      asking.hear?.(null)
      const outcome = await askSafely(mind, request)
      attempts.push(attemptOf(outcome, waitedMs + waited))
      if (nth > 0 && waitedMs > 0) spent.again = true
      waitedMs = 0
      if (!outcome.ok && outcome.type === 'rate_limit')
        await pace.slowDown(provider, mind.transport, outcome.retryAfterMs ?? backoffMs(spent))
      // Asked at once without what was refused, which does not count as a retry of the same request.
      if (!outcome.ok && outcome.adapted !== undefined && !asking.signal.aborted) continue
      if (outcome.ok) return outcome
      if (outcome.type === 'timeout') spent.silences++
      // After a silence another transport is more promising than the same one again.
      const isSilent = outcome.type === 'timeout' && (!isLast || spent.silences >= ENOUGH_SILENCES)
      const wait = isSilent ? null : retryWait(outcome, spent, remainingMs())
      if (wait === null) return outcome
      if (outcome.retryAfterMs === null) spent.retried = true
      spent.waits++
      spent.waitedMs += wait
      const start = time.now()
      await time.sleep(wait, asking.signal)
      waitedMs = time.now() - start
      if (asking.signal.aborted) return abortedFailure(mind.transport, 0)
    }
  }

  async function ask(asking: Asking): Promise<Asked> {
    const attempts: Attempt[] = []
    const spent: AskBudget = { retried: false, silences: 0, waits: 0, waitedMs: 0, again: false }
    let final: Failure | null = null
    for (const [index, mind] of minds.entries()) {
      const isLast = index === minds.length - 1
      const absent = isLast ? null : await findAbsence(mind, asking.signal)
      if (absent !== null) attempts.push(attemptOf(absent, 0))
      const outcome = absent ?? (await askModel(mind, asking, { attempts, spent, isLast }))
      if (outcome.ok) return { outcome, attempts, failure: null }
      if (isFinal(outcome) || spent.silences >= ENOUGH_SILENCES) final = outcome
      if (final !== null) break
    }
    const outcome = final ?? finalFailure(attempts)
    const failure: FailureRecord = {
      provider,
      round: asking.round,
      error_type: outcome.type,
      cause: outcome.cause,
      error_message: outcome.message,
      retried: spent.again,
      fallback_used: new Set(attempts.map(({ transport }) => transport)).size > 1,
    }
    return { outcome, attempts, failure }
  }

  async function whyUnaskable(signal: AbortSignal): Promise<string | null> {
    const isLocal = ({ transport }: Model): boolean => transport === 'cli' || transport === 'mcp'
    if (minds.some((mind) => !mind.absent && !isLocal(mind))) return null
    const reasons: string[] = []
    for (const mind of minds) {
      const failure = await findAbsence(mind, signal)
      if (failure === null) return null
      reasons.push(failure.message)
    }
    return reasons.join(' ') || 'it has no transport'
  }

  const transports = minds.map(({ transport }) => transport)
  const capMs = (round: string) => capFor(transports, round, timeouts)
  return { provider, model: options.model, roles: options.roles, minds, ask, capMs, whyUnaskable }
}
