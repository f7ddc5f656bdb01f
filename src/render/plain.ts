// Text from a trace, a file or the command line, as a terminal shows it; control sequences are neutralised.

import { forJson, forTerminal } from '../ledger/text/neutral.ts'

/** One line that cannot affect a terminal. */
export const plain = forTerminal

/** Several lines, each indented, so that no line of the text can look like one of ours. */
export const block = (text: string, indent: string): readonly string[] =>
  text.split('\n').map((line) => `${indent}${plain(line)}`)

/** JSON with the same meaning to a parser that can be shown: invisible characters become JSON's own escapes. */
export const plainJson = (value: unknown, space?: number): string =>
  forJson(JSON.stringify(value, null, space))

/** At most `width` characters of a plain line. */
export function clip(text: string, width: number): string {
  const chars = [...text]
  return chars.length <= width ? text : `${chars.slice(0, Math.max(width - 1, 0)).join('')}…`
}

/** Lines of at most `width`, all but the first behind `indent` blanks, which count; the first begins at `indent` too. */
export function wrap(text: string, indent: number, width: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent + line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

// Colours as a value, so that what is shown stays a function of its input. The entrance that writes to a
// terminal decides which colours it gets.

type Brush = (text: string) => string

export interface Paint {
  readonly bold: Brush
  readonly dim: Brush
  readonly red: Brush
  readonly green: Brush
  readonly yellow: Brush
  /** One of several speakers, by number: colours distinguish them at a glance; the name is there too. */
  speaker(number: number): Brush
}

/** What something is shown on. */
export interface Layout {
  readonly paint: Paint
  readonly width: number
}

const unpainted: Brush = (text) => text

export const NO_PAINT: Paint = {
  bold: unpainted,
  dim: unpainted,
  red: unpainted,
  green: unpainted,
  yellow: unpainted,
  speaker: () => unpainted,
}

// A suggested fix or an input that is a change to files is shown as one: line by line, with its marks and its
// indentation, which wrapping would lose. Any other is prose.

const HUNK = /^@@ .*@@/
const FENCE = /^\s*(`{3,}|~{3,})\s*\w*\s*$/

/** The lines of the change, without the fence that models like to put around it; null where it is prose. */
export function diffIn(fix: string): readonly string[] | null {
  const lines = fix.replace(/^\s*\n|\s+$/g, '').split(/\r?\n/)
  const isFenced = FENCE.test(lines[0] ?? '') && FENCE.test(lines.at(-1) ?? '')
  const changeLines = isFenced ? lines.slice(1, -1) : lines
  const isHead = HUNK.test(changeLines[0] ?? '') || /^(---|diff) /.test(changeLines[0] ?? '')
  return isHead && changeLines.some((line) => HUNK.test(line)) ? changeLines : null
}

export function diffPaint(line: string, paint: Paint): (text: string) => string {
  if (line.startsWith('+')) return paint.green
  return line.startsWith('-') ? paint.red : paint.dim
}

/** A fence that no line of the text can close. */
export function fenceAround(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length)
  return '`'.repeat(Math.max(2, ...runs) + 1)
}
