// An opinion of round one: what a model answers, and the record of it with who answered when. The record is a function
// of the minutes; a model never says who it is.

import type { Confidence, FindingAnswer, Severity } from './finding.ts'

export const MODES = ['ask', 'architecture', 'review'] as const
export type Mode = (typeof MODES)[number]

/** `answer`: the question is none of yes or no. In a review, adopt means that the change may go in as it is. */
export const STANCES = ['adopt', 'reject', 'answer', 'need-info'] as const
/** Of an opinion in prose that states none: it counts for the quorum, and neither for the majority nor for agreement. */
export const UNSTATED = 'unstated'
export type Stance = (typeof STANCES)[number] | typeof UNSTATED

/** What is at stake if the answer is wrong, as its writer says; `unstated` where it does not. Since edition 2. */
export const STAKES = ['low', 'medium', 'high'] as const
export type Stakes = (typeof STAKES)[number] | typeof UNSTATED

/** What may be said in each mode. */
export const STANCES_OF: Readonly<Record<Mode, readonly Stance[]>> = {
  ask: STANCES,
  architecture: ['adopt', 'reject', 'need-info'],
  review: ['adopt', 'reject', 'need-info'],
}

/** A risk that one seat sees, and what helps against it. */
export interface OpinionRisk {
  readonly description: string
  readonly severity: Severity
  readonly mitigation: string
}

/** Another course that was weighed. */
export interface Alternative {
  readonly name: string
  readonly pros: readonly string[]
  readonly cons: readonly string[]
  readonly when_to_use: string
}

/** What only an architecture council is asked for; empty in the other modes. */
export interface ArchitectureAnswer {
  readonly alternatives: readonly Alternative[]
  readonly verification_plan: readonly string[]
  readonly in_scope: readonly string[]
  readonly out_of_scope: readonly string[]
  readonly information_needed: readonly string[]
}

export interface OpinionAnswer extends ArchitectureAnswer {
  readonly stance: Stance
  readonly summary: string
  readonly details: {
    readonly understanding: string
    readonly key_considerations: readonly string[]
    readonly recommendation: string
    readonly rationale: string
  }
  readonly risks: readonly OpinionRisk[]
  readonly assumptions: readonly string[]
  readonly questions: readonly string[]
  readonly confidence: Confidence
  /** Since edition 2. */
  readonly stakes?: Stakes
  /** Empty unless the council reviews. */
  readonly findings: readonly FindingAnswer[]
}

/** Tokens of one answer; null where it is not known. */
export interface CallUsage {
  readonly input_tokens: number | null
  readonly output_tokens: number | null
}

/** Who said something, when, and what it took. */
export interface Provenance {
  /** `trace/seq` of the event. */
  readonly event: string
  readonly seat: string
  readonly provider: string
  readonly model: string | null
  readonly transport: string
  readonly timestamp: string
  readonly usage: CallUsage
  /** Null when unknown. */
  readonly cost_usd: number | null
  readonly latency_ms: number
}

/** What one seat answered alone, and how it came about. */
export interface CouncilOpinion extends OpinionAnswer, Provenance {
  /** `op-1` for the first seat at the table, answered or not. */
  readonly id: string
  readonly round: 'R1'
  readonly mode: Mode
  /** Checks, not a model. */
  readonly embedded: boolean
  /** The model answered in prose; what it wrote stands as its recommendation. */
  readonly prose?: true
}
