// A long text as its beginning and its end, with a line between them that says what is missing.

import { linesOf } from '../ledger/text/lines.ts'

const HEAD_LINES = 100
const TAIL_LINES = 50
const LINE_CHARS = 2000

export interface Cut {
  readonly text: string
  readonly truncated: boolean
}

/** The cut never splits a surrogate pair. */
const clipped = (line: string): string =>
  line.length <= LINE_CHARS
    ? line
    : `${line
        .slice(0, LINE_CHARS)
        .toWellFormed()
        .replace(/\ufffd$/, '')} [${line.length - LINE_CHARS} characters left out]`

export function headAndTail(text: string): Cut {
  const lines = linesOf(text)
  const short = lines.length <= HEAD_LINES + TAIL_LINES
  const shown = short
    ? lines
    : [
        ...lines.slice(0, HEAD_LINES),
        `[lines ${HEAD_LINES + 1} to ${lines.length - TAIL_LINES} left out]`,
        ...lines.slice(-TAIL_LINES),
      ]
  const clippedText = `${shown.map(clipped).join('\n')}\n`
  return clippedText === text || clippedText === `${text}\n`
    ? { text, truncated: false }
    : { text: clippedText, truncated: true }
}
