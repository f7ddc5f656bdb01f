// What a guard may not know because a payload was erased. It is still known that an erased outcome arrived,
// from which seat and in which round; so an erasure only explains what depends on its content: opinions,
// costs, which round was closed or skipped. A call is never erased: a round in which someone was called was
// not skipped.

import type { Lack } from '../protocol.ts'
import { UNREADABLE } from './closing.ts'
import * as is from './events.ts'
import type { Stage } from './stage.ts'
import type { CouncilState, OpenedCouncil } from './state.ts'

const OPINIONS = [is.OPINION_GIVEN, is.OPINION_INCOMPLETE, is.OPINION_JOINED]
const REVIEWS = [is.REVIEW_GIVEN, is.REVIEW_INCOMPLETE]

/** Every answer or failure, which may have cost something. */
const OUTCOMES = [
  ...OPINIONS,
  is.OPINION_FAILED,
  ...REVIEWS,
  is.REVIEW_FAILED,
  is.REPORT_GIVEN,
  is.REPORT_FAILED,
  is.REPORT_INCOMPLETE,
]

/** A joined opinion cost nothing in addition to its parts. */
const PAID = OUTCOMES.filter((type) => type !== is.OPINION_JOINED)

/** That a prompt was refused for its length, and so asked again: this is unknown once the failure was erased. */
const lengths = ({ opinions, parts, reviews, reports }: CouncilState): readonly Lack[] => {
  const all = [
    ...opinions.values(),
    ...parts.values(),
    ...reviews.values(),
    ...reports.map(({ outcome }) => outcome),
  ]
  const isErased = all.some((outcome) => !outcome.ok && outcome.failure === null)
  return isErased ? [{ types: [is.OPINION_FAILED, is.REVIEW_FAILED, is.REPORT_FAILED] }] : []
}

/** An answer with erased content: its seat and its event (`trace/seq`). */
export interface ErasedWords {
  readonly seat: string
  readonly event: string
}

/** Opinions that can no longer be read; also possible opinions in prose that were asked about again. */
export function erasedOpinions({ opinions, incomplete }: CouncilState): readonly ErasedWords[] {
  return [...opinions].flatMap(([seat, outcome]): readonly ErasedWords[] => {
    if (outcome.ok) return outcome.answer === null ? [{ seat, event: outcome.took.event }] : []
    return incomplete.flatMap(({ event, raw, ...of }) =>
      of.round === 'R1' && of.seat === seat && raw === null ? [{ seat, event }] : [],
    )
  })
}

export const erasedReviews = ({ reviews }: CouncilState): readonly ErasedWords[] =>
  [...reviews].flatMap(([seat, outcome]) =>
    outcome.ok && outcome.answer === null ? [{ seat, event: outcome.took.event }] : [],
  )

const lacksOf = (types: readonly string[], erased: readonly ErasedWords[]): readonly Lack[] =>
  erased.length === 0 ? [] : [{ types, by: erased.map(({ seat }) => seat) }]

export const lackOpinions = (erased: readonly ErasedWords[]): readonly Lack[] => lacksOf(OPINIONS, erased)
export const lackReviews = (erased: readonly ErasedWords[]): readonly Lack[] => lacksOf(REVIEWS, erased)

const opinions = (state: CouncilState): readonly Lack[] => lackOpinions(erasedOpinions(state))
const reviews = (state: CouncilState): readonly Lack[] => lackReviews(erasedReviews(state))

/** What was asked in this trace: a fork pays for itself. */
const costs = ({ begun }: CouncilState): readonly Lack[] => [{ types: PAID, since: begun }]

const budget = (state: OpenedCouncil): readonly Lack[] =>
  state.opened.policy.budget.cost === null ? [] : costs(state)

const scores = ({ opened, scored }: OpenedCouncil): readonly Lack[] =>
  opened.policy.short_circuit.embeddings && scored === null ? [is.AGREEMENT_SCORED] : []

/** That the round was closed, once someone was called in it. */
const closedIn = ({ called }: CouncilState, round: is.Round): readonly Lack[] => {
  const since = called[round]
  return since === undefined ? [] : [{ types: [is.ROUND_CLOSED], since }]
}

const isUnread = ({ decisions }: CouncilState, after: 'R1' | 'R2'): boolean =>
  decisions[after] === UNREADABLE[after]
const skips = (state: CouncilState, after: 'R1' | 'R2'): readonly Lack[] =>
  isUnread(state, after) ? [is.SHORT_CIRCUIT_DECIDED] : []

/** That the round was skipped. */
const skipped = (state: CouncilState, round: 'R2' | 'R3'): readonly Lack[] =>
  state.called[round] === undefined ? skips(state, round === 'R2' ? 'R1' : 'R2') : []

/** Events that may explain, once erased, why the council is in another state than an event of this type needs. */
export function lacksAt(state: OpenedCouncil, stage: Stage, type: string): readonly Lack[] {
  switch (stage.is) {
    case 'waiting':
      return []
    case 'asking':
      return stage.round === 'R1'
        ? [...closedIn(state, 'R1'), ...budget(state)]
        : [...closedIn(state, 'R2'), ...skipped(state, 'R2'), ...budget(state)]
    case 'synthesis': {
      const cited = stage.mend ? [...opinions(state), ...reviews(state)] : []
      return [...closedIn(state, 'R3'), ...skipped(state, 'R3'), ...budget(state), ...cited]
    }
    case 'scoring':
      return scores(state)
    case 'deciding':
      if (stage.after === 'R2') return [...opinions(state), ...budget(state)]
      return type === is.AGREEMENT_SCORED ? opinions(state) : []
    case 'assembling':
      return opinions(state)
    case 'closing':
      return state.assembled || stage.status === 'reported'
        ? []
        : [...opinions(state), ...skipped(state, 'R2'), ...budget(state)]
  }
}

/** Events that may explain, once erased, why a call of this round is not asked for. */
export function lacksCall(state: OpenedCouncil, stage: Stage, round: is.Round | null): readonly Lack[] {
  const here = [...lacksAt(state, stage, ''), ...lengths(state)]
  if (round === 'R2') return [...here, ...opinions(state)]
  const outcome = state.reports.at(-1)?.outcome
  return round === 'R3' && outcome?.ok && outcome.answer === null ? [...here, is.REPORT_GIVEN] : here
}

/** What a decision on skipping a round may lack, by the members that differ. */
export function lacksDecision(
  state: OpenedCouncil,
  after: 'R1' | 'R2',
  isOnlyBudget: boolean,
): readonly Lack[] {
  if (isOnlyBudget) return costs(state)
  return [...opinions(state), ...scores(state), ...(after === 'R2' ? reviews(state) : []), ...budget(state)]
}

/** What an assembled report may lack: it uses everything. */
export const lacksReport = (state: OpenedCouncil): readonly Lack[] => [
  ...OUTCOMES,
  ...skips(state, 'R1'),
  ...skips(state, 'R2'),
]

/** What an ending may lack, by the members that differ. */
export function lacksClosing(
  state: OpenedCouncil,
  stage: Stage,
  differs: readonly string[],
): readonly Lack[] {
  const isCounted = differs.every((name) => name === 'rounds' || name === 'metrics')
  if (isCounted) return lacksReport(state)
  const early = state.closeRequested === '' ? [is.CLOSE_REQUESTED] : []
  const assembled = state.assembled ? [...skips(state, 'R2'), ...budget(state)] : []
  return [...lacksAt(state, stage, is.CLOSED), ...early, ...assembled]
}
