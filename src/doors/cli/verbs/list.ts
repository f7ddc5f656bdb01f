// `witan list`: what is in the home, newest first, each with what it is about.

import { listTraces } from '../../../app/traces/list-traces.ts'
import { listHints, listJson, listLines } from '../../../render/trace-list.ts'
import { locationOf, type Verb } from '../command.ts'

export const run: Verb = async (call) => {
  const value = listJson(call.home, await listTraces(locationOf(call)))
  return {
    value,
    lines: listLines(value.traces, new Date().toISOString(), call),
    brief: value.traces.map(({ trace }) => trace),
    hints: listHints(value.traces),
  }
}
