// Limits the confidence of a report. Skipped rounds lower the stated confidence, and a chair that disagrees
// with the majority of round one without citing what refutes it has at most low.

import type { Edition } from '../editions.ts'
import type { ShortCircuitDecision } from '../events.ts'
import { type Confidence, isSevere } from '../replies/finding.ts'
import type { Critique } from '../replies/review.ts'
import { opinionsOf, reviewsOf } from '../seat-ids.ts'
import { rounded } from '../short-circuit/budget.ts'
import type { OpenedCouncil } from '../state.ts'
import { majorityOf } from './majority.ts'
import type { ReportAnswer, Unsupported } from './report.ts'

/** What is added to, and subtracted from, the answer. */
interface Adjusted {
  readonly confidence: { readonly confidence?: Confidence; readonly confidence_stated?: Confidence }
  readonly unsupported: readonly Unsupported[]
  readonly notices: readonly string[]
}

const MEASURE: Readonly<Record<Confidence, number>> = { low: 0.2, medium: 0.5, high: 0.8 }
const LEAST_HIGH = 0.75
const LEAST_MEDIUM = 0.4

function lowerConfidence(stated: Confidence, adjustment: number): Confidence {
  const measure = rounded(MEASURE[stated] + adjustment)
  if (measure >= LEAST_HIGH) return 'high'
  return measure >= LEAST_MEDIUM ? 'medium' : 'low'
}

const REFUTING: readonly Critique['kind'][] = ['error', 'inconsistency', 'risk', 'assumption']

/** An omission refutes an opinion only if it is severe. */
const refutes = ({ kind, severity }: Critique): boolean => REFUTING.includes(kind) || isSevere(severity)

/**
 * The ids that speak against the majority: opinions of another stance with their findings, critiques of opinions
 * that hold it, what reviewers found that they missed, and reviews by those who do not hold it (any more).
 */
function opposing(state: OpenedCouncil, majority: string): ReadonlySet<string> {
  const holders = new Set(opinionsOf(state).flatMap(({ id, stance }) => (stance === majority ? [id] : [])))
  const others = opinionsOf(state).filter(({ id }) => !holders.has(id))
  const findings = opinionsOf(state).flatMap(({ id, findings: own }) => own.map((_, i) => `${id}.f${i + 1}`))
  const reviews = reviewsOf(state).flatMap(({ id, targets, missed_findings, stance_after }) => {
    const critiqued = targets.flatMap(({ opinion, critiques }) =>
      critiques.map((critique) => ({ opinion, refutes: refutes(critique) })),
    )
    return [
      ...(stance_after === majority ? [] : [id]),
      ...critiqued.flatMap(({ opinion, refutes: against }, i) =>
        against && holders.has(opinion) ? [`${id}.c${i + 1}`] : [],
      ),
      ...missed_findings.map((_, i) => `${id}.f${i + 1}`),
    ]
  })
  return new Set([...others.map(({ id }) => id), ...findings, ...reviews])
}

function isUnrefuted(state: OpenedCouncil, answer: ReportAnswer): boolean {
  const { stance, departed } = majorityOf(state, answer.decision)
  if (stance === null || !departed) return false
  const against = opposing(state, stance)
  const cited = [
    ...answer.rationale.flatMap(({ supported_by }) => supported_by),
    ...answer.findings.flatMap(({ sources }) => sources),
  ]
  return !cited.some((id) => against.has(id))
}

const UNREFUTED =
  'The chair departs from the majority of the first round and cites nothing that refutes it: confidence is low.'

function adjustReport2(
  state: OpenedCouncil,
  answer: ReportAnswer,
  decided: readonly ShortCircuitDecision[],
  isChairs: boolean,
): Adjusted {
  const skipped = decided.filter(({ rounds_skipped }) => rounds_skipped.length > 0)
  const adjustment = skipped.reduce((sum, each) => sum + each.confidence_adjustment, 0)
  const adjusted = lowerConfidence(answer.confidence, adjustment)
  const isBare = isChairs && isUnrefuted(state, answer)
  const note =
    adjusted === answer.confidence
      ? `confidence stays ${adjusted}`
      : `confidence is lowered from ${answer.confidence} to ${adjusted}`
  return {
    confidence: { confidence: isBare ? 'low' : adjusted, confidence_stated: answer.confidence },
    unsupported: isBare ? [{ place: 'decision', cited: [] }] : [],
    notices: [
      ...skipped.map(({ rounds_skipped, reason, confidence_adjustment }, i) => {
        const last = i === skipped.length - 1 ? `; ${note}` : ''
        return `${rounds_skipped.join(', ')} was skipped: ${reason} (${confidence_adjustment}${last})`
      }),
      ...(isBare ? [UNREFUTED] : []),
    ],
  }
}

type AdjustReport = typeof adjustReport2

/** By the version of the rule. */
export const ADJUST_REPORT: Readonly<Record<Edition['reporting'], AdjustReport>> = {
  1: () => ({ confidence: {}, unsupported: [], notices: [] }),
  2: adjustReport2,
}
