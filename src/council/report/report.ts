// The final report: what a chair answers, and the record of it. Everything in the record that can be checked or counted is
// ours: citations, locations, the majority, who changed position, what stayed open. A chair cannot say it otherwise.

import type { Confidence, Finding, FindingAnswer, Priority, Severity } from '../replies/finding.ts'
import type { ArchitectureAnswer, Mode, Stance } from '../replies/opinion.ts'

/** A reason for the decision, with the opinions that it rests on. */
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

/** Something to do, how soon, and how one knows that it is done. */
export interface NextAction {
  readonly action: string
  readonly priority: Priority
  readonly success_criteria: string
}

/** Where seats differ: who holds what, how it was resolved, and why. */
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

/** What became of a critique that a reviewer raised. */
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
  /** Why it is need-info; else empty. */
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

/** A place of the report that names what does not exist. */
export interface Unsupported {
  /** For example `rationale[2]`; `decision` when it departs from the majority and cites nothing that refutes it. */
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

/** How the stances of the first round were spread. */
export interface Majority {
  /** Null when the most frequent stance is shared by no more than another. */
  readonly stance: Stance | null
  readonly counts: { readonly [stance: string]: number }
  /** The decision is another than the majority's. */
  readonly departed: boolean
}

/** A seat that changed its stance after the reviews. */
export interface PositionChange {
  readonly seat: string
  readonly before: Stance
  readonly after: Stance
  readonly why: string
}

/** A seat at this table, and whose model answered there. */
export interface Participant {
  readonly seat: string
  readonly provider: string
  readonly vendor: string
  readonly model: string | null
  readonly roles: readonly string[]
  readonly embedded: boolean
  /** The part that it was told to take, and how its model was asked, where a panel said so. */
  readonly stance?: string
  readonly temperature?: number
  readonly thinking?: string
}

/** `chair`: a model wrote it. `fallback`: the chair failed, the best opinion is shown. `none`: put together from R1. */
export type Synthesis = 'chair' | 'fallback' | 'none'

/** The one report that a council ends with: decision, why, dissent, risks, next actions. */
export interface CouncilFinalReport extends Omit<ReportAnswer, 'findings'> {
  readonly mode: Mode
  readonly synthesis: Synthesis
  /** The seat of the chair; null when no model wrote it. */
  readonly chair: string | null
  /** Words that must be shown with it: the disclaimer, the banner of the checks, what agreement is worth. */
  readonly notices: readonly string[]
  /** The id of the opinion that is shown instead of a synthesis. */
  readonly shown_opinion: string | null
  readonly findings: readonly Finding[]
  readonly unsupported: readonly Unsupported[]
  readonly unresolved: readonly Unresolved[]
  readonly majority: Majority
  readonly position_changes: readonly PositionChange[]
  /** All who agree are of one vendor, whose agreement counts little. */
  readonly one_vendor: boolean
  readonly participants: readonly Participant[]
  readonly rounds_completed: readonly ('R1' | 'R2' | 'R3')[]
  readonly short_circuit: { readonly triggered: boolean; readonly rounds_skipped: readonly string[] }
  /** What skipped rounds take from confidence. Since edition 2 `confidence` is what is left of it. */
  readonly confidence_adjustment: number
  /** What the chair or the opinions themselves say, before anything was taken from it. Since edition 2. */
  readonly confidence_stated?: Confidence
  readonly duration_ms: number
}

export const DISCLAIMER = 'Chair synthesis failed; showing best individual opinion'
export const CHECKS_ONLY = 'Checks only: no language model was asked.'
export const SCRIPTED = 'Scripted demo: no model was asked.'
export const ONE_VENDOR = 'one vendor: agreement counts little'
