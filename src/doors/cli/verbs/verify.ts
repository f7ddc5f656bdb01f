// `witan verify`: of a trace in this home or of a file from anyone.

import { verifyTrace } from '../../../app/traces/verify-trace.ts'
import { truncationLine, verdictLine, verdictLines } from '../../../render/verdict.ts'
import { locationOf, type Verb } from '../command.ts'
import { EXIT } from '../exit-codes.ts'

export const run: Verb = async (call) => {
  const trust = call.texts('trust')
  const checking = (events: number): void => call.progress(`Checking ${events} events…`)
  call.progress('Reading…')
  const report = await verifyTrace(locationOf(call), call.args[0] ?? '', { trust, checking })
  return {
    value: report,
    lines: verdictLines(report, { paint: call.paint, width: call.width, given: trust.length > 0 }),
    brief: [`${verdictLine(report, call.paint)}  ${truncationLine(report)}`],
    exit: report.status === 'fail' ? EXIT.verificationFailed : EXIT.done,
  }
}
