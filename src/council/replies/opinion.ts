// An opinion of round one: a model's answer, and the record of it with its seat and time. The record is a
// function of the trace; a model never states who it is.

import type { Confidence, FindingAnswer, Severity } from './finding.ts'

export const MODES = ['ask', 'architecture', 'review'] as const
export type Mode = (typeof MODES)[number]

/** `answer`: the question is not a yes-or-no question. In a review, adopt means that the change may be merged as it is. */
export const STANCES = ['adopt', 'reject', 'answer', 'need-info'] as const
/** Of an opinion in prose that states none: it counts for the quorum, but neither for the majority nor for agreement. */
export const UNSTATED = 'unstated'
export type Stance = (typeof STANCES)[number] | typeof UNSTATED

/** What is at stake if the answer is wrong, according to its author; `unstated` where it does not say. Since edition 2. */
export const STAKES = ['low', 'medium', 'high'] as const
export type Stakes = (typeof STAKES)[number] | typeof UNSTATED

/** The allowed stances of each mode. */
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

/** Another option that was considered. */
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

/** Who recorded something, when, and its usage. */
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

/** The opinion of one seat, and how it was obtained. */
export interface CouncilOpinion extends OpinionAnswer, Provenance {
  /** `op-1` for the first seat, answered or not. */
  readonly id: string
  readonly round: 'R1'
  readonly mode: Mode
  /** Checks, not a model. */
  readonly embedded: boolean
  /** The model answered in prose; its text is the recommendation. */
  readonly prose?: true
}
