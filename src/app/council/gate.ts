// Whether a pipeline may go on: closed by a finding that is severe enough, or by a decision. A finding that lies
// where nothing was reviewed does not count: no file of the change would show it.

import { type Finding, SEVERITIES, type Severity } from '../../council/replies/finding.ts'
import type { CouncilFinalReport } from '../../council/report/report.ts'

export type Gate =
  | { readonly kind: 'severity'; readonly severity: Severity }
  | { readonly kind: 'decision'; readonly decision: 'reject' | 'need-info' }

/** Null for none, and for a word that names none. */
export function readGate(text: string | null): Gate | null {
  if (text === null) return null
  if (text === 'reject' || text === 'need-info') return { kind: 'decision', decision: text }
  const severity = SEVERITIES.find((one) => one === text)
  return severity ? { kind: 'severity', severity } : null
}

const counts = ({ location_checked }: Finding): boolean =>
  location_checked === 'ok' || location_checked === 'none'

/** Why the gate is closed, in words; null when it is open. */
export function closedBy(gate: Gate | null, report: CouncilFinalReport | null): string | null {
  if (gate === null) return null
  if (report === null) return 'there is no report'
  if (gate.kind === 'decision') {
    // A gate that stops at need-info stops at a rejection all the more.
    const closing = gate.decision === 'reject' ? ['reject'] : ['reject', 'need-info']
    return closing.includes(report.decision) ? `the decision is ${report.decision}` : null
  }
  const worst = SEVERITIES.indexOf(gate.severity)
  const found = report.findings.filter(
    (finding) => SEVERITIES.indexOf(finding.severity) <= worst && counts(finding),
  )
  const [first] = found
  if (!first) return null
  return `${found.length} finding${found.length === 1 ? '' : 's'} of severity ${gate.severity} or worse (${first.id})`
}
