// The shapes of opinions, reviews and reports as the trace keeps them: one for all modes, so that a reader
// need not know the mode to find a member.

import type { JsonSchema } from '../../ledger/schema.ts'
import { CATEGORIES, CONFIDENCES, PRIORITIES, SEVERITIES } from './finding.ts'
import { STAKES, STANCES, UNSTATED } from './opinion.ts'
import { CRITIQUES, DIMENSIONS, VERDICTS } from './review.ts'
import { closed, listOf, oneOf, orNull, text, texts } from './schema-words.ts'

const severity = oneOf(SEVERITIES)
const confidence = oneOf(CONFIDENCES)
const priority = oneOf(PRIORITIES)
const stance = oneOf(STANCES)

const FINDING = {
  rule: text(),
  severity,
  category: oneOf(CATEGORIES),
  file: orNull({ type: 'string', minLength: 1 }),
  line: orNull({ type: 'integer', minimum: 1 }),
  quote: text(),
  description: text(),
  rationale: text(),
  fix: text(),
  impact: text(),
  tests: text(),
  priority,
}

const ARCHITECTURE = {
  alternatives: listOf(closed({ name: text(), pros: texts(), cons: texts(), when_to_use: text() })),
  verification_plan: texts(),
  in_scope: texts(),
  out_of_scope: texts(),
  information_needed: texts(),
}

const opinion = (
  stances: readonly string[],
  stakes: { readonly [name: string]: JsonSchema } = {},
): JsonSchema =>
  closed({
    stance: oneOf(stances),
    summary: text(),
    details: closed({
      understanding: text(),
      key_considerations: texts(),
      recommendation: text(),
      rationale: text(),
    }),
    risks: listOf(closed({ description: text(), severity, mitigation: text() })),
    assumptions: texts(),
    questions: texts(),
    ...stakes,
    confidence,
    findings: listOf(closed(FINDING)),
    ...ARCHITECTURE,
  })

export const OPINION = opinion(STANCES)
/** Where an answer in prose counts, which may state no stance. */
export const OPINION_OR_PROSE = opinion([...STANCES, UNSTATED], {
  stakes: oneOf([...STAKES, UNSTATED]),
})

const TARGET = closed({
  opinion: text(),
  dimensions: closed(Object.fromEntries(DIMENSIONS.map((name) => [name, text()]))),
  critiques: listOf(
    closed({ kind: oneOf(CRITIQUES), severity, description: text(), location: text(), correction: text() }),
  ),
  agreement_points: texts(),
  disagreement_points: listOf(
    closed({ topic: text(), their_position: text(), own_position: text(), why: text() }),
  ),
  findings: listOf(closed({ finding: text(), verdict: oneOf(VERDICTS), severity, note: text() })),
})

export const REVIEW: JsonSchema = closed({
  targets: { ...listOf(TARGET), minItems: 1 },
  missed_findings: listOf(closed(FINDING)),
  stance_after: stance,
  recommendation_after: text(),
  why: text(),
  confidence,
})

export const REPORT: JsonSchema = closed({
  decision: stance,
  conclusion: text(),
  need_info_reason: text(),
  summary: text(),
  confidence,
  rationale: listOf(closed({ point: text(), supported_by: texts() })),
  risks: listOf(
    closed({
      description: text(),
      severity,
      mitigation: text(),
      mentioned_by: texts(),
      status: oneOf(['agreed', 'disputed']),
    }),
  ),
  next_actions: listOf(closed({ action: text(), priority, success_criteria: text() })),
  disagreements: listOf(
    closed({
      topic: text(),
      positions: listOf(closed({ held_by: texts(), position: text() })),
      resolution: text(),
      why: text(),
    }),
  ),
  uncertainties: listOf(closed({ point: text(), confidence, verification: text() })),
  consensus_points: texts(),
  answered_critiques: listOf(closed({ critique: text(), answer: text() })),
  findings: listOf(closed({ ...FINDING, sources: texts() })),
  ...ARCHITECTURE,
})
