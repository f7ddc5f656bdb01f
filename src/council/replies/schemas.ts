// The shapes that models are asked for, by round and mode. They contain only what a model alone can say: its
// identity, the time and relations between events are never asked. Nothing is nullable: an empty text or line
// 0 means "none".

import type { JsonSchema } from '../../ledger/schema.ts'
import type { Edition } from '../editions.ts'
import { CATEGORIES, CONFIDENCES, PRIORITIES, SEVERITIES } from './finding.ts'
import { type Mode, STAKES, STANCES_OF, UNSTATED } from './opinion.ts'
import { CRITIQUES, VERDICTS } from './review.ts'
import { closed, listOf, oneOf, text, texts, whole } from './schema-words.ts'

type Members = { readonly [name: string]: JsonSchema }

const severity = oneOf(SEVERITIES)
const confidence = oneOf(CONFIDENCES)

const FINDING: Members = {
  rule: text('A stable name of the kind of fault, for example CWE-89; empty if there is none.'),
  severity,
  category: oneOf(CATEGORIES),
  file: text('The path exactly as shown; empty if it concerns no single file.'),
  line: whole('The line in that file; 0 if none.'),
  quote: text('The words concerned, exactly as they stand there; empty if none.'),
  description: text(),
  rationale: text(),
  fix: text(),
  impact: text(),
  tests: text('Which test would show it.'),
  priority: oneOf(PRIORITIES),
}

const ALTERNATIVES = listOf(closed({ name: text(), pros: texts(), cons: texts(), when_to_use: text() }))

const ARCHITECTURE: Members = {
  alternatives: ALTERNATIVES,
  verification_plan: texts('How to find out whether the decision was right.'),
  in_scope: texts(),
  out_of_scope: texts(),
  information_needed: texts(),
}

const ofMode = (mode: Mode, findings: JsonSchema): Members => {
  if (mode === 'architecture') return ARCHITECTURE
  return mode === 'review' ? { findings } : {}
}

const stance = (mode: Mode): JsonSchema => oneOf(STANCES_OF[mode])

const STAKES_TEXT =
  'What a wrong answer could cost: high if it touches health, safety, law, money, data or people.'

const opinion = (mode: Mode, stakes: Members = {}): JsonSchema =>
  closed({
    stance: stance(mode),
    summary: text('Two or three sentences.'),
    details: closed({
      understanding: text('What is asked, in your own words.'),
      key_considerations: texts(),
      recommendation: text('What to do, in one or two sentences.'),
      rationale: text(),
    }),
    risks: listOf(closed({ description: text(), severity, mitigation: text() })),
    assumptions: texts(),
    questions: texts('What you would need to know.'),
    ...stakes,
    confidence,
    ...ofMode(mode, listOf(closed(FINDING))),
  })

const DIMENSION_TEXT = 'What you found, or "none found".'

const VERDICT = closed({
  finding: text('Its id as shown, for example A.f1.'),
  verdict: oneOf(VERDICTS),
  severity: oneOf(SEVERITIES, 'The severity that you hold to be right.'),
  note: text('Why; the better fix, the missing context, or the order you propose.'),
})

const review = (mode: Mode): JsonSchema =>
  closed({
    targets: listOf(
      closed({
        target: text('The label of the opinion, for example A.'),
        errors: text(DIMENSION_TEXT),
        omissions: text(DIMENSION_TEXT),
        risks: text(DIMENSION_TEXT),
        counter_arguments: text(DIMENSION_TEXT),
        assumptions: text(DIMENSION_TEXT),
        critiques: listOf(
          closed({
            kind: oneOf(CRITIQUES),
            severity,
            description: text(),
            location: text('Where in the opinion.'),
            correction: text(),
          }),
        ),
        agreement_points: texts(),
        disagreement_points: listOf(
          closed({ topic: text(), their_position: text(), own_position: text(), why: text() }),
        ),
        ...(mode === 'review' ? { findings: listOf(VERDICT) } : {}),
      }),
      'One for every opinion shown.',
    ),
    ...(mode === 'review' ? { missed_findings: listOf(closed(FINDING)) } : {}),
    stance_after: stance(mode),
    recommendation_after: text(),
    why: text('Why you hold to your position, or changed it.'),
    confidence,
  })

