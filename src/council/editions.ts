// The editions of `council/1`: the version of each rule by which a council is run and verified. A released
// edition never changes; a changed rule is a new version beside the old one, and a new edition that names it
// (spec/editions.md). This file is data: each rule is in the file named beside it, under its version.

import { FIRST_EDITION } from '../ledger/editions.ts'

export interface Edition {
  /** The text of our prompts: `prompts/words.ts`. */
  readonly words: 1 | 2
  /**
   * What the code of the tags in a prompt is derived from: its round and reader, or also this asking: `prompts/prompt.ts`.
   */
  readonly marks: 'round' | 'asking'
  /**
   * How replies are read: as the value that was kept beside them (1), or from the raw reply by version 1 of the
   * reader of `reply/`, which asks once for what is missing (2): `replies/normalise.ts`, `replies/conclude.ts`.
   */
  readonly reader: 1 | 2
  /** The shapes that models are asked for; in the second, reasons are before verdicts: `replies/schemas.ts`. */
  readonly shapes: 1 | 2
  /** What counts as a call: an outcome, or each attempt that was sent: `evolve.ts`. */
  readonly calls: 'outcomes' | 'attempts'
  /**
   * How much of context and opinions is shown: by fixed lengths (1), or by the prompt length of each seat (2):
   * `prompts/condensed-1.ts`, `prompts/condensed-2.ts`.
   */
  readonly condensing: 1 | 2
  /** When rounds are skipped, and with which reasons: `short-circuit/short-circuit.ts`. */
  readonly skipping: 1 | 2
  /** How often chairs are asked: `stage.ts`. */
  readonly chairing: 1 | 2
  /**
   * How a report limits the confidence that a chair states, and how it compares it with the majority: `report/confidence.ts`.
   */
  readonly reporting: 1 | 2
  /** Whether readers of opinions see the author where an opinion names its own model: `prompts/self-naming.ts`. */
  readonly authors: 'as-written' | 'unnamed'
  /** The report that is assembled where no chair reported: `report/assemble.ts`. */
  readonly assembly: 1
  /** Whether an opening and a fork may contain what `refuse-newer.ts` lists. */
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
/** The edition of new councils. */
export const NEWEST = 2

export function editionNumbered(number: number): Edition {
  const edition = EDITIONS.get(number)
  if (!edition) throw new RangeError(`there is no edition ${number} of council/1`)
  return edition
}

/** The rules of a council. No state is folded from an opening that names an unknown edition. */
export const editionOf = ({ opened }: { readonly opened: { readonly edition?: number } }): Edition =>
  editionNumbered(opened.edition ?? FIRST_EDITION)
