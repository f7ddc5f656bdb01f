// The protocol of an exchange: a pool of minds, an auditor that everyone can read, and an observer who alone decides
// whether and how it goes on. Powers are asked about before anything else, so that whoever exceeds theirs is told so
// and not that they came at the wrong time.

import type { Sha256 } from '../ledger/bytes.ts'
import { type Called, withCalls } from '../ledger/calls.ts'
import { withEditions } from '../ledger/editions.ts'
import type { Occurrence, Protocol } from '../protocol.ts'
import { decideWith } from './decide.ts'
import { KNOWN, namedIn } from './editions.ts'
import { OUTCOMES } from './events.ts'
import { foldWith } from './evolve.ts'
import { examineWith, reads } from './examine.ts'
import { beyondPowers } from './refuse/powers.ts'
import { refuseWith } from './refuse.ts'
import { exchangeForm } from './snapshot.ts'
import { type ExchangeState, INITIAL } from './state.ts'

const EXCHANGE_PROTOCOL = 'exchange/1'

export function exchangeProtocol(sha256: Sha256): Protocol<Called<ExchangeState>> {
  const decide = decideWith(sha256)
  const called = withCalls(
    {
      id: EXCHANGE_PROTOCOL,
      initial: INITIAL,
      evolve: foldWith(sha256),
      refuse: refuseWith(decide),
      decide,
      finished: (state) => state.halted,
      reads,
      examine: examineWith(sha256),
      snapshot: exchangeForm,
    },
    OUTCOMES,
  )
  const empowered = {
    ...called,
    refuse: (state: Called<ExchangeState>, event: Occurrence) =>
      beyondPowers(state.inner, event) ?? called.refuse(state, event),
  }
  return withEditions(empowered, { opening: 'exchange_opened', known: KNOWN, named: namedIn })
}
