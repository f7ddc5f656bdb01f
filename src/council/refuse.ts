// Who may record what, and when. The rule of calls checks before this that an outcome answers a requested
// action; this file checks the actor, the consistency of an opening, and that everything that follows from
// earlier events is recorded as it follows.

import { isHash } from '../ledger/bytes.ts'
import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED, CLERK } from '../ledger/calls.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { FORKED } from '../ledger/fork.ts'
import type { Lack, Occurrence, Refusal } from '../protocol.ts'
import { isReaderVersion } from '../reply/read-reply.ts'
import { readAction } from './actions.ts'
import { assembledNow, closingNow } from './closing.ts'
import { editionOf } from './editions.ts'
import {
  erasedOpinions,
  lackOpinions,
  lacksCall,
  lacksClosing,
  lacksDecision,
  lacksReport,
} from './erased-evidence.ts'
import * as is from './events.ts'
import { misshapen } from './payload-check.ts'
import { refuseFork, refuseOpening } from './refuse-opening.ts'
import { type OpinionAnswer, STANCES_OF, UNSTATED } from './replies/opinion.ts'
import { isAsking, opinionId, opinionsOf, othersThan, seatOf, voicesOf } from './seat-ids.ts'
import { pairsOf } from './short-circuit/agreement.ts'
import { decisionAfter } from './short-circuit/short-circuit.ts'
import { joinedNow } from './size/join.ts'
import { stageOf } from './stage.ts'
import { type CouncilState, isOpenedCouncil, type OpenedCouncil, pendingOf } from './state.ts'

const SPEAKERS: ReadonlyMap<string, string> = new Map([
  [is.OPENED, is.CONVENER],
  [FORKED, is.CONVENER],
  [is.CLOSE_REQUESTED, is.CONVENER],
  [is.OPINION_GIVEN, is.PARTICIPANT],
  [is.OPINION_FAILED, is.PARTICIPANT],
  [is.OPINION_INCOMPLETE, is.PARTICIPANT],
  [is.OPINION_JOINED, is.PARTICIPANT],
  [is.REVIEW_GIVEN, is.PARTICIPANT],
  [is.REVIEW_FAILED, is.PARTICIPANT],
  [is.REVIEW_INCOMPLETE, is.PARTICIPANT],
  [is.REPORT_GIVEN, is.CHAIR],
  [is.REPORT_FAILED, is.CHAIR],
  [is.REPORT_INCOMPLETE, is.CHAIR],
  [is.AGREEMENT_SCORED, CLERK],
  [is.SHORT_CIRCUIT_DECIDED, CLERK],
  [is.ROUND_CLOSED, CLERK],
  [is.REPORT_ASSEMBLED, CLERK],
  [is.CLOSED, CLERK],
])

const invalid = (message: string): Refusal => ({ code: 'SCHEMA_INVALID', message })
/** `lacks`: what may explain it, once it is erased. */
const order = (message: string, lacks: readonly Lack[] = []): Refusal => ({
  code: 'ORDER_VIOLATION',
  message,
  ...(lacks.length > 0 && { lacks }),
})
const role = (message: string): Refusal => ({ code: 'ROLE_POLICY_VIOLATION', message })

function refuseOutcome(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const p = is.payloadOf(event, is.OPINION_FAILED)
  const call = readAction(p.action)
  const seat = state.open.get(p.action)?.seat
  if (!call || seat === undefined) return order(`${p.action} was not asked`)
  if ('reading' in p !== (editionOf(state).reader === 2))
    return invalid(`${event.type} has not the members that it has in this edition`)
  if (p.reading && !isReaderVersion(p.reading.reader))
    return invalid(`there is no reader ${p.reading.reader} here`)
  if (event.type.endsWith('_incomplete') && pendingOf(state, call.round, seat))
    return order(`${seat} was asked again already for what its answer lacks`)
  if (p.seat !== seat) return invalid(`${p.action} is answered in the name of another seat`)
  if (event.actor.agent !== seat) return role(`only ${seat} may answer ${p.action}`)
  if (p.failure && (p.failure.round !== call.round || p.failure.provider !== seatOf(state, seat)?.provider))
    return invalid('the failure tells of another round or provider')
  return null
}

function refuseOpinion(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const { opinion } = is.payloadOf(event, is.OPINION_GIVEN)
  return refuseStance(state, opinion, event)
}

