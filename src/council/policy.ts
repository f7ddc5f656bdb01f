// What a council runs under, as it is recorded when it opens. Names are the source's; what it leaves open has a number
// here, so that two installations fold the same minutes to the same decisions.

/** How many opinions and reviews are needed, and whether a chair must write the report. */
export interface QuorumPolicy {
  readonly r1_min: number
  readonly r2_min: number
  /** The chair must answer; a fallback and its disclaimer stand in when it does not. */
  readonly r3_required: boolean
  /** False: any failure ends the run. */
  readonly allow_partial: boolean
}

export const SKIP_R2 = ['high_agreement_in_r1', 'low_risk_topic'] as const
export const SKIP_R3 = ['r2_confirms_r1_consensus', 'budget_constraint'] as const
export type SkipR2 = (typeof SKIP_R2)[number]
export type SkipR3 = (typeof SKIP_R3)[number]

/** Which rounds may be skipped, and when. */
export interface ShortCircuitPolicy {
  readonly enabled: boolean
  /** Recommendations are also compared by an encoder, whose scores are recorded. */
  readonly embeddings: boolean
  /** Each condition suffices by itself. */
  readonly conditions: { readonly skip_r2_if: readonly SkipR2[]; readonly skip_r3_if: readonly SkipR3[] }
}

/** Null: no limit. */
export interface Budget {
  /** US dollars. */
  readonly cost: number | null
  readonly minutes: number | null
}

/** Milliseconds. A round's own timeout is by default the sum of those of its seats. */
export interface CouncilTimeouts {
  readonly r1_per_provider: number
  readonly r2_per_provider: number
  readonly r3_chair: number
  readonly cli_per_call: number
  readonly r1_round: number | null
  readonly r2_round: number | null
}

/** Sizes of prompts in characters, of replies in bytes. */
export interface PromptLimits {
  /** A longer context is condensed in rounds two and three. */
  readonly context_chars: number
  /** Opinions longer than this together make round two condense the context whatever its length. */
  readonly r2_opinions_chars: number
  /** Opinions and reviews longer than this together are condensed in round three. */
  readonly r3_material_chars: number
  readonly reply_bytes: number
}

/** By which rules a council is held: when there is enough, what may be skipped, and every limit. */
export interface CouncilPolicy {
  readonly quorum: QuorumPolicy
  readonly short_circuit: ShortCircuitPolicy
  readonly budget: Budget
  readonly timeouts: CouncilTimeouts
  readonly limits: PromptLimits
}

export const DEFAULT_POLICY: CouncilPolicy = {
  quorum: { r1_min: 2, r2_min: 1, r3_required: true, allow_partial: true },
  short_circuit: {
    enabled: false,
    embeddings: false,
    conditions: { skip_r2_if: SKIP_R2, skip_r3_if: SKIP_R3 },
  },
  budget: { cost: null, minutes: null },
  timeouts: {
    r1_per_provider: 60_000,
    r2_per_provider: 90_000,
    r3_chair: 120_000,
    cli_per_call: 180_000,
    r1_round: null,
    r2_round: null,
  },
  limits: {
    context_chars: 60_000,
    r2_opinions_chars: 24_000,
    r3_material_chars: 120_000,
    reply_bytes: 262_144,
  },
}
