// How much the later rounds of edition 1 show: the context whole up to a fixed length, else its shorter form;
// opinions and reviews whole up to another length, else their severe points.

import type { PackText } from '../context.ts'
import type { CouncilReview } from '../replies/review.ts'
import type { OpenedCouncil } from '../state.ts'
import { contextSections, lengthOf, opinionSections, reviewSections, wordsOf } from './quoted.ts'
import {
  clipped,
  renderOpinion,
  renderOpinionBriefly,
  renderReview,
  renderReviewBriefly,
} from './rendering.ts'
import type { Section } from './sections.ts'
import type { Shown } from './shown-opinions.ts'

/** A context short enough is its own condensation; one that stays too long is cut at the limit, part by part. */
function condensedContext(state: OpenedCouncil, pack: PackText, isCrowded: boolean): readonly Section[] {
  const { context_chars } = state.opened.policy.limits
  if (lengthOf(pack.parts) <= context_chars && !isCrowded) return contextSections(state, pack.parts, false)
  const share = Math.floor(context_chars / Math.max(1, pack.condensed.length))
  const isLong = lengthOf(pack.condensed) > context_chars
  const parts = pack.condensed.map(({ name, text }) => ({ name, text: isLong ? clipped(text, share) : text }))
  return contextSections(state, parts, true)
}

export interface Material {
  readonly pack: PackText
  readonly opinions: readonly Shown[]
  readonly reviews: readonly CouncilReview[]
}

export function condenseMaterial1(
  state: OpenedCouncil,
  round: 'R2' | 'R3',
  { pack, opinions, reviews }: Material,
): readonly Section[] {
  const { r2_opinions_chars, r3_material_chars } = state.opened.policy.limits
  const full = [
    ...opinionSections(state, opinions, renderOpinion),
    ...reviewSections(state, reviews, renderReview),
  ]
  const size = lengthOf(full)
  const isHuge = size > r3_material_chars
  const brief = (): readonly Section[] => [
    { name: 'condensed', own: wordsOf(state).condensed },
    ...opinionSections(state, opinions, renderOpinionBriefly),
    ...reviewSections(state, reviews, renderReviewBriefly),
  ]
  const isCrowded = round === 'R2' ? size > r2_opinions_chars : isHuge
  return [...condensedContext(state, pack, isCrowded), ...(isHuge ? brief() : full)]
}
