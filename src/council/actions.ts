// What the id of an action says: its round, and its seat or report. In round one it may be about one part of
// the content (`opinion/SEAT/p2`); `short` asks again with a shorter prompt after the first was refused for
// its length, `mend` asks for what an answer lacked.

import type { Round } from './events.ts'

const ROUND_OF: ReadonlyMap<string, Round> = new Map([
  ['opinion', 'R1'],
  ['review', 'R2'],
  ['report', 'R3'],
])

const PART = /^p([1-9]\d{0,3})$/

/** The subject of an R1 or R2 call, in addition to the seat. */
export interface AskKind {
  /** Of round one in parts, from 1; else null. */
  readonly part: number | null
  readonly isShort: boolean
  readonly completes: boolean
}

/** The id of the action by which a seat is asked in R1 or R2; no seat has a slash in its name. */
export const actionFor = (round: 'R1' | 'R2', seat: string, about: AskKind): string =>
  [
    round === 'R1' ? 'opinion' : 'review',
    seat,
    ...(about.part === null ? [] : [`p${about.part}`]),
    ...(about.isShort ? ['short'] : []),
    ...(about.completes ? ['mend'] : []),
  ].join('/')

export interface ActionName {
  readonly round: Round
  /** The seat; for a report, its number. */
  readonly subject: string
  readonly part: number | null
}

/** Of `review/claude/2`: round two, claude. For `report/1/1`, whose id has no seat, the payload names it. */
export function readAction(action: string): ActionName | null {
  const [kind = '', subject = '', ...marks] = action.split('/')
  const round = ROUND_OF.get(kind)
  if (!round || subject === '' || marks.length === 0) return null
  const part = marks.length > 1 ? PART.exec(marks[0] ?? '')?.[1] : undefined
  return { round, subject, part: part === undefined ? null : Number(part) }
}
