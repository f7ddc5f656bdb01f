// What is quoted in a prompt, as sections: the question, the context, opinions and reviews, each under the
// event or the artifact that it comes from.

import { PACK, type PackPart } from '../context.ts'
import { editionOf } from '../editions.ts'
import type { CouncilReview } from '../replies/review.ts'
import { seatOf } from '../seat-ids.ts'
import type { OpenedCouncil } from '../state.ts'
import { asData } from './escape-data.ts'
import { renderFollow } from './rendering.ts'
import type { Quoted, Section } from './sections.ts'
import { withoutAuthor } from './self-naming.ts'
import type { Shown } from './shown-opinions.ts'
import { WORDS, type Words } from './words.ts'

export const wordsOf = (state: OpenedCouncil): Words => WORDS[editionOf(state).words]

export const lengthOf = (texts: readonly { readonly text: string }[]): number =>
  texts.reduce((sum, { text }) => sum + text.length, 0)

export function questionSections({ opened, openedEvent }: OpenedCouncil): readonly Section[] {
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

const FILE = 'context:'

export function contextSection(state: OpenedCouncil, { name, text, from }: PackPart): Quoted {
  const id = state.opened.artifacts.find((artifact) => artifact.name === PACK)?.hash ?? ''
  const path = name.startsWith(FILE) ? { path: name.slice(FILE.length) } : null
  return {
    name,
    text,
    quotes: { kind: 'artifact', id },
    tag: name === 'diff' ? 'diff' : 'file',
    ...(path ? { attributes: { ...path, ...(from !== undefined && { from_line: String(from) }) } } : {}),
  }
}

export function contextSections(
  state: OpenedCouncil,
  parts: readonly PackPart[],
  isCondensed: boolean,
): readonly Section[] {
  const quoted = parts.map((part) => contextSection(state, part))
  return isCondensed && quoted.length > 0
    ? [{ name: 'condensed', own: wordsOf(state).condensed }, ...quoted]
    : quoted
}

interface WithoutAuthors {
  readonly models: string
  readonly answer: object
}

/** The same text is rendered many times where space is short. */
const known = new WeakMap<object, WithoutAuthors>()

/** Readers that see labels must not see in an opinion whose it is. */
function hideAuthors<Said extends object>(state: OpenedCouncil, answer: Said): Said {
  if (editionOf(state).authors === 'as-written' || state.opened.labelled) return answer
  const names = state.seats.flatMap(({ model }) => model ?? [])
  const models = names.join('\n')
  const before = known.get(answer)
  if (before?.models === models) return before.answer as Said
  const hidden = withoutAuthor(answer, names)
  known.set(answer, { models, answer: hidden })
  return hidden
}

export function opinionSections(
  state: OpenedCouncil,
  shown: readonly Shown[],
  render: (opinion: Shown['opinion'], name: string) => string,
): readonly Quoted[] {
  return shown.map(({ name, opinion }) => {
    const seat = seatOf(state, opinion.seat)
    const by = state.opened.labelled && seat ? { by: `${seat.provider} ${opinion.model ?? ''}`.trim() } : {}
    return {
      name: 'opinions',
      text: render(hideAuthors(state, opinion), name),
      quotes: { kind: 'event', id: opinion.event },
      tag: 'opinion',
      attributes: { label: name, ...by },
    }
  })
}

export const reviewSections = (
  state: OpenedCouncil,
  reviews: readonly CouncilReview[],
  render: (review: CouncilReview) => string,
): readonly Quoted[] =>
  reviews.map((review) => ({
    name: 'reviews',
    text: render(hideAuthors(state, review)),
    quotes: { kind: 'event', id: review.event },
    tag: 'review',
    attributes: { id: review.id },
  }))
