// A suggested fix that is a change to files is shown as one: line by line, with its marks and its indentation, which
// wrapping would lose. Any other fix is prose.

import type { Paint } from '../plain.ts'

const HUNK = /^@@ .*@@/
const FENCE = /^\s*(`{3,}|~{3,})\s*\w*\s*$/

/** The lines of the change, without the fence that models like to put around it; null where it is prose. */
export function diffIn(fix: string): readonly string[] | null {
  const lines = fix.replace(/^\s*\n|\s+$/g, '').split(/\r?\n/)
  const isFenced = FENCE.test(lines[0] ?? '') && FENCE.test(lines.at(-1) ?? '')
  const change = isFenced ? lines.slice(1, -1) : lines
  const isHead = HUNK.test(change[0] ?? '') || /^(---|diff) /.test(change[0] ?? '')
  return isHead && change.some((line) => HUNK.test(line)) ? change : null
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
