// The editions of `exchange/1`: the version of each rule by which an exchange, with all its branches, is run
// and verified. A released edition never changes; a changed rule is a new version beside the old one, and a
// new edition that names it (spec/editions.md). This file is data: each rule is in the file named beside it.

import type { Json } from '../ledger/canonical.ts'
import { namedEdition } from '../ledger/editions.ts'
import type { Payload } from '../ledger/event.ts'

export interface Edition {
  /** The text of our prompts: `prompts/words.ts`. */
  readonly words: 1 | 2
  /** Whose system prompts a mind, the auditor and the judge are shown: none, or everyone's: `prompts/system-prompts.ts`. */
  readonly legible: 'none' | 'all'
  /** What the marks around quoted text are derived from: round and mind, or also this asking: `prompts/request.ts`. */
  readonly marks: 'round' | 'asking'
  /**
   * How text of minds, the auditor and the judge is read: as it is (1), or from the raw reply by version 1 of the
   * reader of `reply/`, which asks once for what is missing (2): `split-reply.ts`, `read-answer.ts`.
   */
  readonly replies: 1 | 2
  /** How audits are read: `audit.ts`. */
  readonly audits: 1
  /** Which acts of the observer record how they came: those through a host, or all: `means.ts`. */
  readonly means: 'host' | 'every'
  /** What the restart signal is based on: recorded scores and tags, or tags and judgements: `signal/`. */
  readonly signal: 'scores' | 'heard'
}

const EDITION_1: Edition = {
  words: 1,
  legible: 'none',
  marks: 'round',
  replies: 1,
  audits: 1,
  means: 'host',
  signal: 'scores',
}

const EDITION_2: Edition = {
  ...EDITION_1,
  words: 2,
  legible: 'all',
  marks: 'asking',
  replies: 2,
  means: 'every',
  signal: 'heard',
}

const EDITIONS: ReadonlyMap<number, Edition> = new Map([
  [1, EDITION_1],
  [2, EDITION_2],
])

export const KNOWN: readonly number[] = [...EDITIONS.keys()]
/** The edition of new exchanges. */
export const NEWEST = 2

/** Before openings named an edition of all rules they named one of the prompt text, which was the first of both. */
export const namedIn = (payload: Payload): Json =>
  payload.edition === undefined && payload.prompts !== undefined ? payload.prompts : namedEdition(payload)

/** The rules of an exchange. No state is folded from an opening that names an unknown edition. */
export function editionOf({ edition: number }: { readonly edition: number }): Edition {
  const edition = EDITIONS.get(number)
  if (!edition) throw new RangeError(`there is no edition ${number} of exchange/1`)
  return edition
}

/** Events that exist only where judgements count. */
const OF_HEARING: ReadonlySet<string> = new Set([
  'judging_opened',
  'restart_judged',
  'judge_failed',
  'judge_incomplete',
  'restart_alarmed',
])

/** Whether an exchange of this edition knows no such event. */
export const isUnknownIn = (state: { readonly edition: number }, type: string): boolean =>
  OF_HEARING.has(type) && editionOf(state).signal === 'scores'
