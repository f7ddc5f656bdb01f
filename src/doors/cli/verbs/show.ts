// `witan show`: reads a trace to its reader, one of this home or one in a file from anyone. Nothing is checked: that is
// what `verify` is for.

import { readEvent, readTrace } from '../../../app/traces/read-trace.ts'
import { plain } from '../../../render/plain.ts'
import { eventJson, eventLines, traceJson, traceLines } from '../../../render/trace-content.ts'
import { locationOf, type Verb } from '../command.ts'
import { parseCount } from '../parse.ts'

export const run: Verb = async (call) => {
  const [name = '', number] = call.args
  if (number !== undefined) {
    const content = await readEvent(locationOf(call), name, parseCount(number, 'SEQ'))
    return { value: eventJson(content), lines: eventLines(content, call) }
  }
  const content = await readTrace(locationOf(call), name)
  return {
    value: traceJson(content),
    lines: traceLines(content, call),
    hints: [
      '',
      `One event in full: witan show ${plain(name)} SEQ`,
      `To check it: witan verify ${plain(name)}`,
    ],
  }
}
