// `witan abort`: ends a trace before its time, on record and for good. What was said until then stays.

import { WitanError } from '../../../ledger/errors.ts'
import { atPlace } from '../at-place.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) =>
  atPlace(call, (running, place, protocol) => {
    if (running.abort) return running.abort(place)
    const next = 'Leave it: a trace that nobody goes on with costs nothing.'
    throw new WitanError('USAGE', `nothing in ${protocol} ends a trace before its time`, next)
  })
