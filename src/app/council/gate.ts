// Whether a pipeline may go on: closed by a finding that is severe enough, or by a decision. A finding that lies
// where nothing was reviewed does not count: no file of the change would show it.

import { type Finding, SEVERITIES } from '../../council/replies/finding.ts'
import type { CouncilFinalReport } from '../../council/report/report.ts'
import type { Gate } from '../../doors/cli/council/flags.ts'

const counts = ({ location_checked }: Finding): boolean =>
  location_checked === 'ok' || location_checked === 'none'

/** Why the gate is closed, in words; null when it is open. */
export function closedBy(gate: Gate | null, report: CouncilFinalReport | null): string | null {
  if (gate === null) return null
  if (report === null) return 'there is no report'
  if (gate.kind === 'decision') {
    // Whoever stops at need-info stops at a rejection all the more.
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
