// What a report is rendered from: the report and the results of the rounds, as they are folded from the minutes.
// Every text in it may be a model's, and is data.

import type { CouncilResult } from '../../council/council-result.ts'
import type { ProviderFailure } from '../../council/events.ts'

export type ReportView = CouncilResult

export const failuresIn = ({ rounds }: ReportView): readonly ProviderFailure[] =>
  rounds.flatMap((round) => round?.failed_providers ?? [])
