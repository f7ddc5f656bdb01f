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

// Colours as a value, so that what is shown stays a function of what it is made of. Which colours a terminal gets is
// decided by the entrance that writes to it.

type Brush = (text: string) => string

export interface Paint {
  readonly bold: Brush
  readonly dim: Brush
  readonly red: Brush
  readonly green: Brush
  readonly yellow: Brush
  /** One of several speakers, by number: who speaks is told apart at a glance; the name stands there too. */
  speaker(number: number): Brush
}

/** What something is shown on. */
export interface Sheet {
  readonly paint: Paint
  readonly width: number
}

const bare: Brush = (text) => text

export const NO_PAINT: Paint = {
  bold: bare,
  dim: bare,
  red: bare,
  green: bare,
  yellow: bare,
  speaker: () => bare,
}
