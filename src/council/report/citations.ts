// Whether the citations of a report exist. Ids are made by us, so a chair can cite only existing ids or be
// found out; severe points that it leaves unanswered are listed, never dropped.

import { isSevere, type Severity } from '../replies/finding.ts'
import { opinionsOf, reviewsOf } from '../seat-ids.ts'
import type { OpenedCouncil } from '../state.ts'
import type { ReportAnswer, Unresolved, Unsupported } from './report.ts'

/** Something with an id that must not be dropped silently when it is severe. */
interface Point {
  readonly id: string
  readonly severity: Severity
  readonly description: string
  readonly of: 'critique' | 'finding'
}

function pointsOf(state: OpenedCouncil): readonly Point[] {
  const raised = opinionsOf(state).flatMap(({ id, findings }) =>
    findings.map(
      ({ severity, description }, i): Point => ({
        id: `${id}.f${i + 1}`,
        severity,
        description,
        of: 'finding',
      }),
    ),
  )
  const reviewed = reviewsOf(state).flatMap(({ id, targets, missed_findings }) => [
    ...targets
      .flatMap(({ critiques }) => critiques)
      .map(
        ({ severity, description }, i): Point => ({
          id: `${id}.c${i + 1}`,
          severity,
          description,
          of: 'critique',
        }),
      ),
    ...missed_findings.map(
      ({ severity, description }, i): Point => ({
        id: `${id}.f${i + 1}`,
        severity,
        description,
        of: 'finding',
      }),
    ),
  ])
  return [...raised, ...reviewed]
}

/** Every id that can be cited. */
const citable = (state: OpenedCouncil): ReadonlySet<string> =>
  new Set([
    ...opinionsOf(state).map(({ id }) => id),
    ...reviewsOf(state).map(({ id }) => id),
    ...pointsOf(state).map(({ id }) => id),
  ])

/** All places of a report that cite, and what they cite. */
function citationsIn(report: ReportAnswer): readonly Unsupported[] {
  return [
    ...report.rationale.map(({ supported_by }, i) => ({ place: `rationale[${i}]`, cited: supported_by })),
    ...report.risks.map(({ mentioned_by }, i) => ({ place: `risks[${i}]`, cited: mentioned_by })),
    ...report.disagreements.flatMap(({ positions }, i) =>
      positions.map(({ held_by }, j) => ({ place: `disagreements[${i}].positions[${j}]`, cited: held_by })),
    ),
    ...report.answered_critiques.map(({ critique }, i) => ({
      place: `answered_critiques[${i}]`,
      cited: [critique],
    })),
    ...report.findings.map(({ sources }, i) => ({ place: `findings[${i}]`, cited: sources })),
  ]
}

const needsGrounds = (place: string): boolean => place.startsWith('rationale') || place.startsWith('findings')

/** Places whose citations name nothing, or that should cite and do not. */
export function unknownCitations(state: OpenedCouncil, report: ReportAnswer): readonly Unsupported[] {
  const known = citable(state)
  return citationsIn(report).flatMap(({ place, cited }) => {
    const unknown = cited.filter((id) => !known.has(id))
    const groundless = cited.length === 0 && needsGrounds(place)
    return unknown.length > 0 || groundless ? [{ place, cited: unknown }] : []
  })
}

/** Severe critiques without an answer, and severe findings that are neither included nor answered. */
export function unresolvedIn(state: OpenedCouncil, report: ReportAnswer): readonly Unresolved[] {
  const answered = new Set(
    report.answered_critiques.flatMap(({ critique, answer }) => (answer.trim() === '' ? [] : [critique])),
  )
  const taken = new Set(report.findings.flatMap(({ sources }) => sources))
  return pointsOf(state)
    .filter(({ severity }) => isSevere(severity))
    .filter(({ id, of }) => !answered.has(id) && !(of === 'finding' && taken.has(id)))
    .map(({ id, severity, description }) => ({ id, severity, description }))
}
