// The result of a council, for people and programs: the report, the results of its rounds, its usage, and
// everything that could raise doubts about it. All of it is folded from the trace.

import type { Sha256 } from '../ledger/bytes.ts'
import { WitanError } from '../ledger/errors.ts'
import { statusOf } from './closing.ts'
import type { CouncilOpened, CouncilSessionMetrics, CouncilStatus } from './events.ts'
import { sessionMetrics } from './report/metrics.ts'
import type { CouncilFinalReport } from './report/report.ts'
import { type TransparencyRecord, transparencyOf } from './report/transparency.ts'
import {
  type R1Result,
  type R2Result,
  type R3Result,
  r1Result,
  r2Result,
  r3Failures,
  r3Result,
} from './result.ts'
import { unjudgedParts } from './size/notices.ts'
import type { SeatFailure } from './stage.ts'
import { type CouncilState, isOpenedCouncil } from './state.ts'

/** The third round as results list it: with its name, and the seats that failed to chair. */
export type ListedR3 = R3Result & {
  readonly round: 'R3'
  readonly failed_providers: readonly SeatFailure[]
}

type First = { readonly round: 'R1' } & R1Result
type Second = { readonly round: 'R2' } & R2Result

/** What came of a council, folded from its trace. */
export interface CouncilResult {
  readonly trace: string
  readonly question: string
  readonly mode: CouncilOpened['mode']
  /** What it was shown. */
  readonly context: CouncilOpened['context']
  readonly at: string
  /** Null while it is running. */
  readonly status: CouncilStatus | null
  readonly reason: string
  /** A report exists, but was not made as intended. */
  readonly degraded: boolean
  readonly report: CouncilFinalReport | null
  /** The third is missing where there is no report. */
  readonly rounds: readonly [First, Second] | readonly [First, Second, ListedR3]
  /** Parts of round one to which no seat gave an answer; empty where it was asked in one. */
  readonly unjudged_parts: readonly number[]
  readonly metrics: CouncilSessionMetrics
  readonly transparency: TransparencyRecord
}

const FULL: readonly (CouncilStatus | null)[] = ['reported', null]

export function councilResult(sha256: Sha256, state: CouncilState): CouncilResult {
  if (!isOpenedCouncil(state)) {
    throw new WitanError(
      'VAULT_CORRUPT',
      'the opening event of this council cannot be read',
      'See `witan verify`.',
    )
  }
  const { question, mode, context } = state.opened
  const first: First = { round: 'R1', ...r1Result(state) }
  const second: Second = { round: 'R2', ...r2Result(state) }
  const third = r3Result(state)
  const status = statusOf(state)
  return {
    trace: state.trace,
    question,
    mode,
    context,
    at: state.at,
    status,
    reason: state.closed?.reason ?? '',
    degraded: third !== null && !FULL.includes(status),
    report: third?.final_report ?? null,
    rounds: third
      ? [first, second, { round: 'R3', ...third, failed_providers: r3Failures(state) }]
      : [first, second],
    unjudged_parts: unjudgedParts(state),
    metrics: state.closed?.metrics ?? sessionMetrics(state),
    transparency: transparencyOf(sha256, state, 'detailed'),
  }
}
