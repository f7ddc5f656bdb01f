// The final records of a council, as functions of the state: an event with other content is refused, and
// found by a verifier.

import type { CouncilClosed, CouncilStatus, ShortCircuitDecided } from './events.ts'
import { assembledReport } from './report/assemble.ts'
import { roundMetrics, sessionMetrics } from './report/metrics.ts'
import type { CouncilFinalReport } from './report/report.ts'
import { lastReport, stageOf } from './stage.ts'
import type { OpenedCouncil } from './state.ts'

/** What `report_assembled` must contain now; null when no report is to be assembled. */
export function assembledNow(state: OpenedCouncil): CouncilFinalReport | null {
  const stage = stageOf(state)
  return stage.is === 'assembling' ? assembledReport(state, stage.synthesis) : null
}

/** What `council_closed` must contain now; null when it is not to be closed. */
export function closingNow(state: OpenedCouncil): Omit<CouncilClosed, 'action'> | null {
  const stage = stageOf(state)
  if (stage.is !== 'closing') return null
  const report = lastReport(state)
  const { status, reason } = stage
  return {
    status,
    reason,
    report: report?.outcome.took.event ?? state.assembled?.event ?? null,
    rounds: roundMetrics(state),
    metrics: sessionMetrics(state),
  }
}

/** Of a council that is closed, or would close now; null while it is running. */
export function statusOf(state: OpenedCouncil): CouncilStatus | null {
  if (state.closed) return state.closed.status
  const stage = stageOf(state)
  return stage.is === 'closing' ? stage.status : null
}

// Replaces a decision on skipping rounds after its event was erased.

/** An erased decision is treated as having skipped nothing. */
const unreadable = (after: 'R1' | 'R2'): ShortCircuitDecided => {
  const nothing = { triggered: false, reason: 'erased', rounds_skipped: [], confidence_adjustment: 0 }
  const agreement = {
    score: 0,
    stance: 0,
    recommendation: 0,
    by: 'words',
    vendor_factor: 1,
    stances: {},
  } as const
  const budget = { cost_at_least: 0, cost_unknown_calls: 0, minutes: 0, used: null }
  const criteria = { agreement, risk: { class: 'high', words: [] }, budget, r2_confirms: null } as const
  return { action: '', after, enabled: false, ...nothing, shadow: nothing, impossible: [], criteria }
}

export const UNREADABLE = { R1: unreadable('R1'), R2: unreadable('R2') }
