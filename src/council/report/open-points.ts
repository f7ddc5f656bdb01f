// The findings that a report leaves open, with their places as the seats named them. The ids under which they are left
// open mean nothing to a reader, and a severe finding without its line would have to be searched for.

import type { CouncilResult } from '../council-result.ts'
import type { FindingAnswer } from '../replies/finding.ts'
import type { Unresolved } from './report.ts'

/** What a seat found under this id; null for a critique. */
export function findingLeftOpen(
  { rounds: [{ opinions }, { reviews }] }: CouncilResult,
  id: string,
): FindingAnswer | null {
  const [, of, number] = /^((?:op|rv)-\d+)\.f(\d+)$/.exec(id) ?? []
  const findings =
    opinions.find((opinion) => opinion.id === of)?.findings ??
    reviews.find((review) => review.id === of)?.missed_findings
  return findings?.[Number(number) - 1] ?? null
}

/** Who found it. */
export const seatLeftOpen = ({ rounds: [{ opinions }, { reviews }] }: CouncilResult, id: string): string =>
  [...opinions, ...reviews].find((one) => id.startsWith(`${one.id}.`))?.seat ?? ''

/** `src/a.ts:12`; empty where no file was named. */
export const placeOf = ({ file, line }: Pick<FindingAnswer, 'file' | 'line'>): string =>
  file === null ? '' : `${file}${line === null ? '' : `:${line}`}`

/** A finding that was left open begins with its place, as any finding does. */
export function withPlace(view: CouncilResult, point: Unresolved): Unresolved {
  const finding = findingLeftOpen(view, point.id)
  const place = finding === null ? '' : placeOf(finding)
  return place === '' ? point : { ...point, description: `${place}: ${point.description}` }
}
