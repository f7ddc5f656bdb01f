// Text of others, as data: JSON with every character escaped that could be taken for markup or could
// influence a reader invisibly. Such text contains no angle bracket, so it cannot close its tag, and no line
// break.

import type { Json } from '../../ledger/canonical.ts'

const escaped = (text: string): string => {
  let out = ''
  for (let i = 0; i < text.length; i++) out += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`
  return out
}

/** Angle brackets; controls beyond those that JSON escapes; separators; invisible and direction-changing characters. */
const UNSEEN = /[<>\u007f-\u009f\u2028\u2029]|\p{Cf}/gu

/** Members by name: stored and parsed values have them in another order than new ones. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}

export const asData = (value: Json): string => JSON.stringify(sorted(value), null, 1).replace(UNSEEN, escaped)

/** An attribute of a tag. */
export const attribute = (text: string): string => asData(text)
