// Whether a round may be skipped, and what it would have meant when the policy is off. Every run records both decisions
// with the numbers they stand on; a verifier computes them again and refuses any other.

import { type Edition, editionOf } from '../editions.ts'
import type { Criteria, ShortCircuitDecided, ShortCircuitDecision } from '../events.ts'
import type { SkipR2, SkipR3 } from '../policy.ts'
import { isSevere } from '../replies/finding.ts'
import { positionChanges } from '../report/majority.ts'
import { isChecksOnly, reviewers, reviewsOf, voicesOf } from '../seat-ids.ts'
import type { Convened } from '../state.ts'
import { agreementOf } from './agreement.ts'
import { BUDGET_SHARE, budgetOf } from './budget.ts'
import { riskOf } from './risk.ts'

/** A score from here on counts as high agreement. */
const HIGH_AGREEMENT = 0.75
/** What a skipped round takes from confidence. */
const ADJUSTMENT = { R2: -0.15, R3: -0.1 } as const

const NOT: ShortCircuitDecision = {
  triggered: false,
  reason: 'no condition holds',
  rounds_skipped: [],
  confidence_adjustment: 0,
}

const isDivided = ({ stances }: Criteria['agreement']): boolean =>
  Object.hasOwn(stances, 'adopt') && Object.hasOwn(stances, 'reject')

/** Each condition of the policy, in words when it holds. */
const R2_HOLDS: Readonly<Record<SkipR2, (criteria: Criteria, state: Convened) => string | null>> = {
  high_agreement_in_r1: ({ agreement, risk }, state) =>
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
}

const R3_HOLDS: Readonly<Record<SkipR3, (criteria: Criteria) => string | null>> = {
  r2_confirms_r1_consensus: ({ r2_confirms }) =>
    r2_confirms === true ? 'reviewers found nothing severe and nobody changed position' : null,
  budget_constraint: ({ budget }) =>
    budget.used !== null && budget.used >= BUDGET_SHARE
      ? `${Math.round(budget.used * 100)} % of the budget is used up, over ${BUDGET_SHARE * 100} %`
      : null,
}

/** R1 is of one mind, R2 took place, and no reviewer objects severely or moved. */
function confirms(state: Convened, agreement: Criteria['agreement']): boolean {
  const reviews = reviewsOf(state)
  const severe = reviews.some(
    ({ targets, missed_findings }) =>
      targets.some(({ critiques }) => critiques.some(({ severity }) => isSevere(severity))) ||
      missed_findings.some(({ severity }) => isSevere(severity)),
  )
  return reviews.length > 0 && agreement.stance === 1 && !severe && positionChanges(state).length === 0
}

function judge(state: Convened, after: 'R1' | 'R2', criteria: Criteria): ShortCircuitDecision {
  const { conditions } = state.opened.policy.short_circuit
  const reasons =
    after === 'R1'
      ? conditions.skip_r2_if.flatMap((name) => R2_HOLDS[name](criteria, state) ?? [])
      : conditions.skip_r3_if.flatMap((name) => R3_HOLDS[name](criteria) ?? [])
  if (reasons.length === 0) return NOT
  const round = after === 'R1' ? 'R2' : 'R3'
  return {
    triggered: true,
    reason: reasons.join('; '),
    rounds_skipped: [round],
    confidence_adjustment: ADJUSTMENT[round],
  }
}

function impossibleRounds(state: Convened, after: 'R1' | 'R2'): readonly ('R2' | 'R3')[] {
  if (after === 'R1') return reviewers(state).length === 0 ? ['R2'] : []
  return isChecksOnly(state) || state.opened.chairs.length === 0 ? ['R3'] : []
}

type Decision = Omit<ShortCircuitDecided, 'action'>

function decide1(state: Convened, after: 'R1' | 'R2'): Decision {
  const agreement = agreementOf(state)
  const criteria: Criteria = {
    agreement,
    risk: riskOf(state),
    budget: budgetOf(state),
    r2_confirms: after === 'R1' ? null : confirms(state, agreement),
  }
  const { enabled } = state.opened.policy.short_circuit
  const impossible = impossibleRounds(state, after)
  const shadow = impossible.length > 0 ? NOT : judge(state, after, criteria)
  const off = shadow.triggered ? `off; it would have skipped: ${shadow.reason}` : shadow.reason
  const taken = enabled ? shadow : { ...NOT, reason: off }
  return { after, enabled, ...taken, shadow, impossible, criteria }
}

const SKIPPING: Readonly<Record<Edition['skipping'], typeof decide1>> = { 1: decide1 }

export const decisionAfter = (state: Convened, after: 'R1' | 'R2'): Decision =>
  SKIPPING[editionOf(state).skipping](state, after)
