// An exchange in the page.

import { sha256 } from '../../../../browser/bytes.ts'
import { exchangeProtocol } from '../../../../exchange/exchange.ts'
import { exchangeValue } from '../../../../exchange/result.ts'
import type { ExchangeState } from '../../../../exchange/state.ts'
import type { WithOpenCalls } from '../../../../ledger/calls.ts'
import type { Fold } from '../trace/fold.ts'
import { PoolNotes } from './pool-notes.ts'

export interface ExchangeFold extends Fold {
  readonly state: WithOpenCalls<ExchangeState>
  readonly notes: PoolNotes
}

export function exchangeFold(): ExchangeFold {
  const protocol = exchangeProtocol(sha256)
  const notes = new PoolNotes()
  let state = protocol.initial
  return {
    notes,
    get state() {
      return state
    },
    take(event) {
      const before = state.inner
      state = protocol.evolve(state, event)
      notes.take(event, before, state.inner)
    },
    result: () => exchangeValue(state.inner),
  }
}
