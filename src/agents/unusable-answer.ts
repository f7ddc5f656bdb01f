// What a model answers and cannot be taken: artifacts that there are not, and quotes that are not in theirs. It is
// told what there is, once; then the work continues without it. Older editions told it so as long as there were steps.

import { editionOf } from './editions.ts'
import type { Claim, Ending, Proposal, SessionState, Turn } from './state.ts'
import type { Task } from './task.ts'

/** After so many askings in a row without an answer that can be taken the proposal fails. */
const FAILURES = 3
/** So many quotes of one claim are looked for. */
const MOST_NEAREST = 5

export const boundsUnusable = (task: Task | null): boolean => editionOf(task ?? {}).untaken === 2

/** Whether what an answer lacks is an artifact that there is, no matter what else it lacks. */
export const lacksArtifact = (missing: readonly string[]): boolean =>
  missing.some((place) => place.endsWith('.artifact'))

const failed = (reason: string): Ending => ({ outcome: 'failed', reason })

/** How the work on a proposal ends with this turn, if it came to nothing; null while it continues. */
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

/** The quotes of a claim that were not found where they should be. */
export const missingQuotes = ({ evidence }: Claim): Claim['evidence'] =>
  evidence.filter(({ range }) => range === null).slice(0, MOST_NEAREST)

/** Whether the passages nearest to quotes of this claim are shown when it is asked for again. */
export const showsNearest = ({ task }: SessionState, claim: Claim): boolean =>
  boundsUnusable(task) && missingQuotes(claim).length > 0

/** Whether it stands for a claim of which the nearest passages were shown, and quotes what is nowhere once more. */
export function misquotesAgain(state: SessionState, claim: Claim): boolean {
  const before = claim.revises === null ? undefined : state.claims.get(claim.revises)
  return before !== undefined && showsNearest(state, claim) && missingQuotes(before).length > 0
}
