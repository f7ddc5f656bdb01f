// An evaluation in the page: its report is computed here, from the same events.

import { sha256 } from '../../../../browser/bytes.ts'
import { evalProtocol } from '../../../../eval/eval.ts'
import { reportOf } from '../../../../eval/report.ts'
import { type EvalState, isOpened } from '../../../../eval/state.ts'
import type { WithOpenCalls } from '../../../../ledger/calls.ts'
import type { Fold } from '../trace/fold.ts'

export interface EvalFold extends Fold {
  readonly state: WithOpenCalls<EvalState>
}

export function evalFold(): EvalFold {
  const protocol = evalProtocol(sha256)
  let state = protocol.initial
  return {
    get state() {
      return state
    },
    take(event) {
      state = protocol.evolve(state, event)
    },
    result: () => (isOpened(state.inner) ? reportOf(state.inner) : (state.inner.outcome ?? {})),
  }
}
