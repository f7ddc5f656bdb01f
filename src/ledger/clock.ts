// Times are recorded as text; differences between them are computed here. There is no other clock in the pure
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
  const match = FORM.exec(text)
  if (!match) return 0
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, ms = 0] = match.slice(1).map(Number)
  return daysSince1970(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms
}

/** The inverse; null for what no header can contain: before 1970, after 9999, or not a whole number. */
export function momentText(ms: number): string | null {
  if (!Number.isSafeInteger(ms) || ms < 0) return null
  const days = Math.floor(ms / DAY_MS)
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leaps = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  if (year > 9999) return null
  const pad = (value: number, size = 2): string => String(value).padStart(size, '0')
  const rest = ms - days * DAY_MS
  const clock = [rest / 3_600_000, (rest / 60_000) % 60, (rest / 1_000) % 60].map((part) =>
    pad(Math.floor(part)),
  )
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}T${clock.join(':')}.${pad(rest % 1_000, 3)}Z`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const HTTP_FORM = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/

/** Milliseconds since 1970 of a date as HTTP headers write it (RFC 9110), or as ours do; null for anything else. */
export function dateMs(text: string): number | null {
  const trimmed = text.trim()
  const [, day = '', name = '', year = '', hour = '', minute = '', second = ''] =
    HTTP_FORM.exec(trimmed) ?? []
  const month = MONTHS.indexOf(name) + 1
  const iso = `${year}-${String(month).padStart(2, '0')}-${day}T${hour}:${minute}:${second}.000Z`
  const moment = month > 0 ? iso : trimmed.replace(/(:\d{2})Z$/, '$1.000Z')
  return isMoment(moment) ? momentMs(moment) : null
}

/** This many minutes later, in the form of headers. */
export const minutesAfter = (from: string, minutes: number): string =>
  momentText(Math.trunc(momentMs(from) + minutes * 60_000)) ?? from

export const minutesBetween = (from: string, to: string): number => (momentMs(to) - momentMs(from)) / 60_000

/** Never negative. */
export const msBetween = (from: string, to: string): number => Math.max(0, momentMs(to) - momentMs(from))

// A duration, as people write it: `500ms`, `60s`, `2m`, `1h`. A bare number has no unit and counts only where
// it always has.

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

const isUnit = (text: string): text is keyof typeof UNITS => Object.hasOwn(UNITS, text)

/** In milliseconds; null when it is not a duration. */
export function durationIn(text: string): number | null {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h)$/.exec(text.trim()) ?? []
  return isUnit(unit) ? Math.round(Number(digits) * UNITS[unit]) : null
}
