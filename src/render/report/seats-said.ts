// What each seat said, by seat: its opinion, what it criticised in others, and where it stood in the end. What the report
// rests on leads here.

import type { TargetReview } from '../../council/replies/review.ts'
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

/** What the checks found is the report itself, and is not said again. */
const hasModelOpinions = ({ rounds: [first] }: ReportView): boolean =>
  !first.opinions.every(({ embedded }) => embedded)

const placeOf = (at: number): string => `seat-${at + 1}`

export const seatPlaces = (view: ReportView): SeatPlaces =>
  new Map(hasModelOpinions(view) ? view.rounds[0].opinions.map(({ seat }, at) => [seat, placeOf(at)]) : [])

const critiqueNotes = ({ opinion, critiques }: TargetReview, seats: ReadonlyMap<string, string>): Note[] =>
  bySeverity(critiques).flatMap(({ severity, kind, description }) =>
    note(`of ${seats.get(opinion) ?? opinion}`, `${severity} ${kind}: ${description}`),
  )

/** A folded list under its heading; nothing where only checks were made. */
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
      id: placeOf(at),
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
