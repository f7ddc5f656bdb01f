// What a report is rendered from: the report and the results of the rounds, as they are folded from the minutes.
// Every text in it may be a model's, and is data.

import type {
  ContextRecord,
  CouncilSessionMetrics,
  CouncilStatus,
  ProviderFailure,
} from '../../council/events.ts'
import type { Mode } from '../../council/opinion.ts'
import type { CouncilFinalReport } from '../../council/report.ts'
import type { R1Result, R2Result, R3Result } from '../../council/results.ts'
import type { TransparencyRecord } from '../../council/transparency.ts'

export interface ReportView {
  readonly trace: string
  readonly question: string
  readonly mode: Mode
  readonly context: ContextRecord
  readonly at: string
  /** Null while the council is under way. */
  readonly status: CouncilStatus | null
  readonly reason: string
  readonly degraded: boolean
  /** Null when it came to none; then the rounds hold what there is. */
  readonly report: CouncilFinalReport | null
  readonly rounds: readonly [
    { readonly round: 'R1' } & R1Result,
    { readonly round: 'R2' } & R2Result,
    (R3Result & { readonly round: 'R3'; readonly failed_providers: readonly ProviderFailure[] }) | null,
  ]
  readonly metrics: CouncilSessionMetrics
  readonly transparency: TransparencyRecord
}

export const failuresIn = ({ rounds }: ReportView): readonly ProviderFailure[] =>
  rounds.flatMap((round) => round?.failed_providers ?? [])
