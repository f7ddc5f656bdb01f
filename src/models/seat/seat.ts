// A seat asks its transports in order until one answers. Each may be asked a second time where that can help; every
// attempt is kept with its reason. Of several failures the seat reports the last that says more than "not there".

import type {
  Failure,
  FailureCause,
  FailureType,
  Model,
  Outcome,
  Reply,
  Request,
  Transport,
  Usage,
} from '../model.ts'
import { failed } from '../read-answer.ts'
import { absence, gaveUp } from './presence.ts'
import { realTime, type Time, type Timeouts, timeoutFor } from './time.ts'

/** What a seat does at the table. */
export type Role = 'participant' | 'chair'

/** Who sits there, and how patiently it is asked. */
export interface SeatOptions {
  readonly provider: string
  readonly model: string | null
  readonly roles: readonly Role[]
  /** In the order they are tried. */
  readonly minds: readonly Model[]
  readonly timeouts?: Timeouts
  readonly time?: Time
}

/** What a seat is asked, and in which round. */
export interface Asking extends Omit<Request, 'limits'> {
  /** `R1`, `R2` or `R3` in a council; kept with a failure. */
  readonly round: string
  readonly limits: Omit<Request['limits'], 'timeoutMs'>
}

/** One try at one transport. */
export interface Attempt {
  readonly transport: Transport
  /** Null when it answered. */
  readonly failure: Failure | null
  readonly latencyMs: number
  /** How long the seat held back before it. */
  readonly waitedMs: number
  readonly usage: Usage
  readonly cost: Reply['cost']
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

/** What came of asking a seat, with every attempt. */
export interface Asked {
  readonly outcome: Outcome
  readonly attempts: readonly Attempt[]
  /** Null when the seat answered, by whichever transport. */
  readonly failure: FailureRecord | null
}

/** A place at the table. */
export interface Seat extends Pick<SeatOptions, 'provider' | 'model' | 'roles' | 'minds'> {
  ask(asking: Asking): Promise<Asked>
}

const BACKOFF = { firstMs: 1_000, times: 2, mostMs: 10_000 }
/** A vendor that asks for a longer pause is not asked again: the next transport is. */
const LONGEST_RETRY_AFTER_MS = 60_000
const TRIES = 2

/** How long to wait before asking the same transport again; null when asking again cannot help. */
function retryWait(failure: Failure, tries: number): number | null {
  const passing = failure.type === 'timeout' || failure.type === 'rate_limit' || failure.type === 'network'
  const lasting = failure.cause !== null && failure.cause !== 'server'
  if (!passing || lasting || tries >= TRIES) return null
  const backoff = Math.min(BACKOFF.firstMs * BACKOFF.times ** (tries - 1), BACKOFF.mostMs)
  const asked = failure.retryAfterMs ?? 0
  return asked > LONGEST_RETRY_AFTER_MS ? null : Math.max(backoff, asked)
}

/** A refusal is what this model says, by any way it is asked. */
const isFinal = ({ cause }: Failure): boolean => cause === 'aborted' || cause === 'refused'

const attemptOf = (outcome: Outcome, waitedMs: number): Attempt => ({
  transport: outcome.transport,
  failure: outcome.ok ? null : outcome,
  latencyMs: outcome.latencyMs,
  waitedMs,
  usage: outcome.usage,
  cost: outcome.cost ?? null,
})

function lastWord(attempts: readonly Attempt[]): Failure {
  const failures = attempts.flatMap(({ failure }) => failure ?? [])
  const last = failures.findLast(({ cause }) => cause !== 'unavailable') ?? failures.at(-1)
  const message = 'the seat has no transport'
  return last ?? failed({ type: 'network', cause: 'unavailable', message }, 'api', 0)
}

/** A place at the table: tries its minds in order, retries, and keeps every attempt. */
export function createSeat(options: SeatOptions): Seat {
  const { provider, minds, timeouts = {}, time = realTime } = options
  /** What was found ready once is asked straight away after that: the asking itself tells more. */
  const ready = new Set<Model>()

  async function absenceOf(mind: Model, signal: AbortSignal): Promise<Failure | null> {
    if (ready.has(mind)) return null
    const failure = await absence(mind, signal, time)
    if (failure === null) ready.add(mind)
    return failure
  }

  async function askModel(mind: Model, asking: Asking, attempts: Attempt[]): Promise<Outcome> {
    const { round, ...rest } = asking
    const timeoutMs = timeoutFor(mind.transport, round, timeouts)
    const request: Request = { ...rest, limits: { ...asking.limits, timeoutMs } }
    let waitedMs = 0
    for (let tries = 1; ; tries++) {
      const outcome = await mind.ask(request)
      attempts.push(attemptOf(outcome, waitedMs))
      const wait = outcome.ok ? null : retryWait(outcome, tries)
      if (wait === null) return outcome
      const start = time.now()
      await time.sleep(wait, asking.signal)
      waitedMs = time.now() - start
      if (asking.signal.aborted) return gaveUp(mind.transport, 0)
    }
  }

  async function ask(asking: Asking): Promise<Asked> {
    const attempts: Attempt[] = []
    let final: Failure | null = null
    for (const [index, mind] of minds.entries()) {
      const absent = index < minds.length - 1 ? await absenceOf(mind, asking.signal) : null
      if (absent !== null) attempts.push(attemptOf(absent, 0))
      const outcome = absent ?? (await askModel(mind, asking, attempts))
      if (outcome.ok) return { outcome, attempts, failure: null }
      if (isFinal(outcome)) final = outcome
      if (final !== null) break
    }
    const outcome = final ?? lastWord(attempts)
    const failure: FailureRecord = {
      provider,
      round: asking.round,
      error_type: outcome.type,
      cause: outcome.cause,
      error_message: outcome.message,
      retried: attempts.some(({ waitedMs }) => waitedMs > 0),
      fallback_used: new Set(attempts.map(({ transport }) => transport)).size > 1,
    }
    return { outcome, attempts, failure }
  }

  return { provider, model: options.model, roles: options.roles, minds, ask }
}
