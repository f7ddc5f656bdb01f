// `witan resume`: goes on with a trace where it stands. What was answered is not asked again.

import { atPlace } from '../at-place.ts'
import type { Verb } from '../command.ts'
import { checkOutputs } from '../run-trace.ts'

export const run: Verb = async (call) => {
  await checkOutputs(call)
  return atPlace(call, (running, place) => running.resume(place))
}
