// The editions of `agents/1`: which version of each rule a session is held and verified by. A released edition never
// changes; a change of a rule is a new version of it beside the old one, and a new edition that names it
// (spec/editions.md). What stands here is data: each rule lies in the file that is named beside it, under its version.

import { FIRST_EDITION } from '../ledger/editions.ts'

export interface Edition {
  /** Our own words: `prompts/words.ts`. */
  readonly words: 1
  /** What the marks around quoted words are drawn for: their label, or this one asking too: `prompts/asked.ts`. */
  readonly marks: 'label' | 'asking'
  /** What may be answered: `replies.ts`. */
  readonly replies: 1
}

const EDITION_1: Edition = { words: 1, marks: 'label', replies: 1 }

const EDITION_2: Edition = { ...EDITION_1, marks: 'asking' }

const EDITIONS: ReadonlyMap<number, Edition> = new Map([
  [1, EDITION_1],
  [2, EDITION_2],
])

export const KNOWN: readonly number[] = [...EDITIONS.keys()]
/** Of sessions that are opened now. */
export const NEWEST = 2

/** The rules of a session. None is folded from an opening that names an edition which is not listed here. */
export function editionOf({ edition: number = FIRST_EDITION }: { readonly edition?: number }): Edition {
  const edition = EDITIONS.get(number)
  if (!edition) throw new RangeError(`there is no edition ${number} of agents/1`)
  return edition
}
