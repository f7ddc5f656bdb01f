// A review of round two: what one seat says about the opinions of the others. Reviewers see labels; the
// record names opinions by their ids, so that a reader can find what was said about an opinion without
// knowing the labels.

import type { Confidence, FindingAnswer, Severity } from './finding.ts'
import type { Mode, Provenance, Stance } from './opinion.ts'

export const CRITIQUES = ['error', 'inconsistency', 'omission', 'risk', 'assumption', 'alternative'] as const
export type CritiqueKind = (typeof CRITIQUES)[number]

/** The five that every review must cover, for every opinion. */
export const DIMENSIONS = ['errors', 'omissions', 'risks', 'counter_arguments', 'assumptions'] as const
export type Dimension = (typeof DIMENSIONS)[number]

export const VERDICTS = [
  'confirmed',
  'false_positive',
  'severity_disputed',
  'better_fix',
  'missing_context',
  'priority',
] as const
export type Verdict = (typeof VERDICTS)[number]

export interface Critique {
  readonly kind: CritiqueKind
  readonly severity: Severity
  readonly description: string
  /** Where in the opinion. */
  readonly location: string
  readonly correction: string
}

export interface DisagreementPoint {
  readonly topic: string
  readonly their_position: string
  readonly own_position: string
  readonly why: string
}

export interface FindingVerdict {
  /** For example `op-1.f2`. */
  readonly finding: string
  readonly verdict: Verdict
  readonly severity: Severity
  readonly note: string
}

/** What a reviewer says about one opinion. */
export interface TargetReview {
  /** For example `op-1`. */
  readonly opinion: string
  readonly dimensions: Readonly<Record<Dimension, string>>
  readonly critiques: readonly Critique[]
  readonly agreement_points: readonly string[]
  readonly disagreement_points: readonly DisagreementPoint[]
  /** Empty unless the council reviews. */
  readonly findings: readonly FindingVerdict[]
}

export interface ReviewAnswer {
  readonly targets: readonly TargetReview[]
  /** Empty unless the council reviews. */
  readonly missed_findings: readonly FindingAnswer[]
  /** The reviewer's position after reading the others. */
  readonly stance_after: Stance
  readonly recommendation_after: string
  readonly why: string
  readonly confidence: Confidence
}

/** What one seat says about the others' opinions, and its position now. */
export interface CouncilReview extends ReviewAnswer, Provenance {
  /** `rv-1` for the first seat at the table; its critiques are `rv-1.c1` and so on, over all targets. */
  readonly id: string
  readonly round: 'R2'
  readonly mode: Mode
  readonly changed_position: boolean
  /** Opinions that it was shown and did not mention. */
  readonly uncovered: readonly string[]
}