const report = (mode: Mode): JsonSchema =>
  closed({
    decision: stance(mode),
    conclusion: text('The decision in one or two sentences.'),
    need_info_reason: text('Why nothing can be decided yet; empty unless the decision is need-info.'),
    summary: text(),
    confidence,
    rationale: listOf(
      closed({ point: text(), supported_by: texts('Ids as shown: op-1, rv-2, rv-2.c1, op-1.f3.') }),
    ),
    risks: listOf(
      closed({
        description: text(),
        severity,
        mitigation: text(),
        mentioned_by: texts('Ids of opinions and reviews.'),
        status: oneOf(['agreed', 'disputed']),
      }),
    ),
    next_actions: listOf(closed({ action: text(), priority: oneOf(PRIORITIES), success_criteria: text() })),
    disagreements: listOf(
      closed({
        topic: text(),
        positions: listOf(closed({ held_by: texts('Ids of opinions.'), position: text() })),
        resolution: text(),
        why: text(),
      }),
    ),
    uncertainties: listOf(closed({ point: text(), confidence, verification: text() })),
    consensus_points: texts(),
    answered_critiques: listOf(closed({ critique: text('For example rv-2.c1.'), answer: text() })),
    ...ofMode(mode, listOf(closed({ sources: texts('Ids such as op-1.f2 and rv-2.f1.'), ...FINDING }))),
  })

const byMode = (make: (mode: Mode) => JsonSchema): Readonly<Record<Mode, JsonSchema>> => ({
  ask: make('ask'),
  architecture: make('architecture'),
  review: make('review'),
})

export const ASKED_OPINION = byMode((mode) => opinion(mode))
export const ASKED_REVIEW = byMode(review)
export const ASKED_REPORT = byMode(report)

/** The conclusions, which are asked for after everything that they depend on. */
const CONCLUDED =
  'recommendation recommendation_after summary conclusion need_info_reason kind category severity priority status verdict stakes confidence stance stance_after decision'.split(
    ' ',
  )

/** A model that thinks while it writes argues first and decides last. */
function reasonsFirst(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema as { readonly properties?: Members; readonly items?: JsonSchema }
  if (items) return { ...schema, items: reasonsFirst(items) }
  if (!properties) return schema
  const names = Object.keys(properties)
  const last = CONCLUDED.filter((name) => names.includes(name))
  const order = [...names.filter((name) => !last.includes(name)), ...last]
  return closed(Object.fromEntries(order.map((name) => [name, reasonsFirst(properties[name] ?? {})])))
}

/** How an opinion is read since the second: a missing statement about stakes is not asked for again. */
const READ_OPINION = byMode((mode) => opinion(mode, { stakes: oneOf([...STAKES, UNSTATED]) }))

/** As an opinion is read, by version of the shapes. */
export const OPINION_READ = { 1: ASKED_OPINION, 2: READ_OPINION } as const satisfies Record<
  Edition['shapes'],
  object
>

/** By version; a released one never changes, since verifiers compare recorded requests with them. */
export const SHAPES = {
  1: { opinion: ASKED_OPINION, review: ASKED_REVIEW, report: ASKED_REPORT },
  2: {
    opinion: byMode((mode) => reasonsFirst(opinion(mode, { stakes: oneOf(STAKES, STAKES_TEXT) }))),
    review: byMode((mode) => reasonsFirst(ASKED_REVIEW[mode])),
    report: byMode((mode) => reasonsFirst(ASKED_REPORT[mode])),
  },
} as const satisfies Record<Edition['shapes'], object>
