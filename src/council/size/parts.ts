// Round one in parts: where the content is too long for one prompt, every seat is asked about the same parts,
// one after the other. Two parts without an answer end it for that seat: what stopped the second would stop
// the others, and failed seats can be asked again.

import type { Round } from '../events.ts'
import type { OpinionAnswer } from '../replies/opinion.ts'
import { type CouncilState, type OpenedCouncil, type Outcome, pendingOf } from '../state.ts'

export const portionsOf = ({ opened }: Pick<OpenedCouncil, 'opened'>): number => opened.portions ?? 1

export const isInParts = (state: Pick<OpenedCouncil, 'opened'>): boolean => portionsOf(state) > 1

/** `SEAT`, or `SEAT/p2` for one part. */
export const partName = (seat: string, part: number | null): string =>
  part === null ? seat : `${seat}/p${part}`

/** The name under which a refused length is remembered. */
export const lengthKey = (round: Round, seat: string, part: number | null): string =>
  `${round} ${partName(seat, part)}`

/** Whether a shorter prompt is to be sent for the one whose length was refused. */
export const isShortDue = (
  { shortened }: Pick<CouncilState, 'shortened'>,
  round: Round,
  seat: string,
  part: number | null = null,
): boolean => shortened.get(lengthKey(round, seat, part)) === true

/** The chair that refused the length of the last prompt and is to be asked with a shorter one. */
export function shortDueChair(state: Pick<CouncilState, 'shortened' | 'reports'>): string | null {
  const seat = state.reports.at(-1)?.seat
  return seat !== undefined && isShortDue(state, 'R3', seat) ? seat : null
}

export interface PartOutcome {
  readonly part: number
  readonly outcome: Outcome<OpinionAnswer>
}

/** A seat's answers to parts, in their order; parts that are asked again come last. */
export function partsOf({ parts }: Pick<CouncilState, 'parts'>, seat: string): readonly PartOutcome[] {
  const start = `${seat}/p`
  return [...parts].flatMap(([name, outcome]) =>
    name.startsWith(start) ? [{ part: Number(name.slice(start.length)), outcome }] : [],
  )
}

const MOST_FAILED = 2

/** The part that the seat is to be asked about now; null when there is none. */
export function nextPart(state: OpenedCouncil, seat: string): number | null {
  const pending = pendingOf(state, 'R1', seat)
  if (pending) return pending.part
  const known = partsOf(state, seat)
  const again = known.find(({ part }) => isShortDue(state, 'R1', seat, part))
  if (again) return again.part
  if (known.filter(({ outcome }) => !outcome.ok).length >= MOST_FAILED) return null
  const answeredParts = new Set(known.map(({ part }) => part))
  for (let part = 1; part <= portionsOf(state); part++) if (!answeredParts.has(part)) return part
  return null
}

/** Parts to which the seat gave no answer. */
export function missingParts(state: OpenedCouncil, seat: string): readonly number[] {
  const answered = new Set(partsOf(state, seat).flatMap(({ part, outcome }) => (outcome.ok ? [part] : [])))
  return Array.from({ length: portionsOf(state) }, (_, i) => i + 1).filter((part) => !answered.has(part))
}
