// Reads the start of a period: a date, a time, or how long ago. All in UTC, like traces.

import { durationIn } from '../../ledger/clock.ts'
import { WitanError } from '../../ledger/errors.ts'

const DAY_MS = 86_400_000
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7 }
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/

function agoMs(text: string): number | null {
  const [, digits = '', unit = ''] = /^(\d{1,5}) ?(d|w)$/.exec(text) ?? []
  return unit === '' ? durationIn(text) : Number(digits) * (DAYS[unit] ?? 0) * DAY_MS
}

function momentMs(text: string): number {
  if (!DATE.test(text)) return Number.NaN
  return Date.parse(text.length === 10 || text.endsWith('Z') ? text : `${text}Z`)
}

/** In the form of headers; the beginning of time when nothing was given. */
export function sinceMoment(text: string | null | undefined, now = Date.now(), option = '--since'): string {
  if (!text) return ''
  const ago = agoMs(text.trim())
  const ms = ago === null ? momentMs(text.trim()) : now - ago
  if (!Number.isNaN(ms)) return new Date(ms).toISOString()
  const next = 'Give it like 2026-11-01, 7d or 12h.'
  throw new WitanError('USAGE', `${option} is a date or how long ago, not '${text}'`, next)
}
