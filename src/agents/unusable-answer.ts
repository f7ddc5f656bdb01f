// Answers that cannot be used: they name artifacts that do not exist, or quote text that is not in its
// artifact. The model is told once what exists; then the session continues without the answer. Older editions
// told it as long as steps were left.

import { editionOf } from './editions.ts'
import type { Claim, Ending, Proposal, SessionState, Turn } from './state.ts'
import type { Task } from './task.ts'

/** After this many unusable answers in a row the proposal fails. */
const FAILURES = 3
/** At most this many quotes of one claim are searched. */
const MOST_NEAREST = 5

export const boundsUnusable = (task: Task | null): boolean => editionOf(task ?? {}).untaken === 2

/** Whether an answer lacks an existing artifact, no matter what else it lacks. */
export const lacksArtifact = (missing: readonly string[]): boolean =>
  missing.some((place) => place.endsWith('.artifact'))

const failed = (reason: string): Ending => ({ outcome: 'failed', reason })

/** How the work on a proposal ends with this answer, if it failed; null while it continues. */
export function endingByUnusable({ task }: SessionState, { turns }: Proposal, turn: Omit<Turn, 'number'>) {
  const bounded = boundsUnusable(task)
  if (bounded && turn.lacks === 'artifact')
    return failed('what the executor claims stands on artifacts that this session does not have')
  const isUnusable = ({ kind, objection }: Omit<Turn, 'number'>): boolean =>
    kind === 'failed' || (bounded && objection !== null)
  const row = [...turns.slice(turns.findLastIndex((each) => !isUnusable(each)) + 1), turn]
  if (!isUnusable(turn) || row.length < FAILURES) return null
  const isSilent = row.every(({ kind }) => kind === 'failed')
  return failed(isSilent ? 'the executor did not answer' : 'no answer of the executor could be taken')
}

/** The quotes of a claim that were not found in their artifacts. */
export const missingQuotes = ({ evidence }: Claim): Claim['evidence'] =>
  evidence.filter(({ range }) => range === null).slice(0, MOST_NEAREST)

/** Whether the passages nearest to quotes of this claim are shown when it is asked for again. */
export const showsNearest = ({ task }: SessionState, claim: Claim): boolean =>
  boundsUnusable(task) && missingQuotes(claim).length > 0

/** Whether this repeats a claim for which the nearest passages were shown, and again quotes text that does not exist. */
export function misquotesAgain(state: SessionState, claim: Claim): boolean {
  const before = claim.revises === null ? undefined : state.claims.get(claim.revises)
  return before !== undefined && showsNearest(state, claim) && missingQuotes(before).length > 0
}
