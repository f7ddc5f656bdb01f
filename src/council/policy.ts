// The policy of a council, as it is recorded when it opens. Names are those of the specification; what it
// leaves open has a number here, so that two installations fold the same trace to the same decisions.

/** How many opinions and reviews are needed, and whether a chair must write the report. */
export interface QuorumPolicy {
  readonly r1_min: number
  readonly r2_min: number
  /** The chair must answer; otherwise a fallback with its disclaimer is shown. */
  readonly r3_required: boolean
  /** False: any failure ends the run. */
  readonly allow_partial: boolean
}

/** A quorum as it may be written: by the names here, or by those of the specification. */
export interface QuorumGiven extends Partial<QuorumPolicy> {
  readonly r1_min_responses?: number
  readonly r2_min_responses?: number
}

/** Under the names by which it is recorded. */
export function quorumGiven(quorum: QuorumGiven = {}): Partial<QuorumPolicy> {
  const { r1_min_responses, r2_min_responses, ...rest } = quorum
  return {
    ...(r1_min_responses !== undefined && { r1_min: r1_min_responses }),
    ...(r2_min_responses !== undefined && { r2_min: r2_min_responses }),
    ...rest,
  }
}

/** `always`: there is no second round; an evaluation measures its value that way. Since edition 2. */
export const SKIP_R2 = ['high_agreement_in_r1', 'low_risk_topic', 'always'] as const
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

/**
 * Milliseconds. For a seat: how long it may be silent; a whole call may take five times as long. For a round: by
 * default the sum of what its seats may take.
 */
export interface CouncilTimeouts {
  readonly r1_per_provider: number
  readonly r2_per_provider: number
  readonly r3_chair: number
  readonly cli_per_call: number
  readonly r1_round: number | null
  readonly r2_round: number | null
  /** Since edition 2. */
  readonly r3_round?: number | null
  /** For every call, before all others: from `--timeout`. Since edition 2. */
  readonly each?: number
}

/** Sizes of prompts in characters, of replies in bytes. */
export interface PromptLimits {
  /** A longer context is condensed in rounds two and three. */
  readonly context_chars: number
  /** Opinions that are longer than this together make round two condense the context at any length. */
  readonly r2_opinions_chars: number
  /** Opinions and reviews longer than this together are condensed in round three. */
  readonly r3_material_chars: number
  readonly reply_bytes: number
}

/** The rules of a council: when there are enough answers, what may be skipped, and every limit. */
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
    conditions: { skip_r2_if: ['high_agreement_in_r1', 'low_risk_topic'], skip_r3_if: SKIP_R3 },
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

// The length limit of a prompt, in characters, from the number of tokens that a model reads and writes in one
// call. It is recorded when a council opens, and prompts depend on it alone: they use no estimate of tokens.

/** For a model about which nothing is known. */
const USUAL_WINDOW = 128_000
/** Tokens kept free for the answer and the thinking before it: a quarter, and no more than this. */
const MOST_REPLY_TOKENS = 32_000
/** Fewer than usual, since code and long words take more tokens than prose. */
const CHARS_PER_TOKEN = 3
/** No matter how large the window: a longer prompt costs more than it tells. */
const MOST_CHARS = 700_000

export function promptChars(contextWindow: number | null): number {
  const window = contextWindow ?? USUAL_WINDOW
  const forReply = Math.min(MOST_REPLY_TOKENS, Math.floor(window / 4))
  return Math.min(MOST_CHARS, (window - forReply) * CHARS_PER_TOKEN)
}
