// What later councils need of a council: the place to fork it at, and what a follow-up is told of it.

import type { End } from '../ledger/event.ts'
import type { Follow, Round } from './events.ts'
import { reportOf } from './report/final-report.ts'
import { lastReport } from './stage.ts'
import type { OpenedCouncil } from './state.ts'

/** The event after which a round was over, also when it lies in the parent of a fork; null before that. */
export function endOfRound(
  state: OpenedCouncil,
  round: Round,
): { readonly trace: string; readonly seq: number } | null {
  const last = state.spans[round]?.last
  if (last === undefined) return null
  const at = last.lastIndexOf('/')
  return { trace: last.slice(0, at), seq: Number(last.slice(at + 1)) }
}

/** Null when there is no report to follow up. `size` and `hash` are of the trace's head. */
export function followOf(state: OpenedCouncil, head: End): Follow | null {
  const report = reportOf(state)
  const event = lastReport(state)?.outcome.took.event ?? state.assembled?.event
  if (!report || event === undefined) return null
  return {
    trace: state.trace,
    ...head,
    event,
    question: state.opened.question,
    decision: report.decision,
    conclusion: report.conclusion,
    summary: report.summary,
    points: report.rationale.map(({ point }) => point),
    open: [
      ...report.uncertainties.map(({ point }) => point),
      ...report.unresolved.map(({ id, description }) => `${id}: ${description}`),
    ],
  }
}
