// A running trace. This is the only place where a clerk is made: every entrance and every protocol drives its
// traces through `driveTrace`, so that stopping, waiting and delivering events are the same everywhere.

import { Clerk, type RunEnd as ClerkEnd, type Perform, type RunOptions } from '../clerk/clerk.ts'
import { followTrace, runAndTell } from '../clerk/follow.ts'
import type { Ports } from '../clerk/ports.ts'
import type { Registrar } from '../clerk/registrar.ts'
import type { TraceLog } from '../clerk/trace-log.ts'
import type { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED, WithOpenCalls } from '../ledger/calls.ts'
import { type ErrorCode, isWitanError, WitanError } from '../ledger/errors.ts'
import type { FORKED, ForkPoint } from '../ledger/fork.ts'
import type { EventOf, Occurrence } from '../protocol.ts'

// A run whose store fails during the run: nothing is lost, and the error says how to continue.

const GONE: readonly ErrorCode[] = ['VAULT_UNREACHABLE', 'VAULT_BUSY', 'DISK_FULL', 'HOME_READONLY']

/** The fault, with the command that continues the trace once the store is there again. */
function withResumeAdvice(error: unknown, trace: string): unknown {
  const code = GONE.find((known) => isWitanError(error, known))
  if (!code || !(error instanceof WitanError)) return error
  const next = `What was recorded is kept. When the store can be written again, resume it with: witan resume ${trace}`
  return new WitanError(code, error.message, next, { cause: error })
}

/** How far a run came, and why a required notice was not sent. */
export interface RunEnd extends ClerkEnd {
  readonly unnotified?: string
}

/** The rules for reading the status of each protocol. */
const LINKS: Readonly<Record<string, string>> = {
  'agents/1': 'witan agents pending',
  'exchange/1': 'witan exchange status',
}

/** A pool whose rounds are over waits for no person. */
const isForPerson = ({ id }: { readonly id: string }): boolean => !id.startsWith('grant/')

async function withNotice<State>(
  { ports, log, notifies, elsewhere }: Driven<State>,
  end: RunEnd,
): Promise<RunEnd> {
  // The process that drives it sends the notice.
  if (!ports.outside || !notifies || elsewhere || end.status === 'interrupted') return end
  const waits = end.status === 'waiting' && end.parked.some(isForPerson)
  const [protocol = ''] = log.protocol.id.split(' ')
  const look = waits ? (LINKS[protocol] ?? 'witan show') : 'witan show'
  const { trace } = log
  const fault = await ports.outside.notify({
    what: waits ? 'waiting' : 'done',
    trace,
    event: `${trace}/${log.size - 1}`,
    link: `${look} ${trace}`,
  })
  return fault === null ? end : { ...end, unnotified: fault }
}

export interface Driven<State> extends Pick<RunOptions, 'wait' | 'grace' | 'snapshotEvery' | 'settles'> {
  readonly ports: Ports
  readonly registrar: Registrar
  readonly log: TraceLog<WithOpenCalls<State>>
  readonly perform: Perform
  /** Interrupts the run; recorded events stay. */
  readonly signal?: AbortSignal | undefined
  /** Called with every event from `from` on as it is recorded, by this process or another. */
  readonly hear?: ((event: Occurrence) => unknown) | undefined
  readonly from?: number
  /** No clerk is made here: another process drives the trace, and this waits for its result. */
  readonly elsewhere?: Elsewhere | undefined
  /** Sends notices, once nothing more can be done here. */
  readonly notifies?: boolean
}

/** Resolves when the trace is finished or waits for someone, no matter who drives it. */
export type Elsewhere = <State>(
  driven: Pick<Driven<State>, 'ports' | 'registrar' | 'log' | 'signal'>,
) => Promise<RunEnd>

/** A trace that is only followed performs nothing. */
export const performsNothing: Perform = () => Promise.reject(new Error('a followed trace performs nothing'))

