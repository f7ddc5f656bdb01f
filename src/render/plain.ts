// Text from a trace, a file or the command line, as a terminal shows it; what could steer it is neutralised.

import { forJson, forTerminal } from '../ledger/text/neutral.ts'

/** One line that can do nothing to a terminal. */
export const plain = forTerminal

/** Several lines, each indented, so that no line of the text can pass for one of ours. */
export const block = (text: string, indent: string): readonly string[] =>
  text.split('\n').map((line) => `${indent}${plain(line)}`)

/** JSON that means the same to a parser and can be shown: what is unseen stands as JSON's own escapes. */
export const plainJson = (value: unknown, space?: number): string =>
  forJson(JSON.stringify(value, null, space))

/** At most `width` characters of a plain line. */
export function clip(text: string, width: number): string {
  const chars = [...text]
  return chars.length <= width ? text : `${chars.slice(0, Math.max(width - 1, 0)).join('')}…`
}
