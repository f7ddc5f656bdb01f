// The three prompts of a council, each the same chain: preamble, context, opinions, reviews, instructions. Building one
// is a function of the minutes and the pack, so that a verifier can build it again and hold it against what was sent.

import type { Sha256 } from '../../ledger/bytes.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { PACK, type PackPart, type PackText } from '../context.ts'
import { editionOf } from '../editions.ts'
import { ASKED_OPINION, ASKED_REPORT, ASKED_REVIEW } from '../replies/schemas.ts'
import { unknownCitations } from '../report/citations.ts'
import { seatOf } from '../seat-ids.ts'
import { standing } from '../stage.ts'
import type { Convened } from '../state.ts'
import { asData } from './data.ts'
import {
  clipped,
  renderFollow,
  renderOpinion,
  renderOpinionBriefly,
  renderReport,
  renderReview,
  renderReviewBriefly,
} from './rendering.ts'
import { partsOf, type Quoted, type Section } from './sections.ts'
import { type Shown, shownTo, shownToChair } from './shown.ts'
import { WORDS, type Words } from './words.ts'

export interface CouncilPrompt {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema
}

/** For whom a prompt is made, and in answer to which action. */
export type Asking = { readonly action: string } & (
  | { readonly round: 'R1' }
  | { readonly round: 'R2'; readonly seat: string }
  | { readonly round: 'R3'; readonly n: number; readonly mend: boolean }
)

const wordsOf = (state: Convened): Words => WORDS[editionOf(state).words]

/**
 * R1 is one prompt for all seats, so it has one code; no word of a model stands in it. By round alone, a chair in a fork
 * was shown the code that another chair was shown before.
 */
function purposeOf(state: Convened, asking: Asking): string {
  const isOfAsking = editionOf(state).marks === 'asking'
  if (asking.round === 'R1') return isOfAsking ? `${state.trace} R1` : 'R1'
  if (isOfAsking) return `${state.trace} ${asking.action}`
  return asking.round === 'R2' ? `R2 ${asking.seat}` : `R3 ${asking.n}`
}

function partsFor(
  sha256: Sha256,
  state: Convened,
  asking: Asking,
  sections: readonly Section[],
): readonly PromptPart[] {
  const { seed } = state.opened
  const { words } = editionOf(state)
  return partsOf(sha256, { seed, purpose: purposeOf(state, asking), words }, sections)
}

const lengthOf = (texts: readonly { readonly text: string }[]): number =>
  texts.reduce((sum, { text }) => sum + text.length, 0)

function questionSections({ opened, openedEvent }: Convened): readonly Section[] {
  const quotes = { kind: 'event', id: openedEvent } as const
  const { constraints, focus, follow } = opened
  const terms = { ...(constraints.length > 0 && { constraints }), ...(focus.length > 0 && { focus }) }
  return [
    { name: 'mode', own: opened.mode },
    { name: 'question', text: opened.question, quotes, tag: 'question' },
    ...(Object.keys(terms).length > 0
      ? [{ name: 'constraints', text: asData(terms), quotes, tag: 'constraints' }]
      : []),
    ...(follow
      ? [
          {
            name: 'previous',
            text: renderFollow(follow),
            quotes: { kind: 'event', id: follow.event } as const,
            tag: 'previous-council',
          },
        ]
      : []),
  ]
}

function contextSections(
  state: Convened,
  parts: readonly PackPart[],
  isCondensed: boolean,
): readonly Section[] {
  const hash = state.opened.artifacts.find(({ name }) => name === PACK)?.hash ?? ''
  const quoted = parts.map(
    ({ name, text }): Quoted => ({
      name,
      text,
      quotes: { kind: 'artifact', id: hash },
      tag: name === 'diff' ? 'diff' : 'file',
      ...(name.startsWith('context:') ? { attributes: { path: name.slice('context:'.length) } } : {}),
    }),
  )
  return isCondensed && quoted.length > 0
    ? [{ name: 'condensed', own: wordsOf(state).condensed }, ...quoted]
    : quoted
}

/** A context short enough is its own condensation; one that stays too long is cut at the limit, part by part. */
function condensedContext(state: Convened, pack: PackText, isCrowded: boolean): readonly Section[] {
  const { context_chars } = state.opened.policy.limits
  if (lengthOf(pack.parts) <= context_chars && !isCrowded) return contextSections(state, pack.parts, false)
  const share = Math.floor(context_chars / Math.max(1, pack.condensed.length))
  const isLong = lengthOf(pack.condensed) > context_chars
  const parts = pack.condensed.map(({ name, text }) => ({ name, text: isLong ? clipped(text, share) : text }))
  return contextSections(state, parts, true)
}

