// Time as the minutes tell it: differences between the moments at which events were recorded. There is no other clock.

/** Days since 1970-01-01 of a Gregorian date (H. Hinnant's days_from_civil). */
function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  )
}

/** Milliseconds since 1970 of a time as headers write it, for example 2026-03-01T00:00:01.250Z. */
function millisOf(at: string): number {
  const part = (from: number, to: number): number => Number(at.slice(from, to))
  const days = daysOf(part(0, 4), part(5, 7), part(8, 10))
  const millis =
    ((days * 24 + part(11, 13)) * 60 + part(14, 16)) * 60_000 + part(17, 19) * 1000 + part(20, 23)
  return Number.isFinite(millis) ? millis : 0
}

export const between = (from: string, to: string): number => Math.max(0, millisOf(to) - millisOf(from))
