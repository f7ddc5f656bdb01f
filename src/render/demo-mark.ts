// Each thing that is told of a scripted demo carries the mark, at the right edge of its last row, or below where there is
// no room: a line that is copied out of its screen must not pass for a model's.

import { SCRIPTED_DEMO } from '../ledger/scripted.ts'
import type { Sheet } from './plain.ts'

/** Colours take no room. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

const lengthOf = (row: string): number => [...row.replaceAll(COLOUR, '')].length

/** As much room as the mark leaves in a row. */
export const beside = <Look extends Sheet>(look: Look): Look => ({
  ...look,
  width: look.width - SCRIPTED_DEMO.length - 2,
})

/** `told`: one thing, which may take several rows. */
export function withDemoMark(told: string, { paint, width }: Sheet): string {
  if (told.replaceAll(/\s+/g, ' ').includes(SCRIPTED_DEMO)) return told
  const last = lengthOf(told.slice(told.lastIndexOf('\n') + 1))
  const blanks = width - 1 - last - SCRIPTED_DEMO.length
  const gap =
    blanks >= 2 ? ' '.repeat(blanks) : `\n${' '.repeat(Math.max(0, width - 1 - SCRIPTED_DEMO.length))}`
  return `${told}${gap}${paint.dim(SCRIPTED_DEMO)}`
}
