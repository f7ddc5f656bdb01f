// What others said, as data: JSON with every character escaped that could be taken for markup or steer a reader
// unseen. A text so written holds no angle bracket, so it cannot close the tag it stands in, and no line of its own.

import type { Json } from '../../ledger/canonical.ts'

const escaped = (text: string): string => {
  let out = ''
  for (let i = 0; i < text.length; i++) out += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`
  return out
}

/** Angle brackets; controls beyond those that JSON escapes; separators; invisible and direction-changing characters. */
const UNSEEN = /[<>\u007f-\u009f\u2028\u2029]|\p{Cf}/gu

export const asData = (value: Json): string => JSON.stringify(value, null, 1).replace(UNSEEN, escaped)

/** An attribute of a tag. */
export const attribute = (text: string): string => asData(text)
