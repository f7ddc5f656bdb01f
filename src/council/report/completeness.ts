// How complete an opinion is, for choosing the one that is shown when every chair failed. It counts content,
// not whether it is right: no one is left to judge that.

import { CONFIDENCES } from '../replies/finding.ts'
import type { CouncilOpinion } from '../replies/opinion.ts'

/** Points for a non-empty text, and for up to this many entries of a list. */
const pointsForText = (text: string, points: number): number => (text.trim() === '' ? 0 : points)
const listed = (items: readonly unknown[], most: number, points: number): number =>
  (Math.min(items.length, most) / most) * points

/** From 0 to 20. */
export function completenessOf(opinion: CouncilOpinion): number {
  const { details } = opinion
  const perMode =
    opinion.mode === 'review'
      ? listed(opinion.findings, 5, 4)
      : opinion.mode === 'architecture'
        ? listed(opinion.alternatives, 2, 2) + listed(opinion.verification_plan, 3, 2)
        : pointsForText(details.rationale, 2) + listed(details.key_considerations, 5, 2)
  return (
    pointsForText(opinion.summary, 2) +
    pointsForText(details.understanding, 1) +
    listed(details.key_considerations, 5, 2) +
    pointsForText(details.recommendation, 4) +
    pointsForText(details.rationale, 3) +
    listed(opinion.risks, 3, 2) +
    listed(opinion.assumptions, 3, 1) +
    listed(opinion.questions, 3, 1) +
    perMode
  )
}

/** The most complete one; among equals the more confident, then the first seat. Models before checks. */
export function mostComplete(opinions: readonly CouncilOpinion[]): CouncilOpinion | null {
  const rank = (opinion: CouncilOpinion): readonly number[] => [
    opinion.embedded ? 0 : 1,
    completenessOf(opinion),
    CONFIDENCES.indexOf(opinion.confidence),
  ]
  const isBetter = (a: readonly number[], b: readonly number[]): boolean => {
    const i = a.findIndex((value, k) => value !== b[k])
    return i !== -1 && Number(a[i]) > Number(b[i])
  }
  return opinions.reduce<CouncilOpinion | null>(
    (best, opinion) => (best === null || isBetter(rank(opinion), rank(best)) ? opinion : best),
    null,
  )
}
