// What a council runs under: the defaults, what the settings say, and what was asked for on the spot, in that order.

import { type CouncilPolicy, DEFAULT_POLICY } from '../../council/policy.ts'
import type { CouncilSettings } from '../config/settings.ts'

export interface PolicyWish {
  readonly shortCircuit: boolean
  /** US dollars. */
  readonly maxCost: number | null
  /** Only checks sit at the table: one opinion is all there can be. */
  readonly panel: boolean
}

export function policyOf(settings: CouncilSettings, wish: PolicyWish): CouncilPolicy {
  const { quorum, short_circuit, budget, timeouts } = settings
  const said = { ...DEFAULT_POLICY.quorum, ...quorum }
  return {
    ...DEFAULT_POLICY,
    quorum: wish.panel ? { ...said, r1_min: 1, r2_min: 0 } : said,
    short_circuit: {
      enabled: wish.shortCircuit || (short_circuit?.enabled ?? false),
      embeddings: short_circuit?.embeddings ?? DEFAULT_POLICY.short_circuit.embeddings,
      conditions: { ...DEFAULT_POLICY.short_circuit.conditions, ...short_circuit?.conditions },
    },
    budget: {
      cost: wish.maxCost ?? budget?.cost ?? null,
      minutes: budget?.minutes ?? null,
    },
    timeouts: { ...DEFAULT_POLICY.timeouts, ...timeouts },
  }
}