/** Options for the driver of a trace only. */
export const drivenElsewhere = (trace: string): Promise<never> =>
  Promise.reject(
    new WitanError('USAGE', `${trace} is driven elsewhere`, `Drive it here with: witan resume ${trace}`),
  )

/** How long running calls may continue after a person asked to stop. */
export const SHORT_GRACE_MS = 200

/** Lets the clerk do all that can be done now; returns once every recorded event was delivered. */
export async function driveTrace<State>(driven: Driven<State>): Promise<RunEnd> {
  const { ports, registrar, log, perform, signal, wait, grace, hear, from = 0, elsewhere } = driven
  const { snapshotEvery, settles } = driven
  const options = {
    ...(signal && { signal }),
    ...(wait !== undefined && { wait }),
    ...(grace !== undefined && { grace }),
    ...(snapshotEvery !== undefined && { snapshotEvery }),
    ...(settles !== undefined && { settles }),
  }
  const work = (): Promise<RunEnd> =>
    elsewhere ? elsewhere(driven) : new Clerk(ports, registrar, log, perform, options).run()
  try {
    const end = await withNotice(
      driven,
      await (hear ? runAndTell(ports, log.trace, { tell: hear, from }, work) : work()),
    )
    if (end.status === 'finished') await ports.outside?.finished(log.trace)
    return end
  } catch (error) {
    throw withResumeAdvice(error, log.trace)
  }
}

/** The error for a program that stopped its own trace. */
export const RESUME_HERE = 'Go on with its trace in the same storage.'

export const stoppedEarly = (trace: string, next: string): WitanError =>
  new WitanError('INTERRUPTED', `${trace} was stopped before its end`, next)

/** A run that a person or a host stopped from outside. */
export const stoppedBy = (who: string, trace: string): WitanError =>
  new WitanError(
    'INTERRUPTED',
    `stopped by ${who} in ${trace}`,
    `Nothing was lost: answers are kept. Resume it with: witan resume ${trace}`,
  )

/** A running protocol. Iterating gives every event from the first on; leaving the loop stops nothing. */
export interface Run<Result, Event = Occurrence> extends AsyncIterable<Event> {
  /** The id of the trace, once its first event is recorded. */
  readonly trace: Promise<string>
  /** Rejects with INTERRUPTED when the run was stopped before its end. */
  readonly result: Promise<Result>
}

/** What is running once the first event is recorded. */
export interface Begun<Result> {
  readonly ports: Ports
  readonly trace: string
  readonly work: () => Promise<Result>
}

/** Events that every protocol has beside its own. */
interface SharedPayloads {
  readonly [CALL_STARTED]: {
    readonly action: string
    readonly call: 'ask' | 'tool'
    readonly clerk: string
    readonly input: string
  }
  readonly [CALL_LOST]: { readonly action: string; readonly reason: string }
  readonly [CALL_INDETERMINATE]: { readonly action: string; readonly reason: string }
  readonly [FORKED]: {
    readonly parent: ForkPoint
  }
}

/** Every event that a trace of a protocol can hold, by its type. */
export type EventIn<Payloads> = EventOf<Payloads> | EventOf<SharedPayloads>

/** `Event`: as the protocol of the trace has them. Events that its schemas refuse are never recorded. */
export function runOf<Result, Event = Occurrence>(beginning: Promise<Begun<Result>>): Run<Result, Event> {
  const over = new AbortController()
  const result = beginning.then(({ work }) => work()).finally(() => over.abort())
  // A caller that only iterates gets the error there.
  result.catch(() => undefined)
  const trace = beginning.then((begun) => begun.trace)
  trace.catch(() => undefined)
  return {
    trace,
    result,
    async *[Symbol.asyncIterator]() {
      const begun = await beginning
      const events = followTrace(begun.ports, begun.trace, { signal: over.signal })
      for await (const event of events) yield event as Occurrence & Event
      await result
    },
  }
}
