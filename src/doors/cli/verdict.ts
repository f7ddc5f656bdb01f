// A verification report as a person reads it: the verdict first, then what it is about, what was found and what to do,
// and last what no verification can show.

import type { CheckLine, Failure, Report } from '../../ledger/verify/report.ts'
import type { Paint } from './paint.ts'
import { plain } from './plain.ts'

const VERDICTS: Readonly<Record<Report['status'], readonly [string, 'green' | 'yellow' | 'red']>> = {
  pass: ['PASS', 'green'],
  'pass-with-warnings': ['PASS WITH WARNINGS', 'yellow'],
  fail: ['FAIL', 'red'],
}

const MARKS: Readonly<Record<CheckLine['status'], readonly [string, 'green' | 'yellow' | 'red' | 'dim']>> = {
  pass: ['ok', 'green'],
  warning: ['warning', 'yellow'],
  fail: ['FAILED', 'red'],
  skipped: ['-', 'dim'],
}

export const verdictLine = ({ status, trace }: Report, paint: Paint): string => {
  const [word, colour] = VERDICTS[status]
  return `${paint.bold(paint[colour](word))}  ${trace}`
}

export const truncationLine = ({ truncation_excluded_to: to }: Report): string =>
  to === null ? 'truncation not excluded' : `truncation excluded up to size ${to}`

function* facts(report: Report): Generator<string> {
  const { size, form, head, root, registry } = report
  yield `  protocol  ${plain(report.protocol ?? 'unknown')}`
  yield `  size      ${size} event${size === 1 ? '' : 's'}${form === 'sparse' ? ', of which only a part is here' : ''}`
  if (head) yield `  head      ${head}`
  if (root) yield `  root      ${root}`
  yield `  registry  ${registry.trace} at size ${registry.size}`
  yield `  trusted   ${report.trusted_by ? `by ${report.trusted_by}` : 'by nothing you gave'}`
  yield `  tail      ${truncationLine(report)}`
}

function* checkLines(report: Report, paint: Paint): Generator<string> {
  for (const { check, status, examined } of report.checks) {
    const [mark, colour] = MARKS[status]
    const count = status === 'skipped' ? 'nothing to check' : `${examined} checked`
    yield `  ${paint[colour](mark.padEnd(8))} ${check.replaceAll('_', ' ').padEnd(19)} ${paint.dim(count)}`
  }
}

function* failureLines(
  { code, severity, event, artifact, message, suggested_action }: Failure,
  paint: Paint,
): Generator<string> {
  const word = severity === 'error' ? paint.red(code) : paint.yellow(code)
  yield `${word}${event ? ` at ${plain(event)}` : ''}`
  yield `  ${plain(message)}`
  if (artifact) yield `  artifact ${plain(artifact)}`
  yield `  ${paint.dim('do:')} ${suggested_action}`
}

const MOST_SHOWN = 20

function* findings({ failures }: Report, paint: Paint): Generator<string> {
  for (const failure of failures.slice(0, MOST_SHOWN)) {
    yield ''
    yield* failureLines(failure, paint)
  }
  const more = failures.length - MOST_SHOWN
  if (more > 0) yield* ['', `… and ${more} more; --json lists all of them.`]
}

function* limits(report: Report): Generator<string> {
  yield 'What this cannot show: that every action was logged, that a claim is true, or'
  yield 'that a signer was honest. Keys of seats are held by the machine that recorded'
  yield 'them: a signature says "this installation recorded this reply from that seat".'
  if (report.truncation_excluded_to === null) {
    yield 'Truncation not excluded: a checkpoint that you saved earlier, given with'
    yield '--trust, would show a tail that was cut off.'
  }
}

export const verdictLines = (report: Report, paint: Paint): string[] => [
  verdictLine(report, paint),
  ...facts(report),
  '',
  ...checkLines(report, paint),
  ...findings(report, paint),
  '',
  ...[...limits(report)].map(paint.dim),
]