/** Only an answer in prose may state none. */
function refuseStance(state: OpenedCouncil, { stance }: OpinionAnswer, event: Occurrence): Refusal | null {
  const { reading } = is.payloadOf(event, is.OPINION_GIVEN)
  const isOpen = stance === UNSTATED && reading?.outcome === 'prose'
  return isOpen || STANCES_OF[state.opened.mode].includes(stance)
    ? null
    : invalid(`${stance} is no stance in this mode`)
}

function refuseIncomplete(_: OpenedCouncil, event: Occurrence): Refusal | null {
  const { prose, reading } = is.payloadOf(event, is.OPINION_INCOMPLETE)
  const isProse = reading.outcome === 'prose' && prose?.stance === UNSTATED
  const isMissing = reading.outcome === 'missing' && !prose && reading.missing.length > 0
  if (isMissing || (isProse && event.type === is.OPINION_INCOMPLETE)) return null
  return invalid('an answer is incomplete when something is missing, or when prose states no stance')
}

function refuseReview(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const { review, seat } = is.payloadOf(event, is.REVIEW_GIVEN)
  const { mode } = state.opened
  if (!STANCES_OF[mode].includes(review.stance_after))
    return invalid(`${review.stance_after} is no stance here`)
  const own = opinionsOf(state).find((opinion) => opinion.seat === seat)?.id
  if (review.targets.some(({ opinion }) => opinion === own)) return order(`${seat} reviews its own opinion`)
  const others = new Set(othersThan(state, seat).map(({ id }) => id))
  const stray = review.targets.find(({ opinion }) => !others.has(opinion))
  if (!stray) return null
  const erased = erasedOpinions(state).filter((each) => opinionId(state, each.seat) === stray.opinion)
  return order('a review is of an opinion that was not given', lackOpinions(erased))
}

function refuseReport(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const { report } = is.payloadOf(event, is.REPORT_GIVEN)
  return STANCES_OF[state.opened.mode].includes(report.decision)
    ? null
    : invalid(`${report.decision} is no decision in this mode`)
}

function refuseScores(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const { pairs } = is.payloadOf(event, is.AGREEMENT_SCORED)
  const wanted = pairsOf(voicesOf(state).map(({ id }) => id)).map(([a, b]) => `${a} ${b}`)
  const named = pairs.map(({ a, b }) => `${a} ${b}`)
  const isWhole = named.length === wanted.length && wanted.every((pair, i) => named[i] === pair)
  if (pairs.length > 0 && !isWhole)
    return {
      ...invalid('scores are for every pair of opinions, in order, or for none'),
      lacks: lackOpinions(erasedOpinions(state)),
    }
  const isRound = pairs.every(({ cosine }) => Math.round(cosine * 1e4) / 1e4 === cosine)
  return isRound ? null : invalid('scores are rounded to 1e-4')
}

/** The recorded payload, without its action, is what the state gives. `lacks`: by the members that differ. */
function refuseOther(
  event: Occurrence,
  expected: object,
  what: string,
  lacks: (differs: readonly string[]) => readonly Lack[],
): Refusal | null {
  const { action: _, ...recorded } = event.payload ?? {}
  if (canonicalize(recorded) === canonicalize(expected)) return null
  const differs = Object.keys(expected).filter(
    (name) => canonicalize(recorded[name] ?? null) !== canonicalize((expected as never)[name] ?? null),
  )
  return order(`the ${what} is not what the minutes say: ${differs.join(', ')}`, lacks(differs))
}

/** A joined opinion is the union of the seat's answers to each part, and recorded by that seat. */
function refuseJoined(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const { seat } = is.payloadOf(event, is.OPINION_JOINED)
  if (event.actor.agent !== seat) return role(`only ${seat} may join its answers`)
  const lacks = () => lackOpinions([{ seat, event: '' }])
  return refuseOther(event, joinedNow(state, seat), 'joined opinion', lacks)
}

function refuseDecision(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const { after, criteria } = is.payloadOf(event, is.SHORT_CIRCUIT_DECIDED)
  const expected = decisionAfter(state, after)
  const { budget } = expected.criteria
  const isOnly = canonicalize({ ...criteria, budget }) === canonicalize(expected.criteria)
  const lacks = (differs: readonly string[]) =>
    lacksDecision(state, after, isOnly && differs.every((name) => name === 'criteria'))
  return refuseOther(event, expected, 'decision on skipping', lacks)
}

