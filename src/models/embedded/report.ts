// The panel's report, as an object and as text. Prose is fixed here and in the rules; text of the input is
// only in quotes, paths and terms. The decision is always need-info.

import { type Dismissal, type Finding, SEVERITIES } from './finding.ts'
import type { Gap, Passage } from './question.ts'
import type { Mode } from './terms.ts'

export const BANNER = 'Checks only: no language model was asked.'
export const NOTHING_BEARS = 'Nothing in the context bears on this.'

export interface PanelReport {
  readonly banner: typeof BANNER
  readonly mode: Mode
  /** Never anything else: checks cannot decide. */
  readonly decision: 'need-info'
  readonly confidence: 'low'
  readonly summary: string
  /** Review: worst first. */
  readonly findings: readonly Finding[]
  /** Review: what looked like a fault and was let pass, and why. */
  readonly dismissed: readonly Dismissal[]
  /** Ask, architecture: what the question leaves open. */
  readonly gaps: readonly Gap[]
  /** Ask, architecture: lines of the context that share a rare term with the question. */
  readonly passages: readonly Passage[]
  /** What was not examined, or not listed. */
  readonly unseen: readonly string[]
  /** The rules that were applied. */
  readonly rules: readonly string[]
}

type Contents = Omit<PanelReport, 'banner' | 'mode' | 'decision' | 'confidence' | 'summary'>

const EMPTY: Contents = { findings: [], dismissed: [], gaps: [], passages: [], unseen: [], rules: [] }

function reviewSummary({ findings, rules }: Contents): string {
  const counted = SEVERITIES.map(
    (severity) => [severity, findings.filter((each) => each.severity === severity).length] as const,
  )
    .filter(([, n]) => n > 0)
    .map(([severity, n]) => `${n} ${severity}`)
  const counts = counted.length === 0 ? 'none found anything' : `findings: ${counted.join(', ')}`
  return `${BANNER} Of ${rules.length} rules, ${counts}. Whether the change is right was not judged.`.replace(
    'Of 1 rules',
    'Of 1 rule',
  )
}

function inquirySummary({ gaps, passages }: Contents): string {
  const lacks =
    gaps.length === 0
      ? 'By its words the question leaves none of the usual things open.'
      : `Open in the question: ${gaps.length}.`
  const bears =
    passages.length === 0
      ? NOTHING_BEARS
      : `Lines of the context that share a rare term with it: ${passages.length}.`
  return `${BANNER} ${lacks} ${bears} Nothing was decided.`
}

export function reportOf(mode: Mode, parts: Partial<Contents>): PanelReport {
  const contents = { ...EMPTY, ...parts }
  const summary = mode === 'review' ? reviewSummary(contents) : inquirySummary(contents)
  return { banner: BANNER, mode, decision: 'need-info', confidence: 'low', summary, ...contents }
}

const place = ({ path, line }: { readonly path: string; readonly line: number | null }) =>
  line === null ? path : `${path}:${line}`

const block = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines]

/** The same as plain text, for callers without a schema. */
export function proseOf(report: PanelReport): string {
  const findings = report.findings.flatMap((each) => [
    `- ${each.severity} ${each.rule} ${place(each)}: ${each.description}`,
    ...(each.quote === null ? [] : [`  > ${each.quote}`]),
    `  ${each.rationale} ${each.fix}`,
  ])
  const bearing = report.passages.flatMap((each) => [
    `- ${place(each)} (${each.terms.join(', ')})`,
    `  > ${each.quote}`,
  ])
  return [
    report.summary,
    ...block('Findings', findings),
    ...block(
      'Let pass',
      report.dismissed.map((each) => `- ${each.rule} ${place(each)}: ${each.reason}`),
    ),
    ...block(
      'Open in the question',
      report.gaps.map(({ lacks, ask }) => `- ${lacks} ${ask}`),
    ),
    ...block('In the context', bearing),
    ...block(
      'Not looked at or not listed',
      report.unseen.map((each) => `- ${each}`),
    ),
  ].join('\n')
}
