// Times for people: the time of day, an updating age, the full time on request. All recorded in UTC, shown in
// UTC.

import { signal } from '@preact/signals'

/** Ticks for everything that shows an age or a duration. */
export const now = signal(Date.now())
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, 1_000)

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

function spanText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  for (const [unit, size] of UNITS) if (seconds >= size) return `${Math.floor(seconds / size)} ${unit}`
  return `${seconds} s`
}

function ageText(at: string, until: number): string {
  const ms = Math.max(0, until - Date.parse(at))
  return ms < 4_500 ? 'now' : spanText(ms)
}

export const Age = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={`${at} (UTC)`}>
    {ageText(at, now.value)}
  </time>
)

export const Clock = ({ at, day = false }: { readonly at: string; readonly day?: boolean }) => (
  <time dateTime={at} title={`${at} (UTC)`}>
    {day && `${at.slice(0, 10)} `}
    {at.slice(11, 19)}
  </time>
)

/** How long something is still valid, and until when. */
export function Expiry({ at }: { readonly at: string }) {
  const remainingMs = Date.parse(at) - now.value
  return (
    <>
      {remainingMs > 0 ? `expires in ${spanText(remainingMs)}` : `expired ${spanText(-remainingMs)} ago`} (
      <Clock at={at} day={at.slice(0, 10) !== new Date(now.value).toISOString().slice(0, 10)} />)
    </>
  )
}