function opinionSections(
  state: Convened,
  shown: readonly Shown[],
  render: (opinion: Shown['opinion'], name: string) => string,
): readonly Quoted[] {
  return shown.map(({ name, opinion }) => {
    const seat = seatOf(state, opinion.seat)
    const by = state.opened.labelled && seat ? { by: `${seat.provider} ${opinion.model ?? ''}`.trim() } : {}
    return {
      name: 'opinions',
      text: render(opinion, name),
      quotes: { kind: 'event', id: opinion.event },
      tag: 'opinion',
      attributes: { label: name, ...by },
    }
  })
}

function reviewPrompt(
  sha256: Sha256,
  state: Convened,
  asking: Asking & { readonly round: 'R2' },
  pack: PackText,
): CouncilPrompt {
  const { seat } = asking
  const { mode, policy } = state.opened
  const { condensed, instructions, preamble } = wordsOf(state)
  const shown = shownTo(sha256, state, seat)
  const full = opinionSections(state, shown, renderOpinion)
  const size = lengthOf(full)
  const isHuge = size > policy.limits.r3_material_chars
  const sections: readonly Section[] = [
    ...questionSections(state),
    ...condensedContext(state, pack, size > policy.limits.r2_opinions_chars),
    ...(isHuge ? [{ name: 'condensed', own: condensed }] : []),
    ...(isHuge ? opinionSections(state, shown, renderOpinionBriefly) : full),
    { name: 'instructions', own: instructions.R2(mode) },
  ]
  return {
    system: preamble.R2(mode),
    parts: partsFor(sha256, state, asking, sections),
    schema: ASKED_REVIEW[mode],
  }
}

/** What the chair is told when it is asked to mend: its report, and the places that cite nothing. */
function mendSections(state: Convened): readonly Section[] {
  const given = standing(state)
  if (!given?.outcome.ok || !given.outcome.answer) return []
  const { answer, took } = given.outcome
  const quotes = { kind: 'event', id: took.event } as const
  const places = unknownCitations(state, answer).map(({ place, cited }) => ({ place, cited }))
  return [
    { name: 'report', text: renderReport(answer), quotes, tag: 'report' },
    { name: 'unknown', text: asData(places), quotes, tag: 'unknown-citations' },
  ]
}

function reportPrompt(
  sha256: Sha256,
  state: Convened,
  asking: Asking & { readonly round: 'R3' },
  pack: PackText,
): CouncilPrompt {
  const { n, mend } = asking
  const { mode, policy } = state.opened
  const { condensed, instructions, preamble } = wordsOf(state)
  const { opinions, reviews } = shownToChair(sha256, state, n)
  const reviewSections = (render: typeof renderReview): readonly Quoted[] =>
    reviews.map((review) => ({
      name: 'reviews',
      text: render(review),
      quotes: { kind: 'event', id: review.event },
      tag: 'review',
      attributes: { id: review.id },
    }))
  const full = [...opinionSections(state, opinions, renderOpinion), ...reviewSections(renderReview)]
  const isHuge = lengthOf(full) > policy.limits.r3_material_chars
  const brief = (): readonly Section[] => [
    { name: 'condensed', own: condensed },
    ...opinionSections(state, opinions, renderOpinionBriefly),
    ...reviewSections(renderReviewBriefly),
  ]
  const sections: readonly Section[] = [
    ...questionSections(state),
    ...condensedContext(state, pack, isHuge),
    ...(isHuge ? brief() : full),
    ...(mend ? mendSections(state) : []),
    { name: 'instructions', own: instructions.R3(mode) },
    ...(mend ? [{ name: 'mend', own: instructions.mend }] : []),
  ]
  return {
    system: preamble.R3(mode),
    parts: partsFor(sha256, state, asking, sections),
    schema: ASKED_REPORT[mode],
  }
}

function opinionPrompt(sha256: Sha256, state: Convened, asking: Asking, pack: PackText): CouncilPrompt {
  const { mode } = state.opened
  const { instructions, preamble } = wordsOf(state)
  const sections: readonly Section[] = [
    ...questionSections(state),
    ...contextSections(state, pack.parts, false),
    { name: 'instructions', own: instructions.R1(mode) },
  ]
  return {
    system: preamble.R1(mode),
    parts: partsFor(sha256, state, asking, sections),
    schema: ASKED_OPINION[mode],
  }
}

export function promptFor(sha256: Sha256, state: Convened, asking: Asking, pack: PackText): CouncilPrompt {
  if (asking.round === 'R1') return opinionPrompt(sha256, state, asking, pack)
  if (asking.round === 'R2') return reviewPrompt(sha256, state, asking, pack)
  return reportPrompt(sha256, state, asking, pack)
}
