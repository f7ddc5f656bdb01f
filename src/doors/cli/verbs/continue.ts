// Commands that continue a trace or begin another from it: `witan resume`, `fork`, `retry` and `abort`. From
// the name of a trace to the code of its protocol.

import { withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { REGISTRY_PROTOCOL } from '../../../ledger/event.ts'
import type { Call, Outcome, Place, Running, Verb } from '../command.ts'
import { checkOutputs, checkQueueing, queueTrace, requireQueue } from '../run-trace.ts'
import { confirmHere, meansHere } from '../terminal.ts'

/** One entry for each protocol; its code is loaded only for such a trace. */
const RUNNING: Readonly<Record<string, () => Promise<Running>>> = {
  'council/1': () => import('../council/running.ts'),
  'agents/1': () => import('../agents/running.ts'),
  'eval/1': () => import('../eval/running.ts'),
  'exchange/1': () => import('../exchange/run.ts'),
}

const cannotContinue = (protocol: string): WitanError =>
  protocol === REGISTRY_PROTOCOL
    ? new WitanError(
        'USAGE',
        'the registry is not a trace that can be run',
        'See `witan list` for those there are.',
      )
    : new WitanError('PROTOCOL_UNKNOWN', `this version cannot run traces of ${protocol}`, 'Update Witan.')

/** Opens the home for writing and passes the trace to its protocol. */
const atPlace = (
  call: Call,
  work: (running: Running, place: Place, protocol: string) => Promise<Outcome>,
): Promise<Outcome> =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.store, call.args[0] ?? '')
    const protocol = (await home.store.head(trace))?.header.protocol ?? ''
    const load = Object.hasOwn(RUNNING, protocol) ? RUNNING[protocol] : undefined
    if (!load) throw cannotContinue(protocol)
    return work(await load(), { home, trace, call }, protocol)
  })

/** Continues a trace. What was answered is not asked again. */
export const resume: Verb = async (call) => {
  await checkOutputs(call)
  checkQueueing(call)
  return atPlace(call, (running, place) =>
    call.flag('queue')
      ? queueTrace(place.home, place.trace, call, running.follow)
      : running.resume(place, meansHere()),
  )
}

/**
 * A new trace that begins in the state of another and continues independently. The old one does not change, and
 * none of its answers is paid for twice.
 */
export const fork: Verb = async (call) => {
  await checkOutputs(call)
  return atPlace(call, (running, place, protocol) => {
    if (running.fork) return running.fork(place)
    const next = protocol === 'exchange/1' ? 'See `witan exchange branch --help`.' : 'Start a new one.'
    throw new WitanError('USAGE', `traces of ${protocol} cannot be forked here`, next)
  })
}

/** Asks failed seats of a finished trace again, in a fork of it. */
export const retry: Verb = async (call) => {
  await checkOutputs(call)
  checkQueueing(call)
  await requireQueue(call)
  return atPlace(call, (running, place, protocol) => {
    if (running.retry) return running.retry(place)
    throw new WitanError('USAGE', `${protocol} has no seats that fail`, `Try: witan resume ${place.trace}`)
  })
}

/** Ends a trace early; recorded and permanent. Earlier events stay. */
export const abort: Verb = (call) =>
  atPlace(call, async (running, place, protocol) => {
    if (running.abort) {
      const { trace } = place
      return running.abort(place, await confirmHere(`Nothing can be added to ${trace} then. End it? [y/N] `))
    }
    const next = 'Leave it: a trace that is not continued costs nothing.'
    throw new WitanError('USAGE', `traces of ${protocol} cannot be aborted`, next)
  })
