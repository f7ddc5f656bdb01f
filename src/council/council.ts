// The protocol `council/1`: who is asked what in which round, when it may continue, and what its trace must
// contain. Pure; SHA-256 is passed in, because orders and delimiters follow from the recorded seed.

import type { Sha256 } from '../ledger/bytes.ts'
import { type WithOpenCalls, withCalls } from '../ledger/calls.ts'
import { withEditions } from '../ledger/editions.ts'
import type { Lack, Occurrence, Protocol } from '../protocol.ts'
import { readAction } from './actions.ts'
import { decide } from './decide.ts'
import { KNOWN } from './editions.ts'
import { lacksCall } from './erased-evidence.ts'
import * as is from './events.ts'
import { evolve } from './evolve.ts'
import { examine, reads } from './examine.ts'
import { refuse } from './refuse.ts'
import { refuseMisplaced } from './refuse-misplaced.ts'
import { stageOf } from './stage.ts'
import { type CouncilState, INITIAL, isOpenedCouncil } from './state.ts'

/** Event type → first part of the id of the actions that it answers. */
const ANSWERS: Readonly<Record<string, string>> = {
  [is.OPINION_GIVEN]: 'opinion',
  [is.OPINION_FAILED]: 'opinion',
  [is.OPINION_INCOMPLETE]: 'opinion',
  [is.OPINION_JOINED]: 'join',
  [is.REVIEW_GIVEN]: 'review',
  [is.REVIEW_FAILED]: 'review',
  [is.REVIEW_INCOMPLETE]: 'review',
  [is.REPORT_GIVEN]: 'report',
  [is.REPORT_FAILED]: 'report',
  [is.REPORT_INCOMPLETE]: 'report',
  [is.AGREEMENT_SCORED]: 'score',
  [is.SHORT_CIRCUIT_DECIDED]: 'short_circuit',
  [is.REPORT_ASSEMBLED]: 'assemble',
  [is.CLOSED]: 'close',
}

const unasked = (state: CouncilState, action: string): readonly Lack[] =>
  isOpenedCouncil(state) ? lacksCall(state, stageOf(state), readAction(action)?.round ?? null) : [is.OPENED]

export function councilProtocol(sha256: Sha256): Protocol<WithOpenCalls<CouncilState>> {
  const called = withCalls(
    {
      id: is.COUNCIL,
      initial: INITIAL,
      evolve,
      refuse,
      decide,
      finished: (state) => state.isClosed,
      reads,
      examine: (state, event, content) => examine(sha256, state, event, content),
    },
    { outcomes: ANSWERS, started: ['opinion', 'review', 'report'], lacks: unasked },
  )
  const placed = {
    ...called,
    refuse: (state: WithOpenCalls<CouncilState>, event: Occurrence) =>
      refuseMisplaced(state.inner, event) ?? called.refuse(state, event),
  }
  return withEditions(placed, { opening: is.OPENED, known: KNOWN })
}
