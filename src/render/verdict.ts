// A verification report for people: the verdict first, then its subject, the findings and what to do, and
// last what no verification can show.

import type { CheckLine, Failure, Report } from '../ledger/verify/report.ts'
import { type Paint, plain, wrap } from './plain.ts'

export interface Manner {
  readonly paint: Paint
  readonly width: number
  /** Whether the reader pinned keys; otherwise the reader's home did, or no keys are pinned. */
  readonly hasReaderTrust: boolean
}

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

function trustLine({ trusted_by, failures }: Report, { hasReaderTrust }: Manner): string {
  // A reader who gave only witnesses and authorities trusts no registry yet.
  const isUnpinned = failures.some(
    ({ code, severity }) => code === 'TRUST_UNPINNED' && severity === 'warning',
  )
  if (trusted_by === null)
    return hasReaderTrust && !isUnpinned ? 'no: it is not what you gave' : 'no: nothing ties it to anyone'
  return hasReaderTrust ? `yes, by the ${trusted_by} you gave` : "yes, by this home's own registry key"
}

function* facts(report: Verdict, manner: Manner): Generator<string> {
  const { size, form, head, root, registry } = report
  yield `  protocol  ${plain(report.protocol ?? 'unknown')}`
  yield `  size      ${size} event${size === 1 ? '' : 's'}${form === 'sparse' ? ', of which only a part is here' : ''}`
  if (head) yield `  head      ${head}`
  if (root) yield `  root      ${root}`
  yield `  registry  ${registry.trace} at size ${registry.size}`
  yield `  trusted   ${trustLine(report, manner)}`
  yield `  tail      ${truncationLine(report)}`
  yield* attestedLines(report)
  yield* councilLines(report)
}

interface Compared {
  readonly named: number
  readonly compared: number
  readonly absent: number
  readonly erased: number
}

/** A report, and for an evaluation how its councils compared. */
type Verdict = Report & { readonly councils?: Compared }

function* councilLines({ councils, failures }: Verdict): Generator<string> {
  if (!councils) return
  const { named, compared, absent, erased } = councils
  const unlike = failures.filter(({ check }) => check === 'claim_evidence').length
  const counts =
    unlike > 0 ? `${unlike} of ${compared} say otherwise` : `${compared} of ${named} say what is said of them`
  const rest = [
    ...(absent > 0 ? [`${absent} not here, not compared`] : []),
    ...(erased > 0 ? [`${erased} erased in part, not compared`] : []),
  ]
  yield `  councils  ${[...(compared > 0 ? [counts] : []), ...rest].join('; ')}`
}

const events = (count: number): string => `${count} event${count === 1 ? '' : 's'}`

/** What the authorities and witnesses that the reader pinned attest. */
function* attestedLines({ attested, size }: Report): Generator<string> {
  if (!attested) return
  const covered = (count: number): string => (count === size ? '' : ` (the first ${events(count)})`)
  for (const { kind, by, time, size: count } of attested)
    if (kind === 'timestamp') yield `  time      no later than ${time}, by ${plain(by)}${covered(count)}`
  const seen = attested.filter(({ kind }) => kind === 'witness')
  const names = [...new Set(seen.map(({ by }) => plain(by)))]
  if (names.length > 0) {
    const most = Math.max(...seen.map(({ size: count }) => count))
    const witnesses = `${names.length} witness${names.length === 1 ? '' : 'es'}`
    yield `  history   seen by ${witnesses}: ${names.join(', ')}${covered(most)}`
  }
  if (attested.length === 0) yield '  attested  by none of those you trust with it'
}

function* checkLines(report: Report, paint: Paint): Generator<string> {
  for (const { check, status, examined } of report.checks) {
    const [mark, colour] = MARKS[status]
    const count = status === 'skipped' ? 'nothing to check' : `${examined} checked`
    yield `  ${paint[colour](mark.padEnd(8))} ${check.replaceAll('_', ' ').padEnd(19)} ${paint.dim(count)}`
  }
}

function* failureLines(failure: Failure, { paint, width }: Manner): Generator<string> {
  const { code, severity, event, artifact, message, suggested_action } = failure
  const word = severity === 'error' ? paint.red(code) : paint.yellow(code)
  yield `${word}${event ? ` at ${plain(event)}` : ''}`
  yield `  ${wrap(plain(message), 2, width)}`
  if (artifact) yield `  artifact ${plain(artifact)}`
  yield `  ${paint.dim('do:')} ${wrap(suggested_action, 6, width)}`
}

const MOST_SHOWN = 20

function* findings({ failures }: Report, manner: Manner): Generator<string> {
  for (const failure of failures.slice(0, MOST_SHOWN)) {
    yield ''
    yield* failureLines(failure, manner)
  }
  const more = failures.length - MOST_SHOWN
  if (more > 0) yield* ['', `… and ${more} more; --json lists all of them.`]
}

const LIMITS =
  'What this cannot show: that every action was logged, that a claim is true, or that a signer was honest. Keys of ' +
  'seats are held by the machine that recorded them: a signature says "this installation recorded this reply from ' +
  'that seat".'
const TAIL =
  'Truncation not excluded: a checkpoint that you saved earlier, given with --trust, would show a tail that was cut off.'

function* limits(report: Report, { paint, width }: Manner): Generator<string> {
  const texts = report.truncation_excluded_to === null ? [LIMITS, TAIL] : [LIMITS]
  for (const text of texts) for (const line of wrap(text, 0, width).split('\n')) yield paint.dim(line)
}

export const verdictLines = (report: Verdict, manner: Manner): string[] => [
  verdictLine(report, manner.paint),
  ...facts(report, manner),
  '',
  ...checkLines(report, manner.paint),
  ...findings(report, manner),
  '',
  ...limits(report, manner),
]
