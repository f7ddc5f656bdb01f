// What a council runs under: the defaults, what the settings say, and what was asked for on the spot, in that order.

import { type CouncilPolicy, DEFAULT_POLICY } from '../../council/policy.ts'
import type { CouncilSettings } from '../config/settings.ts'

/** Rules that differ from the defaults: quorum, budget, timeouts, short circuits, limits. */
export type PolicyGiven = { readonly [Section in keyof CouncilPolicy]?: Partial<CouncilPolicy[Section]> }

export interface PolicyWish {
  /** Rounds may be skipped where the conditions of the policy hold. */
  readonly shortCircuit?: boolean
  /** US dollars. */
  readonly maxCost?: number | null
}

/** An hour, where nobody set a round's time. */
const SLOW_ROUND_MS = 3_600_000

function patient(policy: CouncilPolicy): CouncilPolicy {
  const { r1_round, r2_round } = policy.timeouts
  const timeouts = { r1_round: r1_round ?? SLOW_ROUND_MS, r2_round: r2_round ?? SLOW_ROUND_MS }
  return { ...policy, timeouts: { ...policy.timeouts, ...timeouts } }
}

/** `panel`: only checks sit there; `slow`: a person or a host answers at one of the seats. */
export function policyOf(
  { quorum, short_circuit, budget, timeouts }: CouncilSettings,
  { shortCircuit = false, maxCost = null }: PolicyWish,
  { panel, slow }: { readonly panel: boolean; readonly slow: boolean },
): CouncilPolicy {
  const said = { ...DEFAULT_POLICY.quorum, ...quorum }
  const policy: CouncilPolicy = {
    ...DEFAULT_POLICY,
    quorum: panel ? { ...said, r1_min: 1, r2_min: 0 } : said,
    short_circuit: {
      enabled: shortCircuit || (short_circuit?.enabled ?? false),
      embeddings: short_circuit?.embeddings ?? DEFAULT_POLICY.short_circuit.embeddings,
      conditions: { ...DEFAULT_POLICY.short_circuit.conditions, ...short_circuit?.conditions },
    },
    budget: {
      cost: maxCost ?? budget?.cost ?? null,
      minutes: budget?.minutes ?? null,
    },
    timeouts: { ...DEFAULT_POLICY.timeouts, ...timeouts },
  }
  return slow ? patient(policy) : policy
}

/** `given` sections come before what the policy says. */
export const amendPolicy = (policy: CouncilPolicy, given: PolicyGiven = {}): CouncilPolicy => ({
  quorum: { ...policy.quorum, ...given.quorum },
  short_circuit: { ...policy.short_circuit, ...given.short_circuit },
  budget: { ...policy.budget, ...given.budget },
  timeouts: { ...policy.timeouts, ...given.timeouts },
  limits: { ...policy.limits, ...given.limits },
})
