// The editions of `agents/1`: which version of each rule a session is held and verified by. A released edition never
// changes; a change of a rule is a new version of it beside the old one, and a new edition that names it
// (spec/editions.md). What is here is data: each rule lies in the file that is named beside it, under its version.

import { FIRST_EDITION } from '../ledger/editions.ts'

export interface Edition {
  /** Our own words: `prompts/words.ts`. */
  readonly words: 1
  /** What the marks around quoted words are drawn for: their label, or this one asking too: `prompts/asked.ts`. */
  readonly marks: 'label' | 'asking'
  /**
   * What may be answered, and how: as the value that was kept beside the reply (1), or read from the raw reply by version 1
   * of the reader of `reply/`, where what is missing is asked for once (2): `replies.ts`, `read-answer.ts`.
   */
  readonly replies: 1 | 2
  /**
   * What becomes of what a model answers and cannot be taken: it is told so as long as there are steps (1); or artifacts that
   * there are not end the work after one further asking, other answers that are not taken after three in a row, and the
   * passage nearest to a quote that is not in its artifact is shown once (2): `unusable-answer.ts`.
   */
  readonly untaken: 1 | 2
  /**
   * Who has a say on what. Since the second a council reviews proposals of the risk from which on it is asked, a person among
   * the critics weighs claims, and a written step that a critic blocked waits for a revision: `critics.ts`,
   * `proposal-progress.ts`.
   */
  readonly critics: 1 | 2
  /** Whether a session may be attached to a host, which acts unasked: `attached/`. Not in the first edition. */
  readonly attaches: boolean
  /** Whether a decision in the console shows as much as one at a terminal: `approvals.ts`. Not in the first edition. */
  readonly console: boolean
}

const EDITION_1: Edition = {
  words: 1,
  marks: 'label',
  replies: 1,
  untaken: 1,
  critics: 1,
  attaches: false,
  console: false,
}

const EDITION_2: Edition = {
  ...EDITION_1,
  marks: 'asking',
  replies: 2,
  untaken: 2,
  critics: 2,
  attaches: true,
  console: true,
}

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
