// The stance that a prose answer states: on a line of its own that names it. Such words elsewhere are
// argument, not a statement; two statements that differ state none; code and quotations state nothing.

import type { Words } from './wanted.ts'
import { wordMeant } from './words.ts'

export const UNSTATED = 'unstated'

const FENCE = /^\s{0,3}(?:`{3,}|~{3,})/
const QUOTATION = /^\s*>/
const MARKS = /[*_`]+/g
const LEADING = /^\s*(?:[-+•]\s+|\d{1,2}[.)]\s+)?/
const HEADING = /^\s*#{1,6}\s+/
const STATEMENT = /^(?:my\s+|final\s+|the\s+)?(?:stance|decision|verdict|position)\s*(?::|\bis\b|$)\s*(.*)$/i
/** The word alone; a full stop or a bracket may follow. */
const ALONE = /^([^.([{,;:!?]{1,80}?)\s*(?:[.!]?\s*$|\.\s|[([{])/

interface Line {
  readonly text: string
  readonly isHeading: boolean
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = []
  let isCode = false
  for (const line of text.split(/\r\n?|\n/)) {
    if (FENCE.test(line)) isCode = !isCode
    else if (!isCode && !QUOTATION.test(line) && line.trim() !== '')
      lines.push({
        text: line.replace(HEADING, '').replaceAll(MARKS, '').replace(LEADING, '').trim(),
        isHeading: HEADING.test(line),
      })
  }
  return lines
}

export function stanceIn(text: string, stances: Words): string {
  const lines = linesOf(text)
  const stated = new Set<string>()
  for (const [i, { text: line, isHeading }] of lines.entries()) {
    const statement = line.length > 400 ? undefined : STATEMENT.exec(line)?.[1]
    if (statement === undefined) continue
    const words = statement === '' ? (isHeading ? (lines[i + 1]?.text ?? '') : '') : statement
    const alone = ALONE.exec(words)?.[1]
    const stance = alone === undefined ? null : wordMeant(stances, alone)
    if (stance !== null) stated.add(stance)
  }
  const [only] = stated
  return stated.size === 1 && only !== undefined ? only : UNSTATED
}
