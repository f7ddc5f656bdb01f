// The protocol `eval/1`: which seats were asked what to measure the value of a council, and the results.
// Pure; SHA-256 is passed in.

import type { Sha256 } from '../ledger/bytes.ts'
import { type WithOpenCalls, withCalls } from '../ledger/calls.ts'
import { withEditions } from '../ledger/editions.ts'
import type { Protocol } from '../protocol.ts'
import { decide } from './decide.ts'
import * as is from './events.ts'
import { evolve } from './evolve.ts'
import { examineWith, reads } from './examine.ts'
import { GROUND, refuseWith } from './refuse.ts'
import { EDITION } from './schema.ts'
import { type EvalState, INITIAL } from './state.ts'

/** Event type → first part of the id of the actions that it answers. */
const ANSWERS: Readonly<Record<string, string>> = {
  [is.ITEM_HELD]: 'hold',
  [is.SAMPLE_GIVEN]: 'sample',
  [is.SAMPLE_FAILED]: 'sample',
  [is.JUDGEMENT_GIVEN]: 'judge',
  [is.JUDGEMENT_FAILED]: 'judge',
  [is.ITEM_GRADED]: 'grade',
  [is.CLOSED]: 'close',
}

export function evalProtocol(sha256: Sha256): Protocol<WithOpenCalls<EvalState>> {
  const called = withCalls(
    {
      id: is.EVAL,
      initial: INITIAL,
      evolve,
      refuse: refuseWith(sha256),
      decide,
      finished: (state) => state.isClosed,
      reads,
      examine: examineWith(sha256),
    },
    { outcomes: ANSWERS, started: ['sample', 'judge'], lacks: () => [{ types: GROUND }] },
  )
  return withEditions(called, { opening: is.OPENED, known: [EDITION] })
}