function refuseAssembled(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const report = assembledNow(state)
  return report && refuseOther(event, { report }, 'assembled report', () => lacksReport(state))
}

function refuseClosed(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const expected = closingNow(state)
  const lacks = (differs: readonly string[]) => lacksClosing(state, stageOf(state), differs)
  const refusal = expected && refuseOther(event, expected, 'closing', lacks)
  return refusal && { ...refusal, finalisation: true }
}

function refuseRoundClosed(state: OpenedCouncil, event: Occurrence): Refusal | null {
  const { round } = is.payloadOf(event, is.ROUND_CLOSED)
  if (state.closedRounds.has(round)) return order(`${round} is closed already`)
  return isAsking(state, round) ? null : order(`no seat is being asked in ${round}`)
}

function refuseCloseRequest(state: OpenedCouncil): Refusal | null {
  if (state.closeRequested !== null) return order('closing was asked for already')
  const stage = stageOf(state)
  const isUnderWay = stage.is !== 'assembling' && stage.is !== 'closing'
  return isUnderWay ? null : order('nothing is left to be asked', lacksCall(state, stage, 'R3'))
}

/** Says what is wrong with a call before the rule of calls says that nothing asks for it. */
function refuseCall(state: CouncilState, event: Occurrence): Refusal | null {
  if (!isOpenedCouncil(state)) return order('the council is not open', [is.OPENED, FORKED])
  if (state.isClosed && event.type === CALL_STARTED) return order('the council is closed')
  if (event.type === CALL_INDETERMINATE) return invalid('a council has no tools')
  const call = readAction(String(event.payload?.action ?? ''))
  if (event.type !== CALL_STARTED || call === null) return null
  const isUndecided =
    (call.round !== 'R1' && state.decisions.R1 === null) ||
    (call.round === 'R3' && state.decisions.R2 === null)
  return isUndecided ? order(`${call.round} begins before it was decided whether to skip it`) : null
}

const CONTENT: ReadonlyMap<string, (state: OpenedCouncil, event: Occurrence) => Refusal | null> = new Map([
  [is.OPINION_GIVEN, refuseOpinion],
  [is.OPINION_INCOMPLETE, refuseIncomplete],
  [is.REVIEW_INCOMPLETE, refuseIncomplete],
  [is.REPORT_INCOMPLETE, refuseIncomplete],
  [is.REVIEW_GIVEN, refuseReview],
  [is.REPORT_GIVEN, refuseReport],
  [is.OPINION_JOINED, refuseJoined],
  [is.AGREEMENT_SCORED, refuseScores],
  [is.SHORT_CIRCUIT_DECIDED, refuseDecision],
  [is.ROUND_CLOSED, refuseRoundClosed],
  [is.CLOSE_REQUESTED, refuseCloseRequest],
  [is.REPORT_ASSEMBLED, refuseAssembled],
  [is.CLOSED, refuseClosed],
])

const isOutcome = (type: string): boolean =>
  /^(?:opinion|review|report)_(?:given|failed|incomplete)$/.test(type)

export function refuse(state: CouncilState, event: Occurrence): Refusal | null {
  if (event.type === CALL_STARTED || event.type === CALL_LOST || event.type === CALL_INDETERMINATE)
    return refuseCall(state, event)
  const speaker = SPEAKERS.get(event.type)
  if (speaker === undefined) return invalid(`${event.type} is no event of ${is.COUNCIL}`)
  if (event.actor.role !== speaker) return role(`only a ${speaker} may say ${event.type}`)
  const misfit = misshapen(event)
  if (misfit) return invalid(misfit)
  if (state.isClosed && event.type !== FORKED) return order('the council is closed')
  if (event.type === is.OPENED) {
    if (state.trace !== '') return order('a council is opened once')
    const opening = is.payloadOf(event, is.OPENED)
    return isHash(opening.seed) ? refuseOpening(opening) : invalid('the seed is not 32 bytes in hex')
  }
  if (!isOpenedCouncil(state)) return order('the council is not open', [is.OPENED, FORKED])
  if (event.type === FORKED) return refuseFork(state, event)
  return (
    (isOutcome(event.type) ? refuseOutcome(state, event) : null) ??
    CONTENT.get(event.type)?.(state, event) ??
    null
  )
}
