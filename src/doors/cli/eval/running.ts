// An evaluation at the command line: its progress is shown while it runs, then its report on screen and in a file.

import { extname } from 'node:path'
import { worldHere } from '../../../app/council/seating.ts'
import { type Evaluation, resumeEval } from '../../../app/eval/eval.ts'
import { tableFromSettings } from '../../../app/eval/table.ts'
import { writeFileWhole } from '../../../app/home/files.ts'
import { personName, runKitOf } from '../../../app/home/signers.ts'
import { type EvalReport, reportOf } from '../../../eval/report.ts'
import { evalLines } from '../../../render/eval/lines.ts'
import { plain, plainJson } from '../../../render/plain.ts'
import { type Call, EXIT, type Outcome, type Place } from '../command.ts'
import { type Follow, queueTrace, untilInterrupted } from '../run-trace.ts'
import { readSettings } from '../terminal.ts'

/** Writes the report to the requested file, in the form of the file's extension. */
async function writeEvalReport(report: EvalReport, call: Call): Promise<readonly string[]> {
  const file = call.text('output')
  if (file === null) return []
  const isPage = ['.html', '.htm'].includes(extname(file).toLowerCase())
  const text = isPage
    ? (await import('../../../render/eval/page.ts')).evalPage(report)
    : `${plainJson(report, 2)}\n`
  await writeFileWhole(file, Buffer.from(text), { replace: call.flag('force') })
  return ['', `Wrote ${plain(file)}`]
}

const PAGE = 'html'

/** In a form that is not for a terminal; null for the table. */
async function inForm(report: EvalReport, form: string | null): Promise<string | null> {
  if (form === 'json') return plainJson(report, 2)
  return form === PAGE ? (await import('../../../render/eval/page.ts')).evalPage(report) : null
}

export async function presentEval(report: EvalReport, call: Call): Promise<Outcome> {
  const wrote = await writeEvalReport(report, call)
  const form = await inForm(report, call.text('format'))
  if (form !== null && wrote.length === 0) return { value: report, lines: form.trimEnd().split('\n') }
  const isShort = call.text('require') === 'better' && report.primary.verdict !== 'better'
  return {
    value: report,
    lines: [...evalLines(report, call), ...wrote],
    brief: [plain(report.primary.words)],
    hints: [
      '',
      `Every item with its traces: witan report ${report.trace} --format json`,
      `A page with plots: witan report ${report.trace} -o worth.html`,
      `To check it: witan verify ${report.trace}`,
    ],
    exit: isShort ? EXIT.gateClosed : EXIT.done,
  }
}

export async function driveEval(evaluation: Evaluation, call: Call, isFollowed = false): Promise<Outcome> {
  const { opened } = evaluation.state
  const total = opened.set.items * opened.repeat
  const tell = (): void => {
    const { graded, spent } = evaluation.state
    const cost = spent.usd > 0 ? `, ${spent.unknown > 0 ? 'at least ' : ''}$${spent.usd.toFixed(2)}` : ''
    call.progress(`${graded} of ${total} items graded${cost}…`)
  }
  tell()
  await untilInterrupted({ trace: evaluation.trace, followed: isFollowed }, (signal) =>
    evaluation.drive({ signal, hear: ({ type }) => (type === 'item_graded' ? tell() : undefined) }),
  )
  return presentEval(reportOf(evaluation.state), call)
}

/** An evaluation that a worker drives, shown as it runs. */
export const follow: Follow = async (home, trace, call, elsewhere) => {
  const { followEval } = await import('../../../app/queue/follow-eval.ts')
  return driveEval(await followEval(home, trace, elsewhere), call, true)
}

export const resume = async ({ home, trace, call }: Place): Promise<Outcome> => {
  const tableFor = tableFromSettings(() => readSettings(call), worldHere(), personName())
  if (call.flag('queue')) return queueTrace(home, trace, call, follow)
  return driveEval(await resumeEval(runKitOf(home), trace, tableFor), call)
}
