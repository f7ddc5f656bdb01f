// The editions of `agents/1`: the version of each rule by which a session is run and verified. A released
// edition never changes; a changed rule is a new version beside the old one, and a new edition that names it
// (spec/editions.md). This file is data: each rule is in the file named beside it, under its version.

import { FIRST_EDITION } from '../ledger/editions.ts'

export interface Edition {
  /** The text of our prompts: `prompts/words.ts`. */
  readonly words: 1
  /** What the marks around quoted text are derived from: their label only, or also this asking: `prompts/asked.ts`. */
  readonly marks: 'label' | 'asking'
  /**
   * How answers are read: as the value that was kept beside the reply (1), or from the raw reply by version 1 of
   * the reader of `reply/`, which asks once for what is missing (2): `replies.ts`, `read-answer.ts`.
   */
  readonly replies: 1 | 2
  /**
   * What happens to an answer that cannot be used. 1: the model is told, as long as steps are left. 2: naming
   * missing artifacts ends the work after one more asking, other unusable answers after three in a row, and a
   * quote that is not in its artifact is answered once with the nearest passage: `unusable-answer.ts`.
   */
  readonly untaken: 1 | 2
  /**
   * Which critics judge what. Since the second edition a council reviews proposals from a given risk upwards, a
   * person among the critics reviews claims, and a written step that a critic blocked waits for a revision:
   * `critics.ts`, `proposal-progress.ts`.
   */
  readonly critics: 1 | 2
  /** Whether a session may be attached to a host, which acts unasked: `attached/`. Not in the first edition. */
  readonly attaches: boolean
  /** Whether a decision in the console proves as much as one at a terminal: `approvals.ts`. Not in the first edition. */
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
/** The edition of new sessions. */
export const NEWEST = 2

/** The rules of a session. None is folded from an opening that names an edition which is not listed here. */
export function editionOf({ edition: number = FIRST_EDITION }: { readonly edition?: number }): Edition {
  const edition = EDITIONS.get(number)
  if (!edition) throw new RangeError(`there is no edition ${number} of agents/1`)
  return edition
}
