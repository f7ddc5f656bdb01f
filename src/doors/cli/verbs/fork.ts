// `witan fork`: a new trace that begins as another stood at one point, and goes its own way from there. Nothing in
// the old one changes, and nothing answered in it is paid for twice.

import { WitanError } from '../../../ledger/errors.ts'
import { atPlace } from '../at-place.ts'
import type { Verb } from '../command.ts'
import { checkOutputs } from '../run-trace.ts'

export const run: Verb = async (call) => {
  await checkOutputs(call)
  return atPlace(call, (running, place, protocol) => {
    if (running.fork) return running.fork(place)
    const next = protocol === 'exchange/1' ? 'See `witan exchange branch --help`.' : 'Start a new one.'
    throw new WitanError('USAGE', `traces of ${protocol} cannot be forked here`, next)
  })
}
