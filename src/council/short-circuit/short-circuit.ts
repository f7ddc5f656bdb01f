// Whether a round may be skipped, and what would have been skipped when the policy is off. Every run records
// both decisions with their numbers; a verifier computes them again and refuses any other.

import { type Edition, editionOf } from '../editions.ts'
import type { Criteria, ShortCircuitDecided, ShortCircuitDecision } from '../events.ts'
import type { SkipR2, SkipR3 } from '../policy.ts'
import { isSevere, isWorse } from '../replies/finding.ts'
import type { CouncilReview, Critique } from '../replies/review.ts'
import { positionChanges } from '../report/majority.ts'
import { isChecksOnly, reviewers, reviewsOf, voicesOf } from '../seat-ids.ts'
import type { OpenedCouncil } from '../state.ts'
import { agreementOf } from './agreement.ts'
import { BUDGET_SHARE, budgetOf } from './budget.ts'
import { riskByWords } from './risk.ts'
import { maySkipReview, riskByStakes } from './stakes.ts'

/** A score from here on counts as high agreement. */
const HIGH_AGREEMENT = 0.75
/** By how much a skipped round lowers confidence. */
const ADJUSTMENT = { R2: -0.15, R3: -0.1 } as const

const NOT: ShortCircuitDecision = {
  triggered: false,
  reason: 'no condition holds',
  rounds_skipped: [],
  confidence_adjustment: 0,
}

const isDivided = ({ stances }: Criteria['agreement']): boolean =>
  Object.hasOwn(stances, 'adopt') && Object.hasOwn(stances, 'reject')

/** Each condition of the policy, as text when it holds. */
const R2_HOLDS: Readonly<
  Record<SkipR2, (criteria: Criteria, state: OpenedCouncil, rules: Rules) => string | null>
> = {
  high_agreement_in_r1: ({ agreement, risk }, state, { mayDoWithout }) =>
    mayDoWithout(state, risk) &&
    agreement.stance === 1 &&
    agreement.score >= HIGH_AGREEMENT &&
    risk.class !== 'high' &&
    voicesOf(state).every(({ confidence, findings }) => confidence !== 'low' && findings.length === 0)
      ? `agreement ${agreement.score} is at least ${HIGH_AGREEMENT}, and the topic is of ${risk.class} risk`
      : null,
  low_risk_topic: ({ agreement, risk }) =>
    risk.class === 'low' && !isDivided(agreement)
      ? 'the topic is of low risk, and no two opinions are opposed'
      : null,
  always: () => 'the policy has no second round',
}

const R3_HOLDS: Readonly<
  Record<SkipR3, (criteria: Criteria, state: OpenedCouncil, rules: Rules) => string | null>
> = {
  r2_confirms_r1_consensus: ({ r2_confirms, risk }, state, { confirmed, mayDoWithout }) =>
    r2_confirms === true && mayDoWithout(state, risk) ? confirmed : null,
  budget_constraint: ({ budget }) =>
    budget.used !== null && budget.used >= BUDGET_SHARE
      ? `${Math.round(budget.used * 100)} % of the budget is used up, over ${BUDGET_SHARE * 100} %`
      : null,
}

const objectsSeverely = ({ targets, missed_findings }: CouncilReview): boolean =>
  targets.some(({ critiques }) => critiques.some(({ severity }) => isSevere(severity))) ||
  missed_findings.some(({ severity }) => isSevere(severity))

/** Critiques that say that an opinion is wrong or harmful, not only incomplete. */
const FAULTS: readonly Critique['kind'][] = ['error', 'inconsistency', 'risk']

/** A reviewer that calls an opinion false, even if not severely, does not confirm it. */
const objects = (review: CouncilReview): boolean =>
  objectsSeverely(review) ||
  review.missed_findings.some(({ severity }) => isWorse(severity, 'low')) ||
  review.targets.some(({ critiques }) =>
    critiques.some(({ kind, severity }) => FAULTS.includes(kind) && isWorse(severity, 'low')),
  )

interface Rules {
  /** Whether, by all answers, so little is at stake that agreement may replace a review or a synthesis. */
  readonly mayDoWithout: (state: OpenedCouncil, risk: Criteria['risk']) => boolean
  readonly risk: (state: OpenedCouncil) => Criteria['risk']
  readonly objects: (review: CouncilReview) => boolean
  /** Why R3 may be skipped. */
  readonly confirmed: string
}

/** R1 is of one model, R2 took place, and no reviewer objects or changed its position. */
function confirms(state: OpenedCouncil, agreement: Criteria['agreement'], rules: Rules): boolean {
  const reviews = reviewsOf(state)
  const isObjected = reviews.some(rules.objects)
  return reviews.length > 0 && agreement.stance === 1 && !isObjected && positionChanges(state).length === 0
}

function judge(
  state: OpenedCouncil,
  after: 'R1' | 'R2',
  criteria: Criteria,
  rules: Rules,
): ShortCircuitDecision {
  const { conditions } = state.opened.policy.short_circuit
  const reasons =
    after === 'R1'
      ? conditions.skip_r2_if.flatMap((name) => R2_HOLDS[name](criteria, state, rules) ?? [])
      : conditions.skip_r3_if.flatMap((name) => R3_HOLDS[name](criteria, state, rules) ?? [])
  if (reasons.length === 0) return NOT
  const round = after === 'R1' ? 'R2' : 'R3'
  return {
    triggered: true,
    reason: reasons.join('; '),
    rounds_skipped: [round],
    confidence_adjustment: ADJUSTMENT[round],
  }
}

function impossibleRounds(state: OpenedCouncil, after: 'R1' | 'R2'): readonly ('R2' | 'R3')[] {
  if (after === 'R1') return reviewers(state).length === 0 ? ['R2'] : []
  return isChecksOnly(state) || state.opened.chairs.length === 0 ? ['R3'] : []
}

type Decision = Omit<ShortCircuitDecided, 'action'>

function decide(state: OpenedCouncil, after: 'R1' | 'R2', rules: Rules): Decision {
  const agreement = agreementOf(state)
  const criteria: Criteria = {
    agreement,
    risk: rules.risk(state),
    budget: budgetOf(state),
    r2_confirms: after === 'R1' ? null : confirms(state, agreement, rules),
  }
  const { enabled } = state.opened.policy.short_circuit
  const impossible = impossibleRounds(state, after)
  const shadow = impossible.length > 0 ? NOT : judge(state, after, criteria, rules)
  const off = shadow.triggered ? `off; it would have skipped: ${shadow.reason}` : shadow.reason
  const taken = enabled ? shadow : { ...NOT, reason: off }
  return { after, enabled, ...taken, shadow, impossible, criteria }
}

const SKIPPING: Readonly<Record<Edition['skipping'], Rules>> = {
  1: {
    mayDoWithout: () => true,
    risk: riskByWords,
    objects: objectsSeverely,
    confirmed: 'reviewers found nothing severe and nobody changed position',
  },
  2: {
    mayDoWithout: maySkipReview,
    risk: riskByStakes,
    objects,
    confirmed:
      'reviewers found no error, inconsistency or risk of medium or higher severity, and nobody changed position',
  },
}

export const decisionAfter = (state: OpenedCouncil, after: 'R1' | 'R2'): Decision =>
  decide(state, after, SKIPPING[editionOf(state).skipping])
