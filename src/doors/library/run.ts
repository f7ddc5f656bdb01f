// A trace that a program runs: it begins at once, tells every event from the first on, however late one begins to
// listen, and ends with a result or with the reason why there is none.

import { stranded } from '../../app/stranded.ts'
import { Clerk, type Perform, type RunEnd } from '../../clerk/clerk.ts'
import { followTrace } from '../../clerk/follow.ts'
import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import type { TraceLog } from '../../clerk/trace-log.ts'
import type { Called } from '../../ledger/calls.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Occurrence } from '../../protocol.ts'

/** A protocol at work. Iterating tells every event from the first on; leaving the loop stops nothing. */
export interface Run<Result> extends AsyncIterable<Occurrence> {
  /** The id of the trace, once its first event stands. */
  readonly trace: Promise<string>
  /** Rejects with INTERRUPTED when the signal was given before the end. */
  readonly result: Promise<Result>
}

/** What is at work once the first event stands. */
export interface Begun<Result> {
  readonly ports: Ports
  readonly trace: string
  readonly work: () => Promise<Result>
}

/** Lets the clerk do all that can be done now. */
export async function clerkRuns<State>(
  ports: Ports,
  registrar: Registrar,
  log: TraceLog<Called<State>>,
  perform: Perform,
  signal: AbortSignal | undefined,
): Promise<RunEnd> {
  const clerk = new Clerk(ports, registrar, log, perform, signal ? { signal } : {})
  const end = await clerk.run().catch((error: unknown) => {
    throw stranded(error, log.trace)
  })
  if (end.status !== 'interrupted') return end
  const next = 'Go on with its trace in the same house.'
  throw new WitanError('INTERRUPTED', `${log.trace} was stopped before its end`, next)
}

export function runOf<Result>(beginning: Promise<Begun<Result>>): Run<Result> {
  const over = new AbortController()
  const result = beginning.then(({ work }) => work()).finally(() => over.abort())
  // Whoever only iterates meets the fault there.
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
