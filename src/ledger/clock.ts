// Times are recorded as text; how long lies between two of them is arithmetic. There is no other clock in the pure
// rooms. The calendar is the Gregorian one, in UTC, as in every header.

const DAY_MS = 86_400_000
const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})\.(\d{3})Z$/

export const isMoment = (text: string): boolean => FORM.test(text)

/** Days from 1970-01-01, counted in years that begin in March so that the leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Milliseconds since 1970 of a time as headers write it, for example 2026-03-01T00:00:01.250Z; 0 for anything else. */
export function momentMs(text: string): number {
  const found = FORM.exec(text)
  if (!found) return 0
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = found.slice(1).map(Number)
  return daysSince1970(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms
}

export const minutesBetween = (from: string, to: string): number => (momentMs(to) - momentMs(from)) / 60_000

/** Never negative. */
export const msBetween = (from: string, to: string): number => Math.max(0, momentMs(to) - momentMs(from))
