// The findings of the embedded panel as an opinion. It decides nothing and says so: always need-info, always
// with low confidence, and every sentence that is not quoted is fixed here or in the panel's own rules.

import type { Json } from '../../ledger/canonical.ts'
import { CHECKS_ONLY } from '../report/report.ts'
import type { Category, Priority, Severity } from './finding.ts'
import { type Mode, UNSTATED } from './opinion.ts'

interface Place {
  readonly path: string
  readonly line: number | null
}

/** The panel's report, as `models/embedded/report.ts` makes it. */
export interface PanelReading {
  readonly mode: Mode
  readonly summary: string
  readonly findings: readonly (Place & {
    readonly rule: string
    readonly severity: Severity
    readonly category: Category
    readonly quote: string | null
    readonly description: string
    readonly rationale: string
    readonly fix: string
  })[]
  readonly dismissed: readonly (Place & { readonly rule: string; readonly reason: string })[]
  readonly gaps: readonly { readonly lacks: string; readonly ask: string }[]
  readonly passages: readonly (Place & { readonly terms: readonly string[]; readonly quote: string })[]
  readonly unseen: readonly string[]
  readonly rules: readonly string[]
}

const PRIORITY: Readonly<Record<Severity, Priority>> = {
  critical: 'now',
  high: 'now',
  medium: 'soon',
  low: 'later',
}

const place = ({ path, line }: Place): string => (line === null ? path : `${path}:${line}`)

function advice({ mode, findings, gaps }: PanelReading): string {
  if (mode === 'review')
    return findings.length > 0
      ? 'Look at the findings, worst first. Whether the change is right was not judged.'
      : 'The rules found nothing. Whether the change is right was not judged.'
  return gaps.length > 0
    ? 'Answer what the question leaves open, and put it to someone who can judge.'
    : 'Put the question to someone who can judge: checks cannot decide it.'
}

/** In the shape that is asked of a participant in this mode. */
export function panelOpinion(reading: PanelReading): Json {
  const { mode, findings, dismissed, gaps, passages, unseen, rules } = reading
  const open = gaps.map(({ lacks, ask }) => `${lacks} ${ask}`)
  return {
    stance: 'need-info',
    summary: reading.summary,
    details: {
      understanding: CHECKS_ONLY,
      key_considerations: [
        ...passages.map((each) => `${place(each)} (${each.terms.join(', ')}): ${each.quote}`),
        ...dismissed.map((each) => `Let pass: ${each.rule} ${place(each)}: ${each.reason}`),
      ],
      recommendation: advice(reading),
      rationale:
        rules.length > 0
          ? `Rules applied: ${rules.join(', ')}.`
          : 'The question was searched for what decisions usually need, the context for rare terms that it shares.',
    },
    risks: [],
    assumptions: unseen.map((each) => `Not looked at or not listed: ${each}`),
    questions: open,
    stakes: UNSTATED,
    confidence: 'low',
    ...(mode === 'architecture'
      ? {
          alternatives: [],
          verification_plan: [],
          in_scope: [],
          out_of_scope: [],
          information_needed: open,
        }
      : {}),
    ...(mode === 'review'
      ? {
          findings: findings.map((each) => ({
            rule: each.rule,
            severity: each.severity,
            category: each.category,
            file: each.path,
            line: each.line ?? 0,
            quote: each.quote ?? '',
            description: each.description,
            rationale: each.rationale,
            fix: each.fix,
            impact: '',
            tests: '',
            priority: PRIORITY[each.severity],
          })),
        }
      : {}),
  }
}
