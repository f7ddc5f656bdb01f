// A trace at work. This is the only place where a clerk is made: every entrance and every protocol drives its traces
// through `driveTrace`, so that stopping, waiting and hearing what is recorded are the same everywhere.

import { Clerk, type Perform, type RunEnd, type RunOptions } from '../clerk/clerk.ts'
import { followTrace, tellingOf } from '../clerk/follow.ts'
import type { Ports } from '../clerk/ports.ts'
import type { Registrar } from '../clerk/registrar.ts'
import type { TraceLog } from '../clerk/trace-log.ts'
import type { Called } from '../ledger/calls.ts'
import { WitanError } from '../ledger/errors.ts'
import type { Occurrence } from '../protocol.ts'
import { stranded } from './stranded.ts'

export type { RunEnd } from '../clerk/clerk.ts'

export interface Driven<State> extends Pick<RunOptions, 'wait' | 'grace'> {
  readonly ports: Ports
  readonly registrar: Registrar
  readonly log: TraceLog<Called<State>>
  readonly perform: Perform
  /** Interrupts the run; what was recorded stands. */
  readonly signal?: AbortSignal | undefined
  /** Hears every event from `from` on as it is recorded, by this process or another. */
  readonly hear?: ((event: Occurrence) => unknown) | undefined
  readonly from?: number
}

/** How long calls under way may go on after a person asked to stop. */
export const SHORT_GRACE_MS = 200

/** Lets the clerk do all that can be done now; returns once everything recorded was heard. */
export async function driveTrace<State>(driven: Driven<State>): Promise<RunEnd> {
  const { ports, registrar, log, perform, signal, wait, grace, hear, from = 0 } = driven
  const options = {
    ...(signal && { signal }),
    ...(wait !== undefined && { wait }),
    ...(grace !== undefined && { grace }),
  }
  const work = (): Promise<RunEnd> => new Clerk(ports, registrar, log, perform, options).run()
  try {
    return await (hear ? tellingOf(ports, log.trace, { tell: hear, from }, work) : work())
  } catch (error) {
    throw stranded(error, log.trace)
  }
}

/** What a program is told to do with a trace that it stopped. */
export const RESUME_HERE = 'Go on with its trace in the same house.'

export const stoppedEarly = (trace: string, next: string): WitanError =>
  new WitanError('INTERRUPTED', `${trace} was stopped before its end`, next)

/** A protocol at work. Iterating gives every event from the first on; leaving the loop stops nothing. */
export interface Run<Result> extends AsyncIterable<Occurrence> {
  /** The id of the trace, once its first event is recorded. */
  readonly trace: Promise<string>
  /** Rejects with INTERRUPTED when the run was stopped before its end. */
  readonly result: Promise<Result>
}

/** What is at work once the first event is recorded. */
export interface Begun<Result> {
  readonly ports: Ports
  readonly trace: string
  readonly work: () => Promise<Result>
}

export function runOf<Result>(beginning: Promise<Begun<Result>>): Run<Result> {
  const over = new AbortController()
  const result = beginning.then(({ work }) => work()).finally(() => over.abort())
  // A caller that only iterates meets the fault there.
  result.catch(() => undefined)
  const trace = beginning.then((begun) => begun.trace)
  trace.catch(() => undefined)
  return {
    trace,
    result,
    async *[Symbol.asyncIterator]() {
      const begun = await beginning
      yield* followTrace(begun.ports, begun.trace, { signal: over.signal })
      await result
    },
  }
}
