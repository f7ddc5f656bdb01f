// What is done with a trace that is not over, or that another is to begin with: `witan resume`, `fork` and `abort`.

import { WitanError } from '../../../ledger/errors.ts'
import { atPlace } from '../at-place.ts'
import type { Verb } from '../command.ts'
import { checkOutputs } from '../run-trace.ts'
import { saidHere } from '../said-here.ts'

/** Goes on with a trace where it stands. What was answered is not asked again. */
export const resuming: Verb = async (call) => {
  await checkOutputs(call)
  return atPlace(call, (running, place) => running.resume(place))
}

/**
 * A new trace that begins as another stood at one point, and goes its own way from there. Nothing in the old one
 * changes, and nothing answered in it is paid for twice.
 */
export const forking: Verb = async (call) => {
  await checkOutputs(call)
  return atPlace(call, (running, place, protocol) => {
    if (running.fork) return running.fork(place)
    const next = protocol === 'exchange/1' ? 'See `witan exchange branch --help`.' : 'Start a new one.'
    throw new WitanError('USAGE', `traces of ${protocol} cannot be forked here`, next)
  })
}

/** Ends a trace before its time, on record and for good. What was said until then stays. */
export const aborting: Verb = (call) =>
  atPlace(call, async (running, place, protocol) => {
    if (running.abort) {
      const { trace } = place
      return running.abort(place, await saidHere(`Nothing can be added to ${trace} then. End it? [y/N] `))
    }
    const next = 'Leave it: a trace that nobody goes on with costs nothing.'
    throw new WitanError('USAGE', `nothing in ${protocol} ends a trace before its time`, next)
  })
