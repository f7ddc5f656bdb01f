// The editions of `council/1`: which version of each rule a council is held and verified by. A released edition never
// changes; a change of a rule is a new version of it beside the old one, and a new edition that names it
// (spec/editions.md). What is here is data: each rule lies in the file that is named beside it, under its version.

import { FIRST_EDITION } from '../ledger/editions.ts'

export interface Edition {
  /** Our own words: `prompts/words.ts`. */
  readonly words: 1 | 2
  /** What the code of the tags in a prompt is drawn for: its round and reader, or this one asking: `prompts/prompt.ts`. */
  readonly marks: 'round' | 'asking'
  /**
   * How replies are read: as the value that was kept beside them (1), or from the raw reply by version 1 of the reader of
   * `reply/`, where what is missing is asked for once (2): `replies/normalise.ts`, `replies/conclude.ts`.
   */
  readonly reader: 1 | 2
  /** The shapes that models are asked for; in the second, reasons are before verdicts: `replies/schemas.ts`. */
  readonly shapes: 1 | 2
  /** What counts as a call: an outcome, or each attempt that was sent: `evolve.ts`. */
  readonly calls: 'outcomes' | 'attempts'
  /**
   * How much of what was laid and said is shown: by fixed lengths (1), or by the length of prompt that each seat takes
   * (2): `prompts/condensed-1.ts`, `prompts/condensed-2.ts`.
   */
  readonly condensing: 1 | 2
  /** When rounds are skipped, and with which reasons: `short-circuit/short-circuit.ts`. */
  readonly skipping: 1 | 2
  /** How often chairs are asked: `stage.ts`. */
  readonly chairing: 1 | 2
  /** What a report adds to what a chair says of its confidence and of the majority: `report/confidence.ts`. */
  readonly reporting: 1 | 2
  /** Whether those who read opinions see who wrote them, where one says so itself: `prompts/self-naming.ts`. */
  readonly authors: 'as-written' | 'unnamed'
  /** What is assembled where no chair reported: `report/assemble.ts`. */
  readonly assembly: 1
  /** Whether an opening and a fork may say what `refuse-newer.ts` lists. */
  readonly additions: boolean
}

const EDITION_1: Edition = {
  words: 1,
  marks: 'round',
  reader: 1,
  shapes: 1,
  calls: 'outcomes',
  condensing: 1,
  skipping: 1,
  chairing: 1,
  reporting: 1,
  authors: 'as-written',
  assembly: 1,
  additions: false,
}

const EDITION_2: Edition = {
  ...EDITION_1,
  words: 2,
  marks: 'asking',
  reader: 2,
  shapes: 2,
  skipping: 2,
  chairing: 2,
  reporting: 2,
  authors: 'unnamed',
  calls: 'attempts',
  condensing: 2,
  additions: true,
}

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
