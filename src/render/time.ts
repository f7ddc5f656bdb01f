// Times of events as people read them, always UTC, so that two readers of one trace see the same.

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `Nov 15 19:45`, or `Nov 15  2025` when that is another year than now. */
export function shortTime(at: string, now: string): string {
  const month = MONTHS[Number(at.slice(5, 7)) - 1] ?? '???'
  const time = at.slice(0, 4) === now.slice(0, 4) ? at.slice(11, 16) : ` ${at.slice(0, 4)}`
  return `${month} ${at.slice(8, 10)} ${time}`
}

/** `2026-11-15 19:45:12 UTC` */
export const longTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
