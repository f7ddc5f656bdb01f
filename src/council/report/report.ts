// The final report: what a chair answers, and the record of it. Everything in the record that can be checked
// or counted is ours: citations, locations, the majority, who changed position, what stayed open. A chair
// cannot change it.

import type { Confidence, Finding, FindingAnswer, Priority, Severity } from '../replies/finding.ts'
import type { ArchitectureAnswer, Mode, Stance } from '../replies/opinion.ts'

/** A reason for the decision, with the opinions that it is based on. */
export interface RationalePoint {
  readonly point: string
  /** Ids of opinions, reviews, critiques and findings. */
  readonly supported_by: readonly string[]
}

/** Something that may go wrong. */
export interface ReportRisk {
  readonly description: string
  readonly severity: Severity
  readonly mitigation: string
  readonly mentioned_by: readonly string[]
  readonly status: 'agreed' | 'disputed'
}

/** Something to do, by when, and how to tell that it is done. */
export interface NextAction {
  readonly action: string
  readonly priority: Priority
  readonly success_criteria: string
}

/** A disagreement between seats: who holds what, how it was resolved, and why. */
export interface Disagreement {
  readonly topic: string
  readonly positions: readonly { readonly held_by: readonly string[]; readonly position: string }[]
  readonly resolution: string
  readonly why: string
}

/** What is not known, and how to find out. */
export interface Uncertainty {
  readonly point: string
  readonly confidence: Confidence
  readonly verification: string
}

/** The outcome of a critique that a reviewer raised. */
export interface AnsweredCritique {
  /** For example `rv-2.c1`. */
  readonly critique: string
  readonly answer: string
}

export interface ReportFindingAnswer extends FindingAnswer {
  readonly sources: readonly string[]
}

export interface ReportAnswer extends ArchitectureAnswer {
  readonly decision: Stance
  readonly conclusion: string
  /** Why it is need-info; otherwise empty. */
  readonly need_info_reason: string
  readonly summary: string
  readonly confidence: Confidence
  readonly rationale: readonly RationalePoint[]
  readonly risks: readonly ReportRisk[]
  readonly next_actions: readonly NextAction[]
  readonly disagreements: readonly Disagreement[]
  readonly uncertainties: readonly Uncertainty[]
  readonly consensus_points: readonly string[]
  readonly answered_critiques: readonly AnsweredCritique[]
  /** Empty unless the council reviews. */
  readonly findings: readonly ReportFindingAnswer[]
}

/** A place of the report that names something that does not exist. */
export interface Unsupported {
  /** For example `rationale[2]`; `decision` when it disagrees with the majority and cites nothing that refutes it. */
  readonly place: string
  /** The ids that name nothing; empty when the place names nothing at all. */
  readonly cited: readonly string[]
}

/** A severe critique or finding that the report does not answer. */
export interface Unresolved {
  readonly id: string
  readonly severity: Severity
  readonly description: string
}

/** The distribution of stances in the first round. */
export interface Majority {
  /** Null when no single stance is the most frequent. */
  readonly stance: Stance | null
  readonly counts: { readonly [stance: string]: number }
  /** The decision differs from the majority's. */
  readonly departed: boolean
}

/** A seat that changed its stance after the reviews. */
export interface PositionChange {
  readonly seat: string
  readonly before: Stance
  readonly after: Stance
  readonly why: string
}

/** A seat at this table, and the vendor of its model. */
export interface Participant {
  readonly seat: string
  readonly provider: string
  readonly vendor: string
  readonly model: string | null
  readonly roles: readonly string[]
  readonly embedded: boolean
  /** The role that it was told to take, and the settings of its model, where a panel states them. */
  readonly stance?: string
  readonly temperature?: number
  readonly thinking?: string
}

/** `chair`: a model wrote it. `fallback`: the chair failed, the best opinion is shown. `none`: assembled from R1. */
export type Synthesis = 'chair' | 'fallback' | 'none'

/** The one report that a council ends with: decision, why, dissent, risks, next actions. */
export interface CouncilFinalReport extends Omit<ReportAnswer, 'findings'> {
  readonly mode: Mode
  readonly synthesis: Synthesis
  /** The seat of the chair; null when no model wrote it. */
  readonly chair: string | null
  /** Text that must be shown with it: the disclaimer, the banner of the checks, how much agreement means. */
  readonly notices: readonly string[]
  /** The id of the opinion that is shown instead of a synthesis. */
  readonly shown_opinion: string | null
  readonly findings: readonly Finding[]
  readonly unsupported: readonly Unsupported[]
  readonly unresolved: readonly Unresolved[]
  readonly majority: Majority
  readonly position_changes: readonly PositionChange[]
  /** All seats that agree are of one vendor, so their agreement means little. */
  readonly one_vendor: boolean
  readonly participants: readonly Participant[]
  readonly rounds_completed: readonly ('R1' | 'R2' | 'R3')[]
  readonly short_circuit: { readonly triggered: boolean; readonly rounds_skipped: readonly string[] }
  /** By how much skipped rounds lower confidence. Since edition 2 `confidence` is the remaining value. */
  readonly confidence_adjustment: number
  /** The confidence that the chair or the opinions state, before any reduction. Since edition 2. */
  readonly confidence_stated?: Confidence
  readonly duration_ms: number
}

export const DISCLAIMER = 'Chair synthesis failed; showing best individual opinion'
export const CHECKS_ONLY = 'Checks only: no language model was asked.'
export const SCRIPTED = 'Scripted demo: no model was asked.'
export const ONE_VENDOR = 'one vendor: agreement counts little'
