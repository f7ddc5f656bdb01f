// The contributions of each seat: its opinion, its criticism of others, and its final position. Sources in
// the report link here.

import type { CouncilOpinion } from '../../council/replies/opinion.ts'
import type { TargetReview } from '../../council/replies/review.ts'
import { plain } from '../plain.ts'
import {
  type Block,
  bySeverity,
  heading,
  type Item,
  type Note,
  note,
  type ReportView,
  type SeatPlaces,
  stanceOf,
} from './document.ts'

/** Findings of checks are the report itself, and are not repeated. */
const hasModelOpinions = ({ rounds: [first] }: ReportView): boolean =>
  !first.opinions.every(({ embedded }) => embedded)

const anchorOf = (at: number): string => `seat-${at + 1}`

export const seatPlaces = (view: ReportView): SeatPlaces =>
  new Map(hasModelOpinions(view) ? view.rounds[0].opinions.map(({ seat }, at) => [seat, anchorOf(at)]) : [])

const critiqueNotes = ({ opinion, critiques }: TargetReview, seats: ReadonlyMap<string, string>): Note[] =>
  bySeverity(critiques).flatMap(({ severity, kind, description }) =>
    note(`of ${seats.get(opinion) ?? opinion}`, `${severity} ${kind}: ${description}`),
  )

/** A folded list under its heading; nothing where only checks were used. */
export function seatsSaid(view: ReportView): Block[] {
  if (!hasModelOpinions(view)) return []
  const [first, second] = view.rounds
  const seats = new Map(first.opinions.map(({ id, seat }) => [id, seat]))
  const items = first.opinions.map((each, at): Item => {
    const review = second.reviews.find(({ seat }) => seat === each.seat)
    const model = each.embedded
      ? ' (checks)'
      : each.model === null || each.model === each.seat
        ? ''
        : ` (${each.model})`
    return {
      id: anchorOf(at),
      event: each.event,
      lead: `${each.seat}${model}: ${stanceOf(view, each.stance)}`,
      text: each.summary,
      notes: [
        ...note('confidence', each.confidence),
        ...note(each.prose ? 'in prose' : 'recommends', each.details.recommendation),
        ...(review?.targets ?? []).flatMap((target) => critiqueNotes(target, seats)),
        ...(review
          ? note(
              'after the reviews',
              `${stanceOf(view, review.stance_after)}${review.why === '' ? '' : `: ${review.why}`}`,
            )
          : []),
      ],
    }
  })
  return [heading('What each seat said'), { kind: 'list', items, folded: true }]
}

export interface Vote {
  readonly opinion: CouncilOpinion
  readonly stance: string
  readonly isChanged: boolean
  readonly text: string
}

/** The final position of each seat, and its reason. */
export function votesIn({ report, rounds: [first, second] }: ReportView): readonly Vote[] {
  return first.opinions
    .filter(({ embedded }) => !embedded)
    .map((opinion) => {
      const review = second.reviews.find(({ seat }) => seat === opinion.seat)
      const stance = review?.stance_after ?? opinion.stance
      const isChanged = stance !== opinion.stance
      const explanation = isChanged ? review?.why : review?.recommendation_after
      const own = report === null ? opinion.summary : opinion.details.recommendation
      return { opinion, stance, isChanged, text: explanation || own || opinion.summary }
    })
}

/** `ollama-2 (qwen3)` where one provider answers with several models: the number alone is not enough. */
export function nameIn(all: readonly Vote[], { seat, provider, model }: CouncilOpinion): string {
  const models = new Set(
    all.filter(({ opinion }) => opinion.provider === provider).map(({ opinion }) => opinion.model),
  )
  return model !== null && model !== seat && models.size > 1 ? `${seat} (${plain(model)})` : seat
}
