// The end of a council as a command tells it: the report in the form that was asked for, the whole result as JSON,
// and an exit code that says what a script must know.

import { closedBy, type Gate } from '../../../app/council/gate.ts'
import { writeFileWhole } from '../../../app/home/files.ts'
import type { CouncilResult } from '../../../council/council-result.ts'
import type { CouncilStatus } from '../../../council/events.ts'
import { plain } from '../../../render/plain.ts'
import { FORMATS, type Format, renderReport } from '../../../render/report/render.ts'
import type { Call, Outcome } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { packageVersion } from '../version.ts'

export interface Presented {
  readonly call: Call
  readonly gate: Gate | null
  readonly checkpoint: string | null
}

/** Without `--format`, the ending of the file tells; without a file it is text for the terminal. */
function formatOf(call: Call): Format {
  const ending = /\.([a-z]+)$/i.exec(call.text('output') ?? '')?.[1]?.toLowerCase()
  const asked = call.text('format') ?? (ending === 'htm' ? 'html' : ending)
  return FORMATS.find((format) => format === asked) ?? 'text'
}

function rendered(result: CouncilResult, call: Call): string {
  const toFile = call.text('output') !== null
  const { width, paint } = call
  return renderReport(formatOf(call), result, {
    version: packageVersion(),
    ...(toFile ? {} : { width, paint }),
  })
}

const FAILED: readonly (CouncilStatus | null)[] = ['quorum_failed', 'failed']

function exitOf({ status, report }: CouncilResult, gate: string | null): ExitCode {
  if (FAILED.includes(status) || report === null) return EXIT.quorumNotMet
  return gate === null ? EXIT.done : EXIT.gateClosed
}

/** As the source asks: an error, with the partial results. */
const errorOf = (result: CouncilResult): object =>
  FAILED.includes(result.status)
    ? {
        error: {
          code: 'QUORUM_NOT_MET',
          message: result.reason,
          next: `See who failed and why; then: witan fork ${result.trace} --after R1, or ask again.`,
        },
      }
    : {}

export async function present(
  result: CouncilResult,
  { call, gate, checkpoint }: Presented,
): Promise<Outcome> {
  const { trace } = result
  const closed = closedBy(gate, result.report)
  const exit = exitOf(result, closed)
  const file = call.text('output')
  const text = rendered(result, call)
  if (file !== null) await writeFileWhole(file, Buffer.from(text), { replace: call.flag('force') })
  const gateLine = closed === null ? [] : ['', call.paint.red(`Gate closed: ${plain(closed)}.`)]
  const shown = file === null ? text.trimEnd().split('\n') : [`Wrote ${plain(file)}.`]
  return {
    value: {
      ...errorOf(result),
      ...result,
      checkpoint,
      gate: gate === null ? null : { open: closed === null, why: closed },
    },
    lines: [...shown, ...gateLine],
    brief: [...shown, ...(closed === null ? [] : [`Gate closed: ${plain(closed)}.`])],
    hints: file === null ? [] : [`Minutes: ${trace}`, `To check them: witan verify ${trace}`],
    exit,
  }
}
