// A folded session as it is saved, so that a long one need not be folded from its beginning: an attached host
// makes thousands of calls in one session. While a call to a model is open nothing is saved, since every open
// call holds the session as it was when it started.

import { asJson, type Json } from '../../ledger/canonical.ts'
import type { SnapshotForm } from '../../protocol.ts'
import { NEWEST } from '../editions.ts'
import { EMPTY, type Proposal, type SessionState } from '../state.ts'

/** Maps as lists of their entries. */
type Listed<State> = {
  readonly [Name in keyof State]: State[Name] extends ReadonlyMap<string, infer Value>
    ? readonly (readonly [string, Value])[]
    : State[Name]
}

type Taken = Omit<Listed<SessionState>, 'proposals' | 'asked'> & {
  readonly proposals: readonly Listed<Proposal>[]
}

/** A session that contains a size that is not recorded cannot be saved. */
const isMeasured = ({ produced }: SessionState): boolean =>
  [...produced.values()].every(({ size }) => Number.isFinite(size))

const takenProposal = (proposal: Proposal): Listed<Proposal> => ({
  ...proposal,
  reviews: [...proposal.reviews],
  heard: [...proposal.heard],
})

const restoredProposal = (taken: Listed<Proposal>): readonly [string, Proposal] => [
  taken.id,
  { ...taken, reviews: new Map(taken.reviews), heard: new Map(taken.heard) },
]

function taken({ asked: _, ...state }: SessionState): Taken {
  return {
    ...state,
    proposals: [...state.proposals.values()].map(takenProposal),
    intents: [...state.intents],
    claims: [...state.claims],
    opinions: [...state.opinions],
    sources: [...state.sources],
    produced: [...state.produced],
    duties: [...state.duties],
    incomplete: [...state.incomplete],
    learned: [...state.learned],
  }
}

export const agentsForm: SnapshotForm<SessionState> = {
  // A state that a newer release folded under newer rules is folded again here, and then refused.
  id: `agents-state/1 editions/${NEWEST}`,
  take: (state) => (state.asked.size > 0 || !isMeasured(state) ? null : asJson(taken(state))),
  restore(stored) {
    const state: Taken = stored as Json & Taken
    return {
      ...state,
      proposals: new Map(state.proposals.map(restoredProposal)),
      intents: new Map(state.intents),
      claims: new Map(state.claims),
      opinions: new Map(state.opinions),
      sources: new Map(state.sources),
      produced: new Map(state.produced),
      duties: new Map(state.duties),
      incomplete: new Map(state.incomplete),
      learned: new Map(state.learned),
      asked: EMPTY.asked,
    }
  },
}
