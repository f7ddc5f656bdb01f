// A summary of an event in one line, where no story describes it: the fields of its payload, listed.

import type { Json } from '../ledger/canonical.ts'
import type { Payload } from '../ledger/event.ts'
import { clip, plain } from './plain.ts'

/** One long field must not hide the others. */
const MOST_OF_A_FIELD = 48

function brief(value: Json): string {
  if (Array.isArray(value)) {
    const words = value.map((item) =>
      typeof item === 'object' && item !== null ? (item as Payload).name : item,
    )
    const short = words.every((word) => typeof word === 'string' && word.length < 24)
    if (short && words.length < 6) return words.join(', ')
    return `${value.length} item${value.length === 1 ? '' : 's'}`
  }
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).join(', ')}}`
  return String(value)
}

/** The fields of a payload in one line: plain, and at most `width` long. */
export const fieldList = (payload: Payload, width: number): string =>
  clip(
    plain(
      Object.entries(payload)
        .map(([name, value]) => clip(`${name}: ${brief(value)}`, MOST_OF_A_FIELD))
        .join(' · '),
    ),
    width,
  )
