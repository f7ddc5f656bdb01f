// The report as it is shown, from a chair's answer or from the opinions alone. Everything added here is
// counted or checked; nothing in it is a model's claim about itself.

import { msBetween } from '../../ledger/clock.ts'
import { editionOf } from '../editions.ts'
import type { Round } from '../events.ts'
import type { Category, Finding } from '../replies/finding.ts'
import { UNSTATED } from '../replies/opinion.ts'
import type { Verdict } from '../replies/review.ts'
import { isChecksOnly, opinionsOf, reviewsOf } from '../seat-ids.ts'
import { notShown } from '../size/notices.ts'
import { lastReport } from '../stage.ts'
import type { OpenedCouncil } from '../state.ts'
import { unknownCitations, unresolvedIn } from './citations.ts'
import { ADJUST_REPORT } from './confidence.ts'
import { checkLocation, reviewedPath } from './locations.ts'
import { isOneVendor, majorityOf, positionChanges } from './majority.ts'
import {
  CHECKS_ONLY,
  type CouncilFinalReport,
  ONE_VENDOR,
  type ReportAnswer,
  type ReportFindingAnswer,
  SCRIPTED,
  type Synthesis,
} from './report.ts'

const PREFIX: Readonly<Record<Category, string>> = {
  security: 'SEC',
  performance: 'PERF',
  reliability: 'REL',
  maintainability: 'MNT',
  correctness: 'COR',
  documentation: 'DOC',
  testing: 'TST',
  other: 'OTH',
}

const DISPUTES: readonly Verdict[] = ['false_positive', 'severity_disputed']

function seatsWith(
  state: OpenedCouncil,
  sources: readonly string[],
  verdicts: readonly Verdict[],
): readonly string[] {
  return reviewsOf(state)
    .filter(({ targets }) =>
      targets.some(({ findings }) =>
        findings.some(({ finding, verdict }) => sources.includes(finding) && verdicts.includes(verdict)),
      ),
    )
    .map(({ seat }) => seat)
}

/** `op-1.f2` was reported by the seat of `op-1`, when there is such a finding. */
function reporters(
  state: OpenedCouncil,
  sources: readonly string[],
  chair: string | null,
): readonly string[] {
  const opinions = opinionsOf(state).flatMap(({ id, seat, findings }) =>
    findings.some((_, i) => sources.includes(`${id}.f${i + 1}`)) ? [seat] : [],
  )
  const reviews = reviewsOf(state).flatMap(({ id, seat, missed_findings }) =>
    missed_findings.some((_, i) => sources.includes(`${id}.f${i + 1}`)) ? [seat] : [],
  )
  const seats = [...new Set([...opinions, ...reviews])]
  return seats.length === 0 && chair !== null ? [chair] : seats
}

function findingsOf(
  state: OpenedCouncil,
  answers: readonly ReportFindingAnswer[],
  chair: string | null,
): readonly Finding[] {
  const { files } = state.opened.context
  const counts = new Map<Category, number>()
  return answers.map((answer) => {
    const number = (counts.get(answer.category) ?? 0) + 1
    counts.set(answer.category, number)
    return {
      ...answer,
      id: `${PREFIX[answer.category]}-${String(number).padStart(3, '0')}`,
      file: answer.file === null ? null : (reviewedPath(files, answer.file) ?? answer.file),
      reported_by: reporters(state, answer.sources, chair),
      confirmed_by: seatsWith(state, answer.sources, ['confirmed']),
      disputed_by: seatsWith(state, answer.sources, DISPUTES),
      location_checked: checkLocation(files, answer),
    }
  })
}

export function roundsCompleted(state: OpenedCouncil, isReported: boolean): readonly Round[] {
  const reviewed = [...state.reviews.values()].some(({ ok }) => ok)
  return ['R1', ...(reviewed ? (['R2'] as const) : []), ...(isReported ? (['R3'] as const) : [])]
}

/** A reply whose form was repaired says the same; one in prose does not say everything that was asked for. */
const proseNotices = (state: OpenedCouncil): readonly string[] =>
  opinionsOf(state)
    .filter(({ prose }) => prose)
    .map(({ seat, stance }) =>
      stance === UNSTATED
        ? `${seat} answered in prose and stated no stance: it is not counted for any`
        : `${seat} answered in prose`,
    )

export interface Origin {
  readonly synthesis: Synthesis
  readonly chair: string | null
  readonly shown_opinion: string | null
  readonly notices: readonly string[]
  /** When the report was recorded. */
  readonly at: string
}

export function finalReport(state: OpenedCouncil, answer: ReportAnswer, origin: Origin): CouncilFinalReport {
  const one_vendor = isOneVendor(state)
  const decided = [state.decisions.R1, state.decisions.R2].flatMap((decision) => decision ?? [])
  const { at, notices, ...from } = origin
  const adjusted = ADJUST_REPORT[editionOf(state).reporting](
    state,
    answer,
    decided,
    origin.synthesis === 'chair',
  )
  return {
    ...answer,
    ...adjusted.confidence,
    mode: state.opened.mode,
    ...from,
    notices: [
      ...notShown(state),
      ...(isChecksOnly(state) ? [CHECKS_ONLY] : []),
      ...(state.opened.scripted ? [SCRIPTED] : []),
      ...notices,
      ...(one_vendor ? [ONE_VENDOR] : []),
      ...proseNotices(state),
      ...adjusted.notices,
    ],
    findings: findingsOf(state, answer.findings, origin.chair),
    unsupported: [...unknownCitations(state, answer), ...adjusted.unsupported],
    unresolved: unresolvedIn(state, answer),
    majority: majorityOf(state, answer.decision),
    position_changes: positionChanges(state),
    one_vendor,
    participants: state.seats.filter(({ seat }) => state.seated.has(seat) || state.opinions.has(seat)),
    rounds_completed: roundsCompleted(state, origin.synthesis === 'chair'),
    short_circuit: {
      triggered: decided.some(({ triggered }) => triggered),
      rounds_skipped: decided.flatMap(({ rounds_skipped }) => rounds_skipped),
    },
    confidence_adjustment: decided.reduce((sum, each) => sum + each.confidence_adjustment, 0),
    duration_ms: msBetween(state.began, at),
  }
}

/** The current report: the chair's, or the assembled one; null when there is none. */
export function reportOf(state: OpenedCouncil): CouncilFinalReport | null {
  const report = lastReport(state)
  if (report?.outcome.ok && report.outcome.answer) {
    const { answer, took } = report.outcome
    const origin = {
      synthesis: 'chair',
      chair: report.seat,
      shown_opinion: null,
      notices: [],
      at: took.at,
    } as const
    return finalReport(state, answer, origin)
  }
  return state.assembled?.report ?? null
}
