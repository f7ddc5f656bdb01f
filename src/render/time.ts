// Times of events for people, always UTC, so that two readers of one trace see the same.

import { msBetween } from '../ledger/clock.ts'

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `Nov 15 19:45`, or `Nov 15  2025` when that is another year than now. */
export function shortTime(at: string, now: string): string {
  const month = MONTHS[Number(at.slice(5, 7)) - 1] ?? '???'
  const time = at.slice(0, 4) === now.slice(0, 4) ? at.slice(11, 16) : ` ${at.slice(0, 4)}`
  return `${month} ${at.slice(8, 10)} ${time}`
}

/** `2026-11-15 19:45:12 UTC` */
export const longTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

const AGES = [
  [60_000, 1_000, 's'],
  [3_600_000, 60_000, 'min'],
  [86_400_000, 3_600_000, 'h'],
  [60 * 86_400_000, 86_400_000, 'd'],
] as const

/** How long ago: `5 min`, `3 d`; the date when it is long ago. */
export function ageText(at: string, now: string): string {
  const ms = msBetween(at, now)
  const unit = AGES.find(([below]) => ms < below)
  return unit ? `${Math.floor(ms / unit[1])} ${unit[2]}` : at.slice(0, 10)
}
