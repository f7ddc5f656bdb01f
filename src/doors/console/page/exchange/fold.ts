// An exchange in the page.

import { sha256 } from '../../../../browser/bytes.ts'
import { exchangeProtocol } from '../../../../exchange/exchange.ts'
import { exchangeValue } from '../../../../exchange/result.ts'
import type { ExchangeState } from '../../../../exchange/state.ts'
import type { Called } from '../../../../ledger/calls.ts'
import type { Fold } from '../trace/fold.ts'

export interface ExchangeFold extends Fold {
  readonly state: Called<ExchangeState>
}

export function exchangeFold(): ExchangeFold {
  const protocol = exchangeProtocol(sha256)
  let state = protocol.initial
  return {
    get state() {
      return state
    },
    take(event) {
      state = protocol.evolve(state, event)
    },
    result: () => exchangeValue(state.inner),
  }
}
