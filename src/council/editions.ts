// The editions of `council/1`: which version of each rule a council is held and verified by. A released edition never
// changes; a change of a rule is a new version of it beside the old one, and a new edition that names it
// (spec/editions.md). What stands here is data: each rule lies in the file that is named beside it, under its version.

import { FIRST_EDITION } from '../ledger/editions.ts'

export interface Edition {
  /** Our own words: `prompts/words.ts`. */
  readonly words: 1
  /** What the code of the tags in a prompt is drawn for: its round and reader, or this one asking: `prompts/prompt.ts`. */
  readonly marks: 'round' | 'asking'
  /** How replies are read: `replies/normalise.ts`. */
  readonly reader: 1
  /** When rounds are skipped, and with which reasons: `short-circuit/short-circuit.ts`. */
  readonly skipping: 1
  /** How often chairs are asked: `stage.ts`. */
  readonly chairing: 1
  /** What is assembled where no chair reported: `report/assemble.ts`. */
  readonly assembly: 1
}

const EDITION_1: Edition = {
  words: 1,
  marks: 'round',
  reader: 1,
  skipping: 1,
  chairing: 1,
  assembly: 1,
}

const EDITION_2: Edition = { ...EDITION_1, marks: 'asking' }

const EDITIONS: ReadonlyMap<number, Edition> = new Map([
  [1, EDITION_1],
  [2, EDITION_2],
])

export const KNOWN: readonly number[] = [...EDITIONS.keys()]
/** Of councils that are opened now. */
export const NEWEST = 2

export function editionNumbered(number: number): Edition {
  const edition = EDITIONS.get(number)
  if (!edition) throw new RangeError(`there is no edition ${number} of council/1`)
  return edition
}

/** The rules of a council. No state is folded from an opening that names an edition which is not listed here. */
export const editionOf = ({ opened }: { readonly opened: { readonly edition?: number } }): Edition =>
  editionNumbered(opened.edition ?? FIRST_EDITION)
