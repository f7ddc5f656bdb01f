// How opinions, reviews and reports look in the prompts of later rounds, whole and condensed. A condensed one
// keeps the stance, the recommendation, every severe risk and critique, and every finding; omissions are
// counted.

import { asJson, asJsonObject, type Json } from '../../ledger/canonical.ts'
import type { Follow } from '../events.ts'
import { type FindingAnswer, isSevere } from '../replies/finding.ts'
import type { CouncilOpinion, Mode, OpinionAnswer } from '../replies/opinion.ts'
import type { CouncilReview, Critique } from '../replies/review.ts'
import type { ReportAnswer } from '../report/report.ts'
import { asData } from './escape-data.ts'

const CLIP = 400

export const clipped = (text: string, most = CLIP): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()} [cut: ${text.length} characters]`

const numbered = (findings: readonly FindingAnswer[], name: string): Json =>
  findings.map((finding, i) => ({ id: `${name}.f${i + 1}`, ...finding }))

const shortFindings = (findings: readonly FindingAnswer[], name: string): Json =>
  findings.map(({ severity, category, file, line, description, fix }, i) => ({
    id: `${name}.f${i + 1}`,
    severity,
    category,
    file,
    line,
    description: clipped(description),
    fix: clipped(fix),
  }))

const ofMode = (mode: Mode, opinion: OpinionAnswer, name: string): { readonly [name: string]: Json } => {
  const { alternatives, verification_plan, in_scope, out_of_scope, information_needed } = opinion
  if (mode === 'architecture')
    return asJsonObject({
      alternatives,
      verification_plan,
      in_scope,
      out_of_scope,
      information_needed,
    })
  return opinion.findings.length > 0 ? { findings: numbered(opinion.findings, name) } : {}
}

/** `name` is the label or the id under which this reader knows it. */
export function opinionValue(opinion: CouncilOpinion, name: string): Json {
  const { stance, confidence, summary, details, risks, assumptions, questions, mode, embedded } = opinion
  return asJson({
    opinion: name,
    ...(embedded ? { kind: 'deterministic checks, no model' } : {}),
    stance,
    confidence,
    summary,
    ...details,
    risks,
    assumptions,
    questions,
    ...ofMode(mode, opinion, name),
  })
}

export const renderOpinion = (opinion: CouncilOpinion, name: string): string =>
  asData(opinionValue(opinion, name))

export function renderOpinionBriefly(opinion: CouncilOpinion, name: string): string {
  const { stance, confidence, summary, details, risks, mode, embedded } = opinion
  const severe = risks.filter(({ severity }) => isSevere(severity))
  return asData(
    asJson({
      opinion: name,
      ...(embedded ? { kind: 'deterministic checks, no model' } : {}),
      stance,
      confidence,
      summary: clipped(summary),
      recommendation: clipped(details.recommendation),
      rationale: clipped(details.rationale),
      severe_risks: severe.map(({ severity, description, mitigation }) => ({
        severity,
        description: clipped(description),
        mitigation: clipped(mitigation),
      })),
      other_risks: risks.length - severe.length,
      ...(mode === 'review' || opinion.findings.length > 0
        ? { findings: shortFindings(opinion.findings, name) }
        : {}),
    }),
  )
}

type Numbered = Critique & { readonly id: string }

/** Critiques are counted over all targets of a review, in order. */
function withIds(review: CouncilReview): readonly (readonly Numbered[])[] {
  let n = 0
  return review.targets.map(({ critiques }) =>
    critiques.map((critique) => ({ id: `${review.id}.c${++n}`, ...critique })),
  )
}

export function reviewValue(review: CouncilReview): Json {
  const critiques = withIds(review)
  return asJson({
    review: review.id,
    targets: review.targets.map((target, i) => ({ ...target, critiques: critiques[i] ?? [] })),
    ...(review.missed_findings.length > 0
      ? { missed_findings: numbered(review.missed_findings, review.id) }
      : {}),
    stance_after: review.stance_after,
    changed_position: review.changed_position,
    recommendation_after: review.recommendation_after,
    why: review.why,
    confidence: review.confidence,
  })
}

export const renderReview = (review: CouncilReview): string => asData(reviewValue(review))

export function renderReviewBriefly(review: CouncilReview): string {
  const critiques = withIds(review)
  return asData(
    asJson({
      review: review.id,
      targets: review.targets.map(({ opinion, findings }, i) => {
        const all = critiques[i] ?? []
        const severe = all.filter(({ severity }) => isSevere(severity))
        return {
          opinion,
          severe_critiques: severe.map(({ id, kind, severity, description, correction }) => ({
            id,
            kind,
            severity,
            description: clipped(description),
            correction: clipped(correction),
          })),
          other_critiques: all.length - severe.length,
          findings: findings.map(({ finding, verdict, severity, note }) => ({
            finding,
            verdict,
            severity,
            note: clipped(note),
          })),
        }
      }),
      ...(review.missed_findings.length > 0
        ? { missed_findings: shortFindings(review.missed_findings, review.id) }
        : {}),
      stance_after: review.stance_after,
      changed_position: review.changed_position,
      recommendation_after: clipped(review.recommendation_after),
    }),
  )
}

export const renderReport = (report: ReportAnswer): string => asData(asJson(report))

export function renderFollow(follow: Follow): string {
  const { question, decision, conclusion, summary, points, open } = follow
  return asData({ question, decision, conclusion, summary, points, open } as Json)
}
