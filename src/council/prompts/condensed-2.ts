// How much a prompt shows within the limit of its reader: everything where that fits. Otherwise the cited
// places and the diff stay, opinions and reviews are shortened by importance, and the rest of the context
// fills the remaining space. At least half of the space is for opinions and reviews, and no more than they
// need.

import type { Json } from '../../ledger/canonical.ts'
import type { PackPart } from '../context.ts'
import type { OpenedCouncil } from '../state.ts'
import type { Material } from './condensed-1.ts'
import { asData } from './escape-data.ts'
import { type Cited, citedIn, contextWithin } from './excerpts.ts'
import { type Measure, measured, measureFor, WHOLE } from './fit-opinions.ts'
import { contextSection, contextSections, opinionSections, reviewSections, wordsOf } from './quoted.ts'
import { opinionValue, reviewValue } from './rendering.ts'
import { type Section, sizeOfSection } from './sections.ts'

const sizeOf = (sections: readonly Section[]): number =>
  sections.reduce((sum, section) => sum + sizeOfSection(section), 0)

const render = (value: Json, measure: Measure): string => asData(measured(value, measure))

function saidBy(state: OpenedCouncil, { opinions, reviews }: Material, measure: Measure): readonly Section[] {
  return [
    ...opinionSections(state, opinions, (opinion, name) => render(opinionValue(opinion, name), measure)),
    ...reviewSections(state, reviews, (review) => render(reviewValue(review), measure)),
  ]
}

const citedBy = ({ opinions, reviews }: Material): Cited =>
  citedIn([
    ...opinions.flatMap(({ opinion }) => opinion.findings),
    ...reviews.flatMap(({ missed_findings }) => missed_findings),
  ])

/** Cited places with what surrounds them are counted at this much each. */
const PLACE_CHARS = 2_000

/** `room`: characters that the material may take. */
export function materialWithin(state: OpenedCouncil, material: Material, room: number): readonly Section[] {
  const { parts } = material.pack
  const context = contextSections(state, parts, false)
  const answers = saidBy(state, material, WHOLE)
  if (sizeOf(context) + sizeOf(answers) <= room) return [...context, ...answers]
  const note: Section = { name: 'condensed', own: wordsOf(state).condensed }
  const remaining = room - 2 * sizeOfSection(note)
  const cited = citedBy(material)
  const cost = (part: PackPart): number => sizeOfSection(contextSection(state, part))
  const diff = parts.reduce((sum, part) => sum + (part.name === 'diff' ? cost(part) : 0), 0)
  const places = [...cited.values()].reduce((sum, each) => sum + each.length * PLACE_CHARS, 0)
  const needed = parts.length === 0 ? 0 : diff + places
  const share = Math.min(sizeOf(answers), Math.max(remaining - needed, Math.floor(remaining / 2)))
  const measure = measureFor((tried) => sizeOf(saidBy(state, material, tried)), share)
  const shown = measure === WHOLE ? answers : saidBy(state, material, measure)
  const rest = remaining - sizeOf(shown)
  const fits = sizeOf(context) <= rest
  const around = fits ? parts : contextWithin(parts, { cited, room: rest, cost })
  return [...contextSections(state, around, !fits), ...(measure === WHOLE ? [] : [note]), ...shown]
}
