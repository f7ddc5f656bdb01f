// The editions of `exchange/1`: which version of each rule an exchange, with all its branches, is held and verified by. A
// released edition never changes; a change of a rule is a new version of it beside the old one, and a new edition that
// names it (spec/editions.md). What is here is data: each rule lies in the file that is named beside it.

import type { Json } from '../ledger/canonical.ts'
import { namedEdition } from '../ledger/editions.ts'
import type { Payload } from '../ledger/event.ts'

export interface Edition {
  /** Our own words: `prompts/words.ts`. */
  readonly words: 1 | 2
  /** Whose system prompts a mind, the auditor and the judge are shown: none, or everyone's: `prompts/system-prompts.ts`. */
  readonly legible: 'none' | 'all'
  /** What the marks around quoted words are drawn for: round and mind, or this one asking: `prompts/request.ts`. */
  readonly marks: 'round' | 'asking'
  /**
   * How what minds, the auditor and the judge write is read: from the text as it is (1), or from the raw reply by version 1 of the reader
   * of `reply/`, where what is missing is asked for once (2): `split-reply.ts`, `read-answer.ts`.
   */
  readonly replies: 1 | 2
  /** How audits are read: `audit.ts`. */
  readonly audits: 1
  /** Which acts of the observer say by what means they came: those through a host, or every one: `means.ts`. */
  readonly means: 'host' | 'every'
  /** What the restart signal rests on: recorded scores and tags, or tags and judgements: `signal/`. */
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
/** Of exchanges that are opened now. */
export const NEWEST = 2

/** Before openings named an edition of all rules they named one of our words, which was the first of both. */
export const namedIn = (payload: Payload): Json =>
  payload.edition === undefined && payload.prompts !== undefined ? payload.prompts : namedEdition(payload)

/** The rules of an exchange. None is folded from an opening that names an edition which is not listed here. */
export function editionOf({ edition: number }: { readonly edition: number }): Edition {
  const edition = EDITIONS.get(number)
  if (!edition) throw new RangeError(`there is no edition ${number} of exchange/1`)
  return edition
}

/** Events that an exchange knows only where judgements count. */
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
