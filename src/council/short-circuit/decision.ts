// The record of whether a round is skipped, with the numbers behind it.

/** Whether a round was skipped, why, and by how much that lowers confidence. */
export interface ShortCircuitDecision {
  readonly triggered: boolean
  readonly reason: string
  readonly rounds_skipped: readonly ('R2' | 'R3')[]
  readonly confidence_adjustment: number
}

export interface Criteria {
  readonly agreement: {
    readonly score: number
    readonly stance: number
    readonly recommendation: number
    /** How recommendations were compared. */
    readonly by: 'words' | 'embeddings'
    /** The remaining weight of agreement among seats of one vendor, from 0.5 to 1. */
    readonly vendor_factor: number
    readonly stances: { readonly [stance: string]: number }
  }
  readonly risk: {
    readonly class: 'low' | 'medium' | 'high'
    /** Words of the question that raise it. */
    readonly words: readonly string[]
    /** Why opinions do not say that it is low. Since edition 2. */
    readonly doubts?: readonly string[]
  }
  readonly budget: {
    /** At least this much: calls whose cost is not known are not in it. */
    readonly cost_at_least: number
    readonly cost_unknown_calls: number
    readonly minutes: number
    /** The larger used share of the two budgets; null without budgets. */
    readonly used: number | null
  }
  /** Only after R2. */
  readonly r2_confirms: boolean | null
}

export interface ShortCircuitDecided extends ShortCircuitDecision {
  readonly action: string
  readonly after: 'R1' | 'R2'
  readonly enabled: boolean
  /** What the policy says, or would say if it were enabled. */
  readonly shadow: ShortCircuitDecision
  /** Rounds that cannot take place: one opinion has no reviewer, checks have no chair. */
  readonly impossible: readonly ('R2' | 'R3')[]
  readonly criteria: Criteria
}
