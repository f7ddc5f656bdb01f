// Every line about a scripted demo has the mark, at the right edge of its last row, or below where it does
// not fit: a line that is copied out of its screen must not look like a model's.

import { SCRIPTED_DEMO } from '../ledger/scripted.ts'
import type { Layout } from './plain.ts'

/** Colours take no space. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

const lengthOf = (row: string): number => [...row.replaceAll(COLOUR, '')].length

/** The space that the mark leaves in a row. */
export const withRoomForMark = <Look extends Layout>(look: Look): Look => ({
  ...look,
  width: look.width - SCRIPTED_DEMO.length - 2,
})

/** `text`: one item, which may take several rows. */
export function withDemoMark(text: string, { paint, width }: Layout): string {
  if (text.replaceAll(/\s+/g, ' ').includes(SCRIPTED_DEMO)) return text
  const last = lengthOf(text.slice(text.lastIndexOf('\n') + 1))
  const blanks = width - 1 - last - SCRIPTED_DEMO.length
  const gap =
    blanks >= 2 ? ' '.repeat(blanks) : `\n${' '.repeat(Math.max(0, width - 1 - SCRIPTED_DEMO.length))}`
  return `${text}${gap}${paint.dim(SCRIPTED_DEMO)}`
}
